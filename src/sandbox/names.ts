import { isRevoked, tokenLogin } from '../areas/tokens/index.ts';
import type { ApiLogin, Sandbox } from './sandbox.ts';

/** The sandbox of a client id. Without a credential, the id belongs to an API token, which the sandbox's world knows. */
export interface Lead {
  readonly sandbox: Sandbox;
  readonly credential?: ApiLogin;
}

/** Something under way that will decide where a client id leads. */
interface Pending {
  readonly by: 'creation' | 'first call' | 'reload';
  /** Resolves when it is over, whether it succeeded or not. */
  readonly over: Promise<unknown>;
}

/** The form of API tokens' client ids. */
const ISSUED = /^[0-9a-f]{32}$/;

/**
 * The client ids of a process, and the sandbox to which each leads. A sandbox's own id is one of them. Callers wait
 * while something under way decides about an id. Nothing else keeps ids, so none leads to two sandboxes.
 */
export class Names {
  readonly #sandboxes = new Set<Sandbox>();
  readonly #leads = new Map<string, Lead>();
  readonly #pending = new Map<string, Pending>();

  get sandboxes(): ReadonlySet<Sandbox> {
    return this.#sandboxes;
  }

  /** Returns where a client id leads now. A token may have been removed from the sandbox that had it. */
  lead(id: string): Lead | undefined {
    const known = this.#leads.get(id);
    const stands = known && (known.credential ?? tokenLogin(known.sandbox.world, id));
    return stands ? known : (this.#issued(id) ?? known);
  }

  /** Returns the sandbox of exactly this name; a login or a token of it has another one. */
  sandbox(id: string): Sandbox | undefined {
    const sandbox = this.#leads.get(id)?.sandbox;
    return sandbox?.id === id ? sandbox : undefined;
  }

  /**
   * Returns a promise of the moment when something under way has decided about a client id; it never rejects. A login
   * that a reload keeps is there all the time.
   */
  pending(id: string): Promise<unknown> | undefined {
    const pending = this.#pending.get(id);
    const isKept = pending?.by === 'reload' && this.#leads.get(id)?.credential && !this.sandbox(id);
    return isKept ? undefined : pending?.over;
  }

  /** Returns whether a client id leads anywhere, or is about to: no new sandbox can have it. */
  isTaken(id: string): boolean {
    return this.#pending.has(id) || this.lead(id) !== undefined;
  }

  /** Returns whether a client id leads somewhere by another right than that of a token made through the API. */
  isGiven(id: string): boolean {
    return this.#pending.has(id) || this.#leads.get(id)?.credential !== undefined || this.sandbox(id) !== undefined;
  }

  /** Returns whether a sandbox of this name was created, or is being created; a mere login does not create one. */
  isCreated(id: string): boolean {
    return this.#pending.get(id)?.by === 'creation' || this.sandbox(id)?.options.owned === true;
  }

  /**
   * Keeps client ids for something under way: no sandbox gets them, and their callers wait until it is over. It is
   * returned, and may reject.
   */
  async during<T>(ids: readonly string[], by: Pending['by'], doing: Promise<T>): Promise<T> {
    const pending: Pending = { by, over: doing.catch(() => {}) };
    for (const id of ids) this.#pending.set(id, pending);
    try {
      return await doing;
    } finally {
      // A reload takes over the id of a first call that is under way.
      for (const id of ids) if (this.#pending.get(id) === pending) this.#pending.delete(id);
    }
  }

  /**
   * Lets the ids of a sandbox's new life lead to it: its own, its credentials, and the tokens that its life before has
   * issued (most are refused now). Those of credentials that it no longer has lead nowhere. Returns the sandboxes whose
   * name is now a login of this one.
   */
  give(sandbox: Sandbox, ended: { credentials: readonly ApiLogin[]; issued: readonly string[] }): Sandbox[] {
    this.#sandboxes.add(sandbox);
    for (const { tokenId } of ended.credentials)
      if (this.#leads.get(tokenId)?.sandbox === sandbox) this.#leads.delete(tokenId);
    for (const id of [sandbox.id, ...ended.issued]) if (!this.#leads.has(id)) this.#leads.set(id, { sandbox });
    const displaced = sandbox.credentials.flatMap(({ tokenId }) => this.sandbox(tokenId) ?? []);
    for (const credential of sandbox.credentials) this.#leads.set(credential.tokenId, { sandbox, credential });
    return displaced.filter((other) => other !== sandbox);
  }

  /** Forgets a sandbox with all ids that lead to it. */
  remove(sandbox: Sandbox): void {
    this.#sandboxes.delete(sandbox);
    for (const [id, lead] of this.#leads) if (lead.sandbox === sandbox) this.#leads.delete(id);
  }

  /**
   * Returns the sandbox that issued or deleted a client id which has never logged in. It scans every sandbox, so only
   * for an id of the right form.
   */
  #issued(id: string): Lead | undefined {
    if (!ISSUED.test(id)) return undefined;
    const all = [...this.#sandboxes];
    // A restored state may bring the mark of a deleted token to a second sandbox.
    const sandbox = all.find(({ world }) => tokenLogin(world, id)) ?? all.find(({ world }) => isRevoked(world, id));
    if (!sandbox) return undefined;
    const found = { sandbox };
    this.#leads.set(id, found);
    return found;
  }
}
