import type { Random } from './random.ts';

const ID = /^([A-Z][A-Za-z]+):[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** Values that are remembered per member name or type of id. */
const MOST = 40;
/** Members whose values are wanted again: whoever sends one has read it before. */
const WANTED = new Set([
  ...['umaAddress', 'platformCustomerId', 'currency', 'code', 'lookupId', 'requestId', 'payloadToSign', 'nextCursor'],
  ...['messageToSign', 'clientId', 'jobId', 'email', 'phoneNumber', 'kycUrl', 'termsVersion', 'name', 'id'],
  ...['accessToken', 'challengeId', 'credentialId', 'resetId', 'secret', 'platformCardId'],
]);

/** What a client has read so far, to be sent again: ids by type, and values by the name of their member. */
export class Memory {
  readonly #ids = new Map<string, string[]>();
  readonly #named = new Map<string, string[]>();
  /** Accounts by currency and owner, so that a payment can be planned that may succeed. */
  readonly accounts = new Map<string, { id: string; currency: string; customerId: string | undefined; type: string }>();

  /** Take in everything that a reply shows. */
  learn(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > 6) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.learn(item, depth + 1);
      return;
    }
    this.#learnAccount(value as Record<string, unknown>);
    this.#learnStage(value as Record<string, unknown>);
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string') this.#text(name, member);
      else this.learn(member, depth + 1);
    }
  }

  /** An id of a type that was seen; a late one is likelier than an early one. */
  id(random: Random, type: string): string | undefined {
    return pick(random, this.#ids.get(type));
  }

  /** A value that a member of this name had. */
  named(random: Random, name: string): string | undefined {
    return pick(random, this.#named.get(name));
  }

  /** Any id at all. */
  anyId(random: Random): string | undefined {
    return this.id(random, random.of([...this.#ids.keys(), 'Customer']));
  }

  /** An account of a kind. */
  account(random: Random, type: 'Internal' | 'External', currency?: string, customerId?: string) {
    const fit = [...this.accounts.values()].filter(
      (account) =>
        account.id.startsWith(type) &&
        (currency === undefined || account.currency === currency) &&
        (customerId === undefined || account.customerId === customerId),
    );
    return fit.length === 0 ? undefined : random.of(fit);
  }

  /** Put a value where requests will find it. */
  keep(name: string, value: string): void {
    push(this.#named, name, value);
  }

  #text(name: string, text: string): void {
    if (text.length > 300 && name !== 'payloadToSign') return;
    const [, type] = ID.exec(text) ?? [];
    if (type) push(this.#ids, type, text);
    if (WANTED.has(name)) push(this.#named, name, text);
  }

  /** Resources that wait for a certain next call, under names of their own. */
  #learnStage({ id, status, source, accountId, lookupId, receiverUmaAddress }: Record<string, unknown>): void {
    if (typeof lookupId === 'string') this.keep(`lookup of ${receiverUmaAddress}`, lookupId);
    if (typeof id !== 'string') return;
    if (id.startsWith('AuthMethod:') && typeof accountId === 'string') this.keep('wallet', accountId);
    if (status === 'PENDING' && /^Transaction:/.test(id)) this.keep('pending', id);
    if (status === 'PENDING_OWNERSHIP_VERIFICATION') this.keep('unproven', id);
    if (!id.startsWith('Quote:') || status !== 'PENDING') return;
    const pushed = (source as { sourceType?: string } | undefined)?.sourceType === 'REALTIME_FUNDING';
    this.keep(pushed ? 'pushed' : 'executable', id);
  }

  #learnAccount(row: Record<string, unknown>): void {
    const { id, currency, balance, customerId, type, accountInfo } = row as Record<string, never>;
    if (typeof id !== 'string' || !/^(?:In|Ex)ternalAccount:/.test(id)) return;
    const held = (balance as { currency?: { code?: string } } | undefined)?.currency?.code;
    const kind = String(type ?? (accountInfo as { accountType?: string } | undefined)?.accountType ?? '');
    this.accounts.set(id, { id, currency: String(currency ?? held), customerId, type: kind });
    if (this.accounts.size > 200) this.accounts.delete(this.accounts.keys().next().value as string);
  }
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  if (list.includes(value)) return;
  list.push(value);
  if (list.length > MOST) list.shift();
}

function pick(random: Random, list: readonly string[] | undefined): string | undefined {
  if (!list || list.length === 0) return undefined;
  return random.once(0.5) ? list[list.length - 1 - random.below(Math.min(4, list.length))] : random.of(list);
}
