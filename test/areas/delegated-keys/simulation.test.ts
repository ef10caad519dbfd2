import { expect, test } from 'vitest';
import { chance } from '../../kit/chance.ts';
import { effort } from '../../kit/effort.ts';
import type { Answer } from '../../kit/sandbox.ts';
import type { ClientKey } from '../../kit/wallet.ts';
import { keyKit } from './material.ts';

/*
 * Flows of several cards and sessions, in any order. SIMULATION_SEED: another history.
 */
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const [HISTORIES, STEPS] = [effort(3, 20), effort(80, 150)];

/** A challenge as the owner holds it. */
interface Open {
  cardId: string;
  leg: 1 | 2;
  answer: Answer;
  /** Who signed the challenge before. */
  by?: ClientKey;
}

class History {
  readonly it: Awaited<ReturnType<typeof keyKit>>;
  readonly random: ReturnType<typeof chance>;
  readonly cards: string[];
  /** Sessions that are active. */
  sessions: { key: ClientKey; id: string; until: number }[];
  open: Open[] = [];
  /** The active key of each card. */
  active = new Map<string, string>();
  readonly seen = new Set<string>();

  constructor(it: History['it'], cards: string[], random: History['random']) {
    this.it = it;
    this.cards = cards;
    this.random = random;
    this.sessions = [{ key: it.key, id: it.session.id, until: it.now() + 900_000 }];
  }

  async step(): Promise<void> {
    const { it, random, sessions, open } = this;
    const what = random.of([
      'first',
      'first',
      'sign',
      'sign',
      'sign',
      'sign',
      'revoke',
      'spend',
      'login',
      'logout',
      'clock',
    ]);
    const cardId = random.of(this.cards);
    if (what === 'first') {
      const answer = await it.leg(undefined, it.key, { cardId });
      expect(answer.status).toBe(this.active.has(cardId) ? 409 : 202);
      if (answer.status === 202) open.push({ cardId, leg: 1, answer });
    } else if (what === 'sign' && open.length > 0 && sessions.length > 0) await this.sign();
    else if (what === 'revoke' && this.active.size > 0) {
      const [card, key] = random.of([...this.active]);
      expect((await it.del(`/auth/delegated-keys/${key}`)).status).toBe(204);
      expect((await it.del(`/auth/delegated-keys/${key}`)).status).toBe(400);
      this.active.delete(card);
    } else if (what === 'spend') expect(await it.spend(100, cardId)).toBe(this.active.has(cardId));
    else if (what === 'login') {
      const { key, session } = await it.login();
      sessions.push({ key, id: session.id, until: it.now() + 900_000 });
    } else if (what === 'logout' && sessions.length > 1) {
      const gone = sessions.splice(random.below(sessions.length), 1)[0];
      if (gone) expect((await it.sign(gone.key, 'DELETE', `/auth/sessions/${gone.id}`)).status).toBe(204);
    } else if (what === 'clock') {
      await it.advance(random.of(['PT10S', 'PT2M', 'PT6M']));
      this.sessions = sessions.filter(({ until }) => until > it.now());
    }
  }

  /** Some session signs some challenge. */
  async sign(): Promise<void> {
    const { it, random, open } = this;
    const at = random.below(open.length);
    const { cardId, leg, answer, by } = open[at] as Open;
    const { key } = random.of(this.sessions);
    const signed = await it.leg(answer, key, { cardId });
    const isLate = Date.parse(answer.body.expiresAt) <= it.now();
    const isOther = by !== undefined && by.compressed !== key.compressed;
    const right = isLate ? 401 : this.active.has(cardId) ? 409 : isOther ? 401 : leg === 1 ? 202 : 201;
    expect(signed.status, signed.text).toBe(right);
    this.seen.add(`leg ${leg + 1} ${right}`);
    if (isLate || right < 400) open.splice(at, 1);
    if (right === 202) open.push({ cardId, leg: 2, answer: signed, by: key });
    if (right === 201) this.active.set(cardId, signed.body.id);
  }

  /** At most one key of a funding source is ACTIVE, and it is the one that was granted and not revoked. */
  async check(): Promise<void> {
    const found = new Map<string, string>();
    for (const { status, cardId, id } of await this.it.keys()) {
      this.seen.add(status);
      if (status !== 'ACTIVE') continue;
      expect(found.has(cardId)).toBe(false);
      found.set(cardId, id);
    }
    expect(found).toEqual(this.active);
  }
}

test('random flows of several cards and sessions leave at most one active key per card, and a card spends only with it', async () => {
  const seen = new Set<string>();
  for (let history = 0; history < HISTORIES; history += 1) {
    const it = await keyKit();
    const cards = [it.card.id, (await it.issue()).id];
    const one = new History(it, cards, chance(SEED * 1000 + history));
    for (let step = 0; step < STEPS; step += 1) {
      await one.step();
      await one.check();
    }
    for (const what of one.seen) seen.add(what);
  }
  expect([...seen].sort()).toEqual(
    [
      'ACTIVE',
      'PENDING',
      'REVOKED',
      'leg 2 202',
      'leg 2 401',
      'leg 2 409',
      'leg 3 201',
      'leg 3 401',
      'leg 3 409',
    ].sort(),
  );
});
