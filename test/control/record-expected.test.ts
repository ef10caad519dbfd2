import { expect, test } from 'vitest';
import { fundingInstructions } from '../../src/areas/accounts/index.ts';
import { generatedUma } from '../../src/areas/customers/uma.ts';
import { expected } from '../../src/calls/record/expected.ts';
import { Names, type TemplatedNode } from '../../src/calls/record/template.ts';
import { jsonIn } from '../../src/contract/json.ts';
import { CURRENCIES } from '../../src/contract/money.ts';
import { maskAnswered } from '../../src/sandbox/mask.ts';
import type { Entry } from '../../src/sandbox/request-log.ts';
import { effort } from '../kit/effort.ts';
import { fullLife } from '../kit/full-life.ts';
import { kit } from '../kit/sandbox.ts';

const expectedOf = (reply: unknown, masked = reply) => expected(reply, masked, new Names());

/** Where a reply is not what another one made a recording expect: the places, with both values. */
function unlike(node: TemplatedNode | undefined, reply: unknown, at = ''): string[] {
  if (node === undefined) return [];
  if ('members' in node)
    return node.members.flatMap(([name, one]) => unlike(one, Reflect.get(Object(reply), name), `${at}.${name}`));
  if ('list' in node) {
    const list = Array.isArray(reply) ? reply : [];
    const lengths = list.length === node.list.length ? [] : [`${at}: ${node.list.length} | ${list.length}`];
    return [...lengths, ...node.list.flatMap((one, i) => unlike(one, list[i], `${at}[${i}]`))];
  }
  const value = 'plain' in node ? node.plain : node.text.join('');
  return value === reply ? [] : [`${at}: ${value} | ${reply}`];
}

/** The same calls in a sandbox of another seed. */
async function life(seed: number): Promise<Entry[]> {
  const it = await fullLife('spec', seed);
  return [...it.sandbox.requestLog.newest()].reverse();
}

test('every value that a recording expects is in the reply under another seed, too', async () => {
  const lives: Entry[][] = [];
  for (let seed = 1; seed <= effort(2, 30); seed += 1) lives.push(await life(seed));
  const found = lives.flatMap((one, i) => {
    const other = lives[(i + 1) % lives.length] as Entry[];
    expect(one.map(({ operation }) => operation)).toEqual(other.map(({ operation }) => operation));
    return one.flatMap((entry, j) => {
      const kept = expectedOf(jsonIn(entry.reply), jsonIn(maskAnswered(entry)));
      return unlike(kept, jsonIn((other[j] as Entry).reply), entry.operation);
    });
  });
  expect([...new Set(found)]).toEqual([]);
});

test.each([...CURRENCIES.keys()])(
  'a recording expects nothing of funding instructions in %s that differs between accounts',
  (currency) => {
    const texts = (i: number) =>
      JSON.stringify(expectedOf(fundingInstructions({ id: `InternalAccount:${i}`, currency })));
    expect([...new Set(Array.from({ length: effort(100, 10_000) }, (_, i) => texts(i)))]).toHaveLength(1);
  },
);

test('a recording never expects a generated UMA address, an invitation code or a generated platform id', async () => {
  const { world } = (await kit()).sandbox;
  for (let i = 0; i < effort(1000, 100_000); i += 1) {
    const drawn = { umaAddress: generatedUma(world), code: world.ids.hex(4), platformCustomerId: world.ids.hex(8) };
    expect([drawn, expectedOf(drawn)]).toEqual([drawn, undefined]);
  }
});

test('a recording expects the last digits of a card only when the platform chose the platformCardId that they follow from', () => {
  const card = (platformCardId: string) => expectedOf({ platformCardId, last4: '0042' });
  expect(card('9f86d081884c7d65')).toBeUndefined();
  expect(card('team-42')).toEqual({
    members: [
      ['platformCardId', { text: ['team-42'] }],
      ['last4', { text: ['0042'] }],
    ],
  });
});

test('a recording names the seed of generated customers, and that seed gives the same names', async () => {
  const scenario = { generate: { customers: 5 } };
  const names = async (it: Awaited<ReturnType<typeof kit>>): Promise<string[]> =>
    (await it.get('/customers')).body.data.map(({ fullName }: { fullName: string }) => fullName);
  const first = await kit({ scenario, seed: undefined });
  const people = await names(first);
  const [entry] = [...first.sandbox.requestLog.newest()];
  const { text } = await first.control('POST', '/record', { requests: [entry?.id], as: 'vitest' });
  const [, seed] = /seed: "([^"]+)"/.exec(text) ?? [];
  expect(await names(await kit({ scenario, seed }))).toEqual(people);
});
