import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Backend,
  backendAt,
  exam,
  junit,
  type Reply,
  type Report,
  Unable,
  wordsOf,
} from '../../src/exam/index.ts';
import { startEmulator } from '../../src/index.ts';
import type { SandboxHandle } from '../../src/public.ts';
import { WebhookReceiver } from '../../src/testkit/index.ts';
import { controlOf, type Edit, edited, examined, failedIn } from './kit.ts';

const emulator = await startEmulator({ port: 0, seed: 1 });
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await receiver.close();
  await emulator.close();
});

const OK: Reply = { ok: true, text: '' };

/** A sandbox with somebody who can pay, and a function that pays; it believes what the test says. */
async function payer(scenario: object = {}) {
  const sandbox = await emulator.createSandbox({ scenario, webhookUrl: receiver.url });
  const customer = await sandbox.ok('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
  const { data } = await sandbox.ok('listCustomerInternalAccounts', {
    query: { customerId: customer.id, currency: 'USD' },
  });
  const from = data[0]?.id as string;
  await sandbox.ok('sandboxFundInternalAccount', { params: { accountId: from }, body: { amount: 1_000_000 } });
  const accountInfo = {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    swiftCode: 'DEUTDEFF',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Bo Berg', countryOfResidence: 'DE' },
  } as const;
  const bank = await sandbox.ok('createCustomerExternalAccount', {
    body: { customerId: customer.id, currency: 'EUR', accountInfo },
  });
  const pay = async (reference: string): Promise<Reply> => {
    const quote = await sandbox.ok('createQuote', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: from },
        destination: { destinationType: 'ACCOUNT', accountId: bank.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1000,
        description: reference,
      },
    });
    await sandbox.ok('executeQuote', { params: { quoteId: quote.id } });
    return OK;
  };
  return { sandbox, pay };
}

const run = (
  sandbox: SandboxHandle,
  backend: Partial<Backend>,
  only: readonly string[],
  more: object = {},
): Promise<Report> =>
  exam({
    control: controlOf(emulator, sandbox),
    backend: { pay: async () => OK, end: () => {}, ...backend },
    only,
    ...more,
  });

const stateOf = async (sandbox: SandboxHandle) => {
  const { settings } = (await sandbox.snapshot()) as unknown as { settings: object };
  return { settings, faults: sandbox.faults.list(), mode: sandbox.clock.state().mode };
};

describe('an exam that cannot be run', () => {
  test('an exam is refused with the reason where the sandbox sends no webhooks', async () => {
    const sandbox = await emulator.createSandbox();
    await expect(run(sandbox, {}, ['plain'])).rejects.toThrow(
      /^this sandbox sends no webhooks: start the emulator with/,
    );
  });

  test('an exam is refused with the reason where deliveries are paused', async () => {
    const { sandbox } = await payer();
    sandbox.webhooks.pause();
    await expect(run(sandbox, {}, ['plain'])).rejects.toThrow(/^deliveries of this sandbox are paused/);
  });

  test('an exam is refused where the clock is held and a check has to move it; checks that do not move it run', async () => {
    const { sandbox, pay } = await payer({ clock: { mode: 'held' } });
    await expect(run(sandbox, { pay }, ['plain', 'late'])).rejects.toThrow(/is held, and late has to move it/);
    expect(failedIn(await run(sandbox, { pay }, ['plain', 'rate-limited']))).toEqual(['rate-limited']);
  });

  test('an exam is refused with the reason where the backend is down, and leaves the sandbox as it was', async () => {
    const { sandbox } = await payer();
    const before = await stateOf(sandbox);
    const down = async (): Promise<Reply> => ({ ok: false, isDown: true, text: 'ECONNREFUSED' });
    await expect(run(sandbox, { pay: down }, ['lost-quote'])).rejects.toThrow(
      /^the backend cannot be reached: --pay failed with ECONNREFUSED$/,
    );
    expect(await stateOf(sandbox)).toEqual(before);
  });

  test('an exam is refused where the backend calls another sandbox, and names that sandbox', async () => {
    const [{ sandbox }, other] = [await payer(), await payer()];
    await expect(run(sandbox, { pay: other.pay }, ['twice'])).rejects.toThrow(
      `the backend calls another sandbox, ${other.sandbox.id}: name it with --sandbox ${other.sandbox.id}`,
    );
  });

  test('an exam is refused where another exam is under way in the same sandbox', async () => {
    const { sandbox, pay } = await payer();
    const first = run(sandbox, { pay }, ['plain']);
    while (sandbox.faults.list().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await expect(run(sandbox, { pay }, ['plain'])).rejects.toThrow(
      /^another exam is under way .* fault remove fault-1$/,
    );
    expect(failedIn(await first)).toEqual([]);
  });

  test('an exam is refused where the receiver of webhooks is beyond this machine', async () => {
    const remote = await startEmulator({ port: 0, webhookUrl: 'http://hooks.example/x', allowRemoteWebhooks: true });
    const control = controlOf(remote, remote.sandbox);
    const asked = exam({ control, backend: { pay: async () => OK, end: () => {} }, only: ['plain'] });
    await expect(asked).rejects.toThrow('the webhook endpoint leads beyond this machine, to hooks.example');
    await remote.close();
  });
});

describe('a URL that cannot be called', () => {
  test.each([
    ['--pay', 'ftp://127.0.0.1/pay', undefined, 'ftp'],
    ['--pay', 'FILE:///etc/passwd', undefined, 'FILE'],
    ['--ask', 'true', 'ws://127.0.0.1/{reference}', 'ws'],
  ])('an exam refuses a URL that it cannot call, and does not run it as a command: %s %s', (flag, pay, ask, scheme) => {
    expect(() => backendAt(pay, ask, true)).toThrow(
      new Unable(`${flag} begins with ${scheme}://, which cannot be called: use http, https or a command`),
    );
  });

  test('an exam takes a command that contains a URL as a command', () => {
    expect(() => backendAt('curl ftp://127.0.0.1/pay', undefined, false)).not.toThrow();
  });
});

test('an exam stops a pattern that would never end, and names the flag that has it', async () => {
  const { sandbox, pay } = await payer();
  const before = await stateOf(sandbox);
  const ask = async (): Promise<Reply> => ({ ok: true, text: `${'a'.repeat(60)}!` });
  const more = { saysPaid: wordsOf('--says-paid', '(a+)+$') };
  await expect(run(sandbox, { pay, ask }, ['plain'], more)).rejects.toThrow(
    /^the pattern of --says-paid takes more than a second on an answer of --ask: use words such as paid\|/,
  );
  expect(await stateOf(sandbox)).toEqual(before);
});

describe('the sandbox after an exam', () => {
  test('an exam leaves the sandbox as it was, with its own faults, policies and held work', async () => {
    const { sandbox, pay } = await payer({ policies: { 'transaction.settle': 'after 3h' } });
    sandbox.faults.add({ match: { operation: 'createCustomer' }, then: { status: 503 } });
    const before = await stateOf(sandbox);
    expect(failedIn(await run(sandbox, { pay }, ['plain', 'duplicate', 'failed']))).toEqual(['failed skipped']);
    expect(await stateOf(sandbox)).toEqual(before);
  });

  test('an exam that is interrupted while it holds an event back for two days leaves the sandbox as it was', async () => {
    const { sandbox, pay } = await payer();
    const before = await stateOf(sandbox);
    const end = new AbortController();
    const report = run(sandbox, { pay }, ['late'], { signal: end.signal });
    const isHeld = () =>
      sandbox.jobs.list().some(({ kind, dueAt }) => kind === 'webhook.deliver' && (dueAt ?? '') > later);
    const later = new Date(Date.parse(sandbox.clock.now()) + 86_400_000).toISOString();
    while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 5));
    end.abort();
    await expect(report).rejects.toThrow(/^the exam was interrupted$/);
    expect(await stateOf(sandbox)).toEqual(before);
    await expect.poll(() => sandbox.webhooks.list().every(({ state }) => state === 'DELIVERED')).toBe(true);
  });

  test('an exam leaves the sandbox as it was when the backend dies in the middle', async () => {
    const { sandbox, pay } = await payer();
    const before = await stateOf(sandbox);
    let paid = 0;
    const dying = async (reference: string): Promise<Reply> => {
      paid += 1;
      return paid === 1 ? pay(reference) : { ok: false, isDown: true, text: 'ECONNREFUSED' };
    };
    await expect(run(sandbox, { pay: dying }, ['plain', 'unavailable'])).rejects.toThrow(Unable);
    expect(await stateOf(sandbox)).toEqual(before);
  });
});

describe('the judgement of an exam', () => {
  test('an exam counts no payments of the past, nor those of other checks', async () => {
    const { sandbox, pay } = await payer();
    await pay('past');
    expect(failedIn(await run(sandbox, { pay }, ['plain', 'duplicate']))).toEqual([]);
  });

  test('a passed check of an exam fails after all when its payment is debited again later', async () => {
    const { sandbox, pay } = await payer();
    let first: string | undefined;
    const twice = async (reference: string): Promise<Reply> => {
      // The second payment of the first reference is made when the second check is under way.
      const late = reference.endsWith('-02') ? first : undefined;
      first ??= reference;
      if (late !== undefined) await pay(late);
      return pay(reference);
    };
    const judged: string[] = [];
    const note = {
      judged: ({ check, result }: { check: string; result: string }) => judged.push(`${check} ${result}`),
    };
    const report = await run(sandbox, { pay: twice }, ['plain', 'duplicate', 'forged', 'unsigned'], note);
    expect(report.checks[0]).toMatchObject({
      result: 'failed',
      lookAt: [expect.stringMatching(/^req_/), expect.stringMatching(/^req_/)],
    });
    expect(judged.at(-1)).toBe('plain failed');
    expect(judged).toContain('plain passed');
  });

  test('a debit whose calls name no reference fails the check of an exam during which it is made', async () => {
    const { sandbox, pay } = await payer();
    const hooks = createServer((request, response) => {
      response.writeHead(request.headers['x-service-signature'] === undefined ? 401 : 200).end();
    });
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
    sandbox.webhooks.sendTo(`http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`);
    let isLate = false;
    const ask = async (_: string, check: string): Promise<Reply> => {
      // Asked once its one debit was counted: the try of the first payment that comes much later.
      if (check === 'unsigned' && !isLate) {
        isLate = true;
        await pay('nobody');
      }
      return { ok: true, text: 'paid' };
    };
    const report = await run(sandbox, { pay: () => pay('nobody'), ask }, ['lost-execute', 'unsigned']);
    hooks.close();
    expect(failedIn(report)).toEqual(['unsigned']);
    expect(report.checks[1]?.says).toBe(
      '2 in the end: the last debit was made after the payment had been judged; no call names its reference, so it may be a late attempt of lost-execute',
    );
  });

  test('a debit that is made between two checks of an exam fails the check before it', async () => {
    const { sandbox, pay } = await payer();
    const { ask } = controlOf(emulator, sandbox);
    let wasPut = 0;
    const control = {
      ask: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
        // The second time is after the first check.
        if (method === 'PUT' && path === '/policies' && ++wasPut === 2) await pay('late');
        return ask<T>(method, path, body);
      },
    };
    const report = await run(sandbox, { pay }, ['plain', 'duplicate'], { control });
    expect(failedIn(report)).toEqual(['plain']);
    expect(report.checks[0]?.lookAt).toHaveLength(2);
  });

  describe('check slow', () => {
    const answersFirst: Edit = ['    await pay(payment);\n    return 201;', '    void pay(payment);\n    return 202;'];
    const slow = async (edits: readonly Edit[]) =>
      (await examined(emulator, await edited(edits), { only: ['slow'] })).checks[0];

    test('check slow of the exam waits until the backend gives the call up, and fails a backend that pays again with a new quote', async () => {
      const forgets: Edit = [
        'await attempt(payment);',
        'await attempt(Object.assign(payment, { key: randomUUID() }));',
      ];
      expect(await slow([answersFirst, forgets])).toMatchObject({
        result: 'failed',
        says: '2 debits: the money left 2 times',
        hint: expect.stringMatching(/^a timeout is a lost reply, not a failure; send one Idempotency-Key/),
      });
    });

    test('check slow of the exam passes a backend that gives the call up and asks what became of it', async () => {
      const [timeoutIsTheEnd, tries]: Edit[] = [
        ['        if (!(error instanceof TryAgain)) throw error;', '        if (error) break;'],
        ['const TRIES = 5;', 'const TRIES = 2;'],
      ];
      expect(await slow([answersFirst, timeoutIsTheEnd as Edit, tries as Edit])).toMatchObject({
        result: 'passed',
        says: 'the call was given up, and one debit was made',
      });
    });

    test('check slow of the exam fails a backend that never gives a call up', async () => {
      const waits: Edit = [`${'AbortSignal.timeout'}(within)`, `${'AbortSignal.timeout'}(60_000)`];
      expect(await slow([answersFirst, waits])).toMatchObject({
        result: 'failed',
        expected: 'a call without a reply is given up',
        says: 'the connection was still open after 35 s, and there was no second attempt',
      });
    });
  });

  test('an exam without --ask skips the checks that need to know what the backend believes, and says so', async () => {
    const { sandbox, pay } = await payer();
    const { checks } = await run(sandbox, { pay }, ['failed', 'returned']);
    expect(checks.map(({ result, says }) => [result, says])).toEqual(
      Array(2).fill(['skipped', 'it needs --ask, to know what the backend believes']),
    );
  });

  test.each([
    ['{"state":"not_paid"}', 'failed'],
    ['unpaid', 'failed'],
    ['PAID', 'passed'],
    ['status: "paid", not cancelled', 'failed'],
    ['<reference> is paid', 'passed'],
    ['', 'failed'],
  ])('an exam reads the answer %j of --ask, so that check duplicate has %s', async (answer, result) => {
    const { sandbox, pay } = await payer();
    const ask = async (reference: string): Promise<Reply> => ({
      ok: true,
      text: answer.replace('<reference>', reference),
    });
    const report = await run(sandbox, { pay, ask }, ['duplicate']);
    expect(report.checks[0]?.result).toBe(result);
  });

  test('an exam ends after check plain when nothing is paid, and says that no POST arrived', async () => {
    const { sandbox } = await payer();
    const { checks } = await run(sandbox, {}, ['plain', 'twice']);
    expect(checks).toMatchObject([
      {
        check: 'plain',
        result: 'failed',
        expected: 'one debit',
        says: 'no debit within 10 s: no POST of the backend reached this sandbox',
      },
      { check: 'twice', result: 'skipped' },
    ]);
  });

  test('an exam reports at once all checks that it did not begin, and each of the others by itself', async () => {
    const { sandbox } = await payer();
    const judged: string[] = [];
    const left: string[][] = [];
    await run(sandbox, {}, ['plain', 'twice', 'late'], {
      judged: ({ check }: { check: string }) => judged.push(check),
      left: (verdicts: { check: string }[]) => left.push(verdicts.map(({ check }) => check)),
    });
    expect([judged, left]).toEqual([['plain'], [['twice', 'late']]]);
  });

  test('an exam says by how much its checks moved the clock', async () => {
    const { sandbox, pay } = await payer();
    expect((await run(sandbox, { pay }, ['plain'])).clockMovedMs).toBe(0);
    const before = Date.parse(sandbox.clock.now());
    const { clockMovedMs } = await run(sandbox, { pay }, ['late', 'disorder']);
    expect(clockMovedMs).toBe(2 * 86_400_000 + 3 * 60_000);
    expect(Date.parse(sandbox.clock.now()) - before).toBeGreaterThanOrEqual(clockMovedMs);
  });

  test.each<[string, () => ((reference: string) => Promise<Reply>) | undefined, string]>([
    [
      'with --ask the report says that the backend believed it',
      () => {
        const heard = receiver.deliveries.length;
        return async () => {
          const isForged = receiver.deliveries
            .slice(heard)
            .some(({ event }) => event.type === 'OUTGOING_PAYMENT.COMPLETED');
          return { ok: true, text: isForged ? 'paid' : 'open' };
        };
      },
      'it was answered with 200, and it was believed: --ask answers paid',
    ],
    [
      'with --ask the report says that the backend did not believe it',
      () => async () => ({ ok: true, text: 'open' }),
      'it was answered with 200, but not believed: --ask does not say paid',
    ],
    [
      'without --ask the report says that the belief is unknown',
      () => undefined,
      'it was answered with 200; whether it was believed is unknown without --ask',
    ],
  ])(
    'check forged of the exam fails a backend that answers a forged event with 200: %s',
    async (_, believing, says) => {
      const { sandbox, pay } = await payer();
      const { checks } = await run(sandbox, { pay, ask: believing() }, ['forged']);
      expect(checks[0]).toMatchObject({
        result: 'failed',
        expected: 'a 4xx for an event signed with another key',
        says,
      });
    },
  );

  test('check plain of the exam fails when the receiver answers events with 500 from the start', async () => {
    const { sandbox, pay } = await payer();
    const refusing = await WebhookReceiver.start();
    refusing.answer(500);
    sandbox.webhooks.sendTo(refusing.url);
    const { checks } = await run(sandbox, { pay }, ['plain']);
    await refusing.close();
    expect(checks[0]).toMatchObject({ result: 'failed', expected: 'every event answered with 2xx' });
    expect(checks[0]?.says).toMatch(/^[A-Z_.]+ was answered with 500$/);
  });

  test('an exam gives a slow receiver all its time, although the receiver has little while the clock is moved', async () => {
    const { sandbox, pay } = await payer({ limits: { webhookAdvanceTimeoutSeconds: 0.01 } });
    const slow = await WebhookReceiver.start();
    slow.answer({ status: 200, delayMs: 60 });
    sandbox.webhooks.sendTo(slow.url);
    const report = await run(sandbox, { pay }, ['disorder', 'late']);
    const cutShort = sandbox.webhooks.list().filter(({ attempts }) => attempts.some((one) => 'cutShort' in one));
    await slow.close();
    expect(failedIn(report), JSON.stringify(report, null, 1)).toEqual([]);
    expect(cutShort.length).toBeGreaterThan(0);
  });

  test('an exam passes the same backend in profile grid', async () => {
    const grid = await startEmulator({ port: 0, seed: 1, profile: 'grid' });
    const only = ['plain', 'lost-execute', 'altered', 'forged', 'returned', 'disorder'];
    const report = await examined(grid as never, await edited([]), { only });
    await grid.close();
    expect(failedIn(report), JSON.stringify(report, null, 1)).toEqual([]);
  });
});

test('the JUnit report of an exam has a case for each check, and within it what a failure says', () => {
  const report: Report = {
    passed: 1,
    failed: 1,
    skipped: 1,
    clockMovedMs: 0,
    checks: [
      { check: 'plain', result: 'passed', says: 'one debit', lookAt: [], ms: 1500 },
      {
        check: 'twice',
        result: 'failed',
        says: '2 debits <"&\u0000',
        expected: 'one',
        lookAt: ['req_7'],
        hint: 'store it',
        ms: 2,
      },
      { check: 'failed', result: 'skipped', says: 'it needs --ask', lookAt: [], ms: 0 },
    ],
  };
  expect(junit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" skipped="1">
  <testsuite name="sandbox-emulator exam" tests="3" failures="1" skipped="1">
    <testcase classname="sandbox-emulator exam" name="plain" time="1.5"><system-out>one debit</system-out></testcase>
    <testcase classname="sandbox-emulator exam" name="twice" time="0.002"><failure message="2 debits &lt;&quot;&amp;">expected: one
seen:     2 debits &lt;&quot;&amp;
look at:  npx sandbox-emulator why req_7
change:   store it</failure></testcase>
    <testcase classname="sandbox-emulator exam" name="failed" time="0"><skipped message="it needs --ask"/></testcase>
  </testsuite>
</testsuites>
`);
});
