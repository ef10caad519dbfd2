import { afterEach, describe, expect, test, vi } from 'vitest';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { fail } from '../../src/contract/errors.ts';
import type { Operation, OperationContext, Reply } from '../../src/declare/operation.ts';
import { wrongRefusal } from './checks.ts';
import { hostile } from './run.ts';

/** One operation with a defect, for a run of a few hundred inputs. */
function plant(id: string, defect: (ask: OperationContext, sound: () => Reply) => Reply): void {
  const operation = OPERATIONS.find((one) => one.id === id) as { write: NonNullable<Operation['write']> };
  const door = 'read' in operation ? ('read' as 'write') : 'write';
  const sound = operation[door];
  vi.spyOn(operation, door).mockImplementation((ask, ...more) => defect(ask, () => sound(ask, ...more)));
}

const found = async () => {
  const report = await hostile({ inputs: 500, seed: 1, timings: false });
  return [...report.findings.values()];
};

afterEach(() => vi.restoreAllMocks());

describe('planted defects', () => {
  test('the hostile run finds a planted handler that throws', async () => {
    plant('listCustomers', () => {
      throw new TypeError('planted');
    });
    const findings = await found();
    expect(findings.map(({ seen }) => seen).join()).toContain('TypeError: planted');
    expect(findings.find(({ expected }) => expected === 'any status but 500')).toMatchObject({
      target: 'listCustomers',
      request: expect.stringMatching(/^curl .*\/customers/),
    });
  });

  test('the hostile run finds a planted refusal that writes', async () => {
    plant('createTransferOut', ({ world }) => {
      // Settings are not rows: a transaction does not take them back.
      world.settings = { ...world.settings, limits: { ...world.settings.limits, planted: Math.random() } };
      return fail('CONFLICT', 'planted');
    });
    const findings = await found();
    expect(findings).toContainEqual(
      expect.objectContaining({ target: 'createTransferOut', seen: expect.stringContaining('the settings changed') }),
    );
  });

  test('the hostile run finds a planted read that writes', async () => {
    plant('listCustomers', ({ world }, sound) => {
      const customer = world.rows(CUSTOMERS).first();
      if (customer) world.rows(CUSTOMERS).put({ ...customer });
      return sound();
    });
    const findings = await found();
    expect(findings).toContainEqual(
      expect.objectContaining({ target: 'listCustomers', seen: expect.stringContaining('of customers changed') }),
    );
  });

  test('the hostile run finds a planted refusal with an undeclared code', async () => {
    plant('listTransactions', () => fail('CARD_ALREADY_CLOSED', 'planted'));
    expect((await found()).map(({ seen }) => seen).join()).toContain('CARD_ALREADY_CLOSED');
  });

  test('the hostile run finds a planted operation that never succeeds (X14)', async () => {
    plant('confirmBeneficiaryUntrust', () => fail('INVALID_INPUT', 'planted'));
    const report = await hostile({ inputs: 0, seed: 1, timings: false });
    expect(report.never()).toEqual(['confirmBeneficiaryUntrust']);
    expect(report.told()).toContain('confirmBeneficiaryUntrust: 400');
  });
});

test('an input of the hostile run is the same when it is replayed alone', async () => {
  // Not in what is done before the inputs: that has a number of its own.
  plant('createInvitation', ({ body }, sound) => {
    if ((body as { firstName: string }).firstName === 'Joe') return sound();
    throw new TypeError('planted');
  });
  const [first] = await found();
  const report = await hostile({ inputs: 0, seed: 1, timings: false, only: first?.input });
  expect([...report.findings.values()][0]).toMatchObject({ input: first?.input, request: first?.request });
});

test.each([
  [{ status: 400, code: 'CONFLICT', message: 'x' }, 'a code whose status is 400'],
  [{ status: 409, code: 'INVALID_INPUT', message: 'x' }, 'status 400 in the error body'],
  [{ status: 400, code: 'INVALID_INPUT' }, 'a message'],
  [{ status: 400, code: 'INVALID_INPUT', message: 'x', stack: 'y' }, 'no member stack'],
  ['x', 'an error body'],
])('the hostile run finds an error body such as %j', (json, expected) => {
  expect(wrongRefusal({ status: 400, json, text: JSON.stringify(json) })).toContain(expected);
  expect(wrongRefusal({ status: 400, json: { status: 400, code: 'INVALID_INPUT', message: 'x' }, text: '' })).toBe(
    undefined,
  );
});
