import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { bodyHint } from '../../src/cli/call-fields.ts';
import { type EmulatorOptions, startEmulator } from '../../src/index.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { folder, run } from './kit.ts';

/** An emulator of this process with a live clock, and the command line as it asks it. */
async function running(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ port: 0, seed: 1, ...options });
  onTestFinished(() => emulator.close());
  const ask = (...args: string[]) => run([...args, '--url', emulator.url]);
  const json = async (...args: string[]) => JSON.parse((await ask(...args, '--json')).stdout);
  return { emulator, ask, json };
}

describe('the command call', () => {
  test('call sends the example of an operation with given fields in place, and exits with 0', async () => {
    const { ask, json } = await running();
    const { code, stdout } = await ask('call', 'createCustomer', '--example', '--fullName', 'Omar Diaz');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^201 POST \/customers req_\d+$/);
    const { id, fullName } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(fullName).toBe('Omar Diaz');
    expect((await json('call', 'getCustomerById', '--customerId', id)).body.fullName).toBe('Omar Diaz');
  });

  test('call takes numbers, lists and nested members by the schema of the operation', async () => {
    const { json } = await running({ scenario: 'demo' });
    const quote = await json('call', 'createQuote', '--example', '--lockedCurrencyAmount', '700');
    expect([quote.status, quote.body.totalSendingAmount]).toEqual([201, 700]);
    const token = await json('call', 'createToken', '--name', 'ci', '--permissions', 'VIEW,TRANSACT');
    expect(token.body.permissions).toEqual(['VIEW', 'TRANSACT']);
    const person = ['--customerType', 'INDIVIDUAL', '--fullName', 'Ada Keller', '--address.country', 'US'];
    const made = await json(
      'call',
      'createCustomer',
      ...person,
      '--address.line1=1 Elm St',
      '--address.postalCode',
      '1',
    );
    expect(made.body.address).toEqual({ line1: '1 Elm St', postalCode: '1', country: 'US' });
  });

  test('call reads a body or a file from the given place', async () => {
    const { json } = await running();
    const path = join(folder(), 'token.json');
    writeFileSync(path, '{"name": "from a file", "permissions": ["VIEW"]}');
    expect((await json('call', 'createToken', '--data', `@${path}`)).body.name).toBe('from a file');
    const csv = join(folder(), 'people.csv');
    writeFileSync(csv, 'umaAddress,platformCustomerId\n');
    expect((await json('call', 'uploadCustomersCsv', '--file', csv)).status).toBe(202);
  });

  test('call prints a refusal of the API, and exits with 2', async () => {
    const { ask } = await running();
    const { code, stdout } = await ask('call', 'getCustomerById', '--customerId', 'nobody');
    expect([code, stdout.split('\n')[0]?.slice(0, 31)]).toEqual([2, '404 GET /customers/{customerId}']);
    expect(stdout).toContain('"code": "USER_NOT_FOUND"');
  });

  test('call exits with 1 for an unknown operation or field and names the nearest, and for a missing parameter', async () => {
    const { ask } = await running();
    expect(await ask('call', 'createCustomr')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no operation createCustomr; did you mean createCustomer?\n',
    });
    expect(await ask('call', 'createCustomer', '--fulName', 'x')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'createCustomer has no field fulName; did you mean --fullName?\n',
    });
    expect((await ask('call', 'getCustomerById')).stderr).toBe(
      '--customerId is missing: the path is /customers/{customerId}; --example fills it in\n',
    );
    expect((await ask('call', 'getCustomer')).stderr).toBe(
      'there is no operation getCustomer; did you mean getCustomerById?\n',
    );
  });

  test('call hints at --example on stderr after an invalid body, but not where the example was sent', async () => {
    const { ask } = await running();
    const hint = (id: string) =>
      new RegExp(
        `^a body that is valid now: .* call ${id} --example; fields beside it, such as --name value, change it\n$`,
      );
    const bare = await ask('call', 'createQuote');
    expect([bare.code, bare.stdout.split('\n')[0]]).toEqual([2, '400 POST /quotes req_1']);
    expect(bare.stderr).toMatch(hint('createQuote'));
    const json = await ask('call', 'createCustomer', '--customerType', 'ROBOT', '--json');
    expect(JSON.parse(json.stdout).status).toBe(400);
    expect(json.stderr).toMatch(hint('createCustomer'));
    const wrong = await ask('call', 'createCustomer', '--example', '--email', 'nope');
    expect([wrong.code, wrong.stderr]).toEqual([2, '']);
  });

  test('call has a hint at --example for each operation that refuses a call without its body', async () => {
    const { control } = await kit({ scenario: 'demo' });
    const unhinted: string[] = [];
    let refused = 0;
    for (const { id } of OPERATIONS.filter(({ body, upload }) => body || upload)) {
      const { body: described } = await control('GET', `/operations/${id}`);
      const { params } = described.example;
      const { body: answered } = await control('POST', `/operations/${id}/call`, params ? { params } : {});
      if (answered.status !== 400) continue;
      refused += 1;
      if (!bodyHint(described, answered.status, 'emulator')?.includes(` emulator call ${id} --example;`))
        unhinted.push(id);
    }
    expect(unhinted).toEqual([]);
    expect(refused).toBeGreaterThan(40);
  });

  test('call names the operation that makes what an example lacks', async () => {
    const { ask } = await running();
    const { code, stderr } = await ask('call', 'executeQuote', '--example');
    expect([code, stderr]).toEqual([
      2,
      'the sandbox has nothing yet that executeQuote could be about: call createQuote first\n',
    ]);
  });
});

describe('the command trigger', () => {
  test('trigger leads to an event with a live clock and a real receiver, and prints the calls', async () => {
    const hooks = await receiver();
    const { ask, json } = await running({ webhookUrl: hooks.url });
    const { code, stdout } = await ask('trigger', 'OUTGOING_PAYMENT.COMPLETED', '--set', 'amount=500');
    expect([code, stdout.replaceAll(/Webhook:\S+|req_\d+/g, 'id').split('\n')]).toEqual([
      0,
      [
        'OUTGOING_PAYMENT.COMPLETED id DELIVERED',
        '  201 createCustomer id',
        '  201 createCustomerExternalAccount id',
        '  200 sandboxFundInternalAccount id',
        '  201 createTransferOut id',
        '',
      ],
    ]);
    const told = hooks.received.filter(({ event }) => event.type === 'OUTGOING_PAYMENT.COMPLETED');
    expect(told.map(({ event }) => event.data.sentAmount.amount)).toEqual([500]);
    const { event, calls } = await json('trigger', 'OUTGOING_PAYMENT.COMPLETED');
    expect([event, calls.length]).toEqual(['OUTGOING_PAYMENT.COMPLETED', 1]);
  });

  test('trigger exits with 2 and a sentence where the platform rules the event out', async () => {
    const { ask } = await running();
    const { code, stderr } = await ask('trigger', 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION');
    expect([code, stderr]).toEqual([
      2,
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION cannot happen: no payment has to be authorized here: set platform.sca: {} in the scenario, or start with --scenario sca\n',
    ]);
  });
});
