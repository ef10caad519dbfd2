import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../kit/effort.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** Enough rows to be filled in slices, between which other work is done. */
const MANY = { generate: { customers: 400, transactions: 400, days: 30 } };
const TEST = { id: 'test', secret: 'secret' };

interface File {
  credentials?: { id: string; secret: string }[];
  generate?: object;
}

const id = fc.constantFrom('a', 'b', 'sandbox-1');
const secret = fc.constantFrom('s', 't');
const isMany = fc.boolean();
const login = fc.record({ id, secret });

const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), id: fc.option(id, { nil: undefined }), secret, isMany }),
  fc.record({ does: fc.constant('call' as const), id, secret }),
  fc.record({ does: fc.constant('fork' as const), id }),
  fc.record({ does: fc.constant('drop' as const), id }),
  fc.record({ does: fc.constant('reset' as const), id }),
  fc.record({
    does: fc.constant('reload' as const),
    logins: fc.uniqueArray(login, { maxLength: 2, selector: (one) => one.id }),
    isMany,
  }),
  fc.record({ does: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 8 }) }),
  fc.constant({ does: 'rest' as const }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A process, its scenario, and the ids of sandboxes that were created or dropped, once for each time. */
interface Stage {
  readonly it: Kit;
  readonly file: File;
  readonly created: string[];
  readonly dropped: string[];
}

/** Begins a step; its status in the end, or an error that it should not have. */
async function begun({ it, file, created, dropped }: Stage, one: Step): Promise<unknown> {
  if (one.does === 'create' || one.does === 'fork') {
    const [path, body] =
      one.does === 'fork'
        ? ['/sandboxes/test/fork', { name: one.id }]
        : ['/sandboxes', { id: one.id, secret: one.secret, scenario: one.isMany ? MANY : {} }];
    const { status, body: made } = await it.control('POST', path, body);
    if (status === 200) created.push(made.id);
    return status;
  }
  if (one.does === 'call') {
    const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada' };
    return (await it.overlapping('POST', '/customers', ada, { as: `${one.id}:${one.secret}` })).status;
  }
  if (one.does === 'drop') dropped.push(one.id);
  if (one.does === 'drop') return (await it.control('DELETE', `/sandboxes/${one.id}`)).status;
  if (one.does === 'reset') return (await it.control('POST', `/reset?sandbox=${one.id}`)).status;
  if (one.does !== 'reload') return 200;
  file.credentials = [TEST, ...one.logins];
  if (one.isMany) file.generate = MANY.generate;
  else delete file.generate;
  return it.host.reload().then(
    () => 200,
    // Refused because of a created sandbox, or because a later life has begun.
    (error: Error) => (/was created|was (?:reset|started over)/.test(error.message) ? 409 : error),
  );
}

test('client ids lead to one sandbox each, whatever begins while sandboxes are created, read again and dropped', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const file: File = {};
      const it = await kit({ scenario: file });
      const stage: Stage = { it, file, created: [], dropped: [] };
      const doing: Promise<unknown>[] = [];
      for (const one of steps) {
        if (one.does === 'rest') await Promise.all(doing);
        else if (one.does !== 'turns') doing.push(begun(stage, one));
        else for (let n = 0; n < one.count; n += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      const broken = (status: unknown): boolean => typeof status !== 'number' || status >= 500;
      expect((await Promise.all(doing)).filter(broken)).toEqual([]);
      const sandboxes = [...it.host.sandboxes];
      expect(new Set(sandboxes.map((sandbox) => sandbox.id)).size).toBe(sandboxes.length);
      for (const sandbox of sandboxes) {
        expect(it.host.find(sandbox.id)).toBe(sandbox);
        for (const { tokenId, secret } of sandbox.credentials) {
          expect(it.host.find(tokenId)).toBe(sandbox);
          expect((await it.host.authenticate(tokenId, secret ?? 'any')).sandbox).toBe(sandbox);
          if (secret !== undefined)
            await expect((async () => it.host.authenticate(tokenId, 'wrong'))()).rejects.toThrow('wrong client secret');
        }
      }
      const logins = it.sandbox.credentials.map(({ tokenId }) => tokenId);
      for (const name of ['a', 'b', 'sandbox-1', 'sandbox-2']) {
        const found = it.host.find(name);
        expect([undefined, ...sandboxes]).toContain(found);
        expect(found === it.sandbox).toBe(logins.includes(name));
        const times = stage.created.filter((one) => one === name).length;
        if (times > 0 && !stage.dropped.includes(name)) expect([name, times, found?.id]).toEqual([name, 1, name]);
      }
      it.host.close();
    }),
    { numRuns: effort(40, 400) },
  );
});
