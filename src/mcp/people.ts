import type { CardPayment, SoftwareAuthenticator, WalletClient } from '../testkit/index.ts';

/** The sender of the calls that somebody makes: set anew for each act, since a call of a tool may be given up. */
export interface Line {
  call: (
    url: string,
    init: { method: string; headers: { [name: string]: string }; body?: string },
  ) => Promise<{ status: number; text: string }>;
  /** The virtual moment of the act. */
  now: string;
}

/** The things that people of one sandbox hold: keys, devices, and what a card paid last. */
export interface Held {
  readonly line: Line;
  /** By the account of the wallet. */
  readonly wallets: Map<string, WalletClient>;
  /** Passkeys of wallets, by the account. */
  readonly passkeys: Map<string, SoftwareAuthenticator>;
  /** Passkeys of strong customer authentication, by the customer. */
  readonly phones: Map<string, SoftwareAuthenticator>;
  /** Addresses of the codes that an app shows, by the customer. */
  readonly apps: Map<string, string>;
  /** Identities at a provider, by the credential that was added with one. */
  readonly identities: Map<string, { iss?: string; sub?: string; aud?: string }>;
  /** By the card. */
  readonly payments: Map<string, CardPayment>;
}

/** Sandboxes whose people are kept; those of the sandbox that was played in longest ago are forgotten first. */
const MOST = 200;

const NOBODY = (): Promise<never> => Promise.reject(new Error('nobody is played'));

/** The people that agents have played, by sandbox: kept as long as the process, and no part of any state. */
export class People {
  readonly #of = new Map<string, Held>();

  /** Returns what the people of a sandbox hold. */
  of(sandbox: string): Held {
    const held: Held = this.#of.get(sandbox) ?? {
      line: { call: NOBODY, now: '' },
      wallets: new Map(),
      passkeys: new Map(),
      phones: new Map(),
      apps: new Map(),
      identities: new Map(),
      payments: new Map(),
    };
    this.#of.delete(sandbox);
    this.#of.set(sandbox, held);
    const [oldest] = this.#of.keys();
    if (this.#of.size > MOST && oldest !== undefined) this.#of.delete(oldest);
    return held;
  }
}

const kept = new WeakMap<object, People>();

/** Returns the people of what serves sandboxes: requests over HTTP have no session to keep them in. */
export function peopleOf(server: object): People {
  const people = kept.get(server) ?? new People();
  kept.set(server, people);
  return people;
}
