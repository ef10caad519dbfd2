import type { CardPayment, SoftwareAuthenticator, WalletClient } from '../testkit/index.ts';

/** Sends the calls of a person who is played. It is set anew for each act, because a tool call may be given up. */
export interface Line {
  call: (
    url: string,
    init: { method: string; headers: { [name: string]: string }; body?: string },
  ) => Promise<{ status: number; text: string }>;
  /** The virtual moment of the act. */
  now: string;
}

/** The possessions of the people of one sandbox: keys, devices, and the latest payment of each card. */
export interface Held {
  readonly line: Line;
  /** Clients of wallets, by the wallet's account. */
  readonly wallets: Map<string, WalletClient>;
  /** Passkeys of wallets, by the wallet's account. */
  readonly passkeys: Map<string, SoftwareAuthenticator>;
  /** Passkeys for strong customer authentication, by the customer. */
  readonly phones: Map<string, SoftwareAuthenticator>;
  /** The `otpauth` addresses of authenticator apps, by the customer. */
  readonly apps: Map<string, string>;
  /** Identities at a provider, by the credential that was added with each. */
  readonly identities: Map<string, { iss?: string; sub?: string; aud?: string }>;
  /** The latest payment, by the card. */
  readonly payments: Map<string, CardPayment>;
}

/** The most sandboxes whose people are kept; those played longest ago are forgotten first. */
const MOST = 200;

const NOBODY = (): Promise<never> => Promise.reject(new Error('nobody is played'));

/** The people that agents have played, by sandbox: kept as long as the process, and not part of any state. */
export class People {
  readonly #of = new Map<string, Held>();

  /** Returns the possessions of the people of a sandbox. */
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

/** Returns the people of a host: requests over HTTP have no session in which to keep them. */
export function peopleOf(server: object): People {
  const people = kept.get(server) ?? new People();
  kept.set(server, people);
  return people;
}
