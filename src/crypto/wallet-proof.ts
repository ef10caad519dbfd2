import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32m, createBase58check } from '@scure/base';
import { bad, good, type Outcome } from './outcome.ts';
import { fromHex } from './text.ts';

/** The scheme with which a chain's wallets sign a message. */
export type WalletScheme = 'evm' | 'tron' | 'bitcoin' | 'solana';
/** The kinds of address that the header byte of a Bitcoin signature names. */
export type BitcoinFormat = 'bip137' | 'electrum';

/**
 * Returns whether the owner of a wallet signed exactly this text. EIP-191 in hexadecimal for Ethereum and compatible
 * chains, the same with Tron's prefix for Tron; a recoverable base64 signature for Bitcoin (Spark); base58 Ed25519 for
 * Solana.
 */
export function provesWallet(
  scheme: WalletScheme,
  proof: { address: string; message: string; signature: string; format: BitcoinFormat },
): Outcome<true> {
  try {
    return CHECKS[scheme](proof);
  } catch {
    return bad('signature does not verify');
  }
}

type Proof = Parameters<typeof provesWallet>[1];

const concat = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));

const same = (mine: boolean): Outcome<true> => (mine ? good(true) : bad('signature is by another wallet'));

/** Returns the public key, uncompressed, that made a compact signature. */
const signer = (compact: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean): Uint8Array =>
  secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(compressed);

/** Recovers who signed a prefixed text: the last 20 bytes of the hash of the signer's key. */
function ethereumSigner(prefix: string, { message, signature }: Proof): Outcome<Uint8Array> {
  const bytes = fromHex(signature.replace(/^0x/, ''));
  if (bytes?.length !== 65) return bad('signature is not 65 bytes in hexadecimal');
  const v = bytes[64] as number;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery > 1) return bad('signature ends in an unknown recovery byte');
  const body = Buffer.from(message, 'utf8');
  const hash = keccak_256(concat(`${prefix}${body.length}`, body));
  return good(keccak_256(signer(bytes.slice(0, 64), recovery, hash, false).slice(1)).slice(12));
}

function evm(proof: Proof): Outcome<true> {
  const found = ethereumSigner('\x19Ethereum Signed Message:\n', proof);
  if (!found.ok) return found;
  return same(`0x${Buffer.from(found.value).toString('hex')}` === proof.address.toLowerCase());
}

function tron(proof: Proof): Outcome<true> {
  const found = ethereumSigner('\x19TRON Signed Message:\n', proof);
  if (!found.ok) return found;
  return same(createBase58check(sha256).encode(concat(Uint8Array.of(0x41), found.value)) === proof.address);
}

function solana({ address, message, signature }: Proof): Outcome<true> {
  const bytes = base58.decode(signature);
  if (bytes.length !== 64) return bad('signature is not 64 bytes in base58');
  // Strict, as Solana verifies: a key of small order, such as the system program's address, has signatures of anybody.
  return same(ed25519.verify(bytes, Buffer.from(message, 'utf8'), base58.decode(address), { zip215: false }));
}

/** The last valid header byte of a recoverable signature: Electrum stops at 34, BIP 137 at 42. */
const LAST_HEADER: Readonly<Record<BitcoinFormat, number>> = { bip137: 42, electrum: 34 };

function bitcoin({ address, message, signature, format }: Proof): Outcome<true> {
  const bytes = Buffer.from(signature, 'base64');
  // Node skips characters that are not base64; here no two texts may pass for one another.
  if (bytes.length !== 65 || bytes.toString('base64') !== signature) return bad('signature is not 65 bytes in base64');
  const header = bytes[0] as number;
  if (header < 27 || header > LAST_HEADER[format]) return bad(`signature header byte is unknown to ${format}`);
  const body = Buffer.from(message, 'utf8');
  const length =
    body.length < 0xfd ? Uint8Array.of(body.length) : Uint8Array.of(0xfd, body.length & 255, body.length >> 8);
  const hash = sha256(sha256(concat('\x18Bitcoin Signed Message:\n', length, body)));
  const key = signer(bytes.subarray(1), (header - 27) & 3, hash, true);
  return same(Buffer.from(key).equals(sparkKey(address)));
}

/** Returns the identity public key in a Spark address: bech32m over a record whose first field holds 33 bytes. */
function sparkKey(address: string): Uint8Array {
  const { words } = bech32m.decode(address.toLowerCase() as `${string}1${string}`, false);
  const bytes = bech32m.fromWords(words);
  if (bytes[0] !== 0x0a || bytes[1] !== 33) throw new Error('no identity key in this address');
  return bytes.slice(2, 35);
}

const CHECKS: Readonly<Record<WalletScheme, (proof: Proof) => Outcome<true>>> = { evm, tron, bitcoin, solana };
