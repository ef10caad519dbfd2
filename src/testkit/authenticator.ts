import { base64url, concat, fromHex, random, sha256, text, utf8 } from './bytes.ts';
import { type ClientKey, createClientKey, signDer } from './keys.ts';

/** A registration in the format of the API. */
export interface Attestation {
  credentialId: string;
  clientDataJson: string;
  attestationObject: string;
  transports: string[];
}

/** A login in the format of the API. */
export interface Assertion {
  credentialId: string;
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
}

/** A registration in the format of browsers (`PublicKeyCredential.toJSON`). */
export interface RegistrationJson {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
}

/** A login in the format of browsers. */
export interface AssertionJson {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

export interface AuthenticatorOptions {
  /** The origin of the page. Default `https://app.example.org`. */
  origin?: string;
  /** The RP id. Default: the origin's host. */
  rpId?: string;
  /** Makes the key and the credential id repeatable. */
  seed?: string;
  /** Base64url. Default: random, or derived from the seed. */
  credentialId?: string;
  /**
   * The signature counter at registration; each login adds one. Default 0; `null` for an authenticator without a
   * counter.
   */
  counter?: number | null;
  /** True if the user is verified, not only present. Default true. */
  userVerified?: boolean;
}

/** Deviations for one ceremony. */
export interface CeremonyFaults {
  origin?: string;
  rpId?: string;
  /** The challenge to sign instead, as text (base64url for a registration). */
  challenge?: string;
  userPresent?: boolean;
  userVerified?: boolean;
  /** The counter to claim instead of the next one. */
  counter?: number;
  /** The id of another credential. */
  credentialId?: string;
  /** True to sign with a key that was never registered. */
  wrongKey?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const uint = (value: number, bytes: 2 | 4): Uint8Array => {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return Uint8Array.from(written);
};

/**
 * A passkey in software: one credential with an ES256 key. It does what `navigator.credentials.create` and `.get` do,
 * and can make mistakes on demand.
 */
export class SoftwareAuthenticator {
  readonly credentialId: string;
  readonly origin: string;
  readonly rpId: string;
  #key: ClientKey;
  readonly #userVerified: boolean;
  #counter: number | null;

  constructor(options: AuthenticatorOptions = {}) {
    const { origin = 'https://app.example.org', seed, counter = 0, userVerified = true } = options;
    this.origin = origin;
    this.rpId = options.rpId ?? new URL(origin).hostname;
    this.#key = createClientKey(seed);
    this.credentialId =
      options.credentialId ?? base64url(seed === undefined ? random(32) : sha256(`credential id of ${seed}`));
    this.#userVerified = userVerified;
    this.#counter = counter;
  }

  /** The signature counter as of the last ceremony; 0 for an authenticator without one. */
  get counter(): number {
    return this.#counter ?? 0;
  }

  /** Returns a second authenticator with the same key and the present counter: one of the two will fall behind. */
  clone(): SoftwareAuthenticator {
    const { origin, rpId, credentialId } = this;
    const options = { origin, rpId, credentialId, counter: this.#counter, userVerified: this.#userVerified };
    const copy = new SoftwareAuthenticator(options);
    copy.#key = this.#key;
    return copy;
  }

  /** Registers: returns the `attestation` for a platform's base64url challenge. */
  register(challenge: string, faults: CeremonyFaults = {}): Attestation {
    const id = Uint8Array.from(Buffer.from(faults.credentialId ?? this.credentialId, 'base64url'));
    const point = fromHex(this.#key.uncompressed);
    // COSE: EC2, ES256, P-256, x, y.
    const cose = concat(fromHex('a5010203262001215820'), point.slice(1, 33), fromHex('225820'), point.slice(33));
    const head = this.#authenticatorData(faults, faults.counter ?? this.counter, ATTESTED);
    const data = concat(head, new Uint8Array(16), uint(id.length, 2), id, cose);
    // {"fmt": "none", "attStmt": {}, "authData": <two bytes of length>}
    const cbor = concat(fromHex('a363666d74646e6f6e656761747453746d74a0686175746844617461'), fromHex('59'));
    return {
      credentialId: this.credentialId,
      clientDataJson: base64url(this.#clientData('webauthn.create', faults.challenge ?? challenge, faults)),
      attestationObject: base64url(concat(cbor, uint(data.length, 2), data)),
      transports: ['internal'],
    };
  }

  /** Logs in: returns the `assertion` for a login's hexadecimal challenge, whose text is signed. */
  assert(challenge: string, faults: CeremonyFaults = {}): Assertion {
    if (this.#counter !== null) this.#counter += 1;
    const signed = base64url(utf8(faults.challenge ?? challenge));
    const clientData = this.#clientData('webauthn.get', signed, faults);
    const data = this.#authenticatorData(faults, faults.counter ?? this.counter, 0);
    const key = faults.wrongKey ? createClientKey() : this.#key;
    return {
      credentialId: faults.credentialId ?? this.credentialId,
      clientDataJson: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signDer(key, concat(data, sha256(clientData)))),
    };
  }

  /** Registers as a browser does, with the options of a service; their `challenge` is base64url. */
  create(options: { challenge: string }, faults: CeremonyFaults = {}): RegistrationJson {
    const {
      credentialId: id,
      clientDataJson,
      attestationObject,
      transports,
    } = this.register(options.challenge, faults);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON: clientDataJson, attestationObject, transports },
    };
  }

  /** Logs in as a browser does, with the options of a service; their `challenge` is base64url of a text. */
  get(options: { challenge: string }, faults: CeremonyFaults = {}): AssertionJson {
    const challenge = text(Uint8Array.from(Buffer.from(options.challenge, 'base64url')));
    const { credentialId: id, clientDataJson, authenticatorData, signature } = this.assert(challenge, faults);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON: clientDataJson, authenticatorData, signature },
    };
  }

  #clientData(type: string, challenge: string, faults: CeremonyFaults): Uint8Array {
    const origin = faults.origin ?? this.origin;
    return utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(faults: CeremonyFaults, counter: number, flags: number): Uint8Array {
    const present = (faults.userPresent ?? true) ? PRESENT : 0;
    const verified = (faults.userVerified ?? this.#userVerified) ? VERIFIED : 0;
    const bits = Uint8Array.of(flags | present | verified);
    return concat(sha256(faults.rpId ?? this.rpId), bits, uint(counter, 4));
  }
}
