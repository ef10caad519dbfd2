import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32m, createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { provesWallet } from '../../src/crypto/wallet-proof.ts';

const message = 'I own this wallet.\nNonce: é';
const proof = (address: string, signature: string, more: object = {}) => ({
  address,
  message,
  signature,
  format: 'bip137' as const,
  ...more,
});

describe('proof of an Ethereum wallet (EIP-191)', () => {
  // Published example of the web3.js documentation (eth.accounts.sign and recover).
  const known = {
    address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
    message: 'Some data',
    signature:
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    format: 'bip137' as const,
  };

  test('a published Ethereum signature verifies with either form of its recovery byte, and with an address in lower case', () => {
    expect(provesWallet('evm', known)).toEqual({ ok: true, value: true });
    expect(provesWallet('evm', { ...known, signature: `${known.signature.slice(2, -2)}01` }).ok).toBe(true);
    expect(provesWallet('evm', { ...known, address: known.address.toLowerCase() }).ok).toBe(true);
  });

  test.each([
    ['another text', { message: 'Some date' }, 'signature is by another wallet'],
    ['another wallet', { address: `0x${'1'.repeat(40)}` }, 'signature is by another wallet'],
    ['half a signature', { signature: '0x1234' }, 'signature is not 65 bytes in hexadecimal'],
    ['no hexadecimal', { signature: 'sig' }, 'signature is not 65 bytes in hexadecimal'],
    [
      'a bad recovery byte',
      { signature: `${known.signature.slice(0, -2)}ff` },
      'signature ends in an unknown recovery byte',
    ],
    ['a signature of nothing', { signature: `0x${'00'.repeat(65)}` }, 'signature does not verify'],
  ])('a proof of an Ethereum wallet with %s is refused', (_, change, reason) => {
    expect(provesWallet('evm', { ...known, ...change })).toEqual({ ok: false, reason });
  });
});

describe('proof of a Tron wallet', () => {
  const secret = Buffer.alloc(32, 3);
  const tail = keccak_256(secp256k1.getPublicKey(secret, false).slice(1)).slice(12);
  const address = createBase58check(sha256).encode(Buffer.concat([Buffer.of(0x41), tail]));

  test('a Tron wallet is proven with the prefix of Tron, not with that of Ethereum', () => {
    const body = Buffer.from(message, 'utf8');
    const signed = (prefix: string) => {
      const hash = keccak_256(Buffer.concat([Buffer.from(`${prefix}${body.length}`), body]));
      const bytes = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
      return `0x${Buffer.from(bytes.slice(1)).toString('hex')}${(27 + (bytes[0] as number)).toString(16)}`;
    };
    expect(address).toMatch(/^T/);
    expect(provesWallet('tron', proof(address, signed('\x19TRON Signed Message:\n'))).ok).toBe(true);
    expect(provesWallet('tron', proof(address, signed('\x19Ethereum Signed Message:\n'))).ok).toBe(false);
  });
});

describe('proof of a Solana wallet', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const signature = base58.encode(sign(null, Buffer.from(message), privateKey));

  test("a Solana wallet is proven by a signature that Node's own crypto made", () => {
    expect(provesWallet('solana', proof(address, signature))).toEqual({ ok: true, value: true });
  });

  test.each([
    ['the system program', '00'.repeat(32)],
    ['the identity', `01${'00'.repeat(31)}`],
    ['a point of order 2', `ec${'ff'.repeat(30)}7f`],
    ['a point of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
  ])('a Solana wallet whose address is %s is not proven by a signature that nobody made', (_, point) => {
    const forged = base58.encode(Buffer.from(`01${'00'.repeat(63)}`, 'hex'));
    for (let nth = 0; nth < 16; nth += 1)
      expect(
        provesWallet('solana', proof(base58.encode(Buffer.from(point, 'hex')), forged, { message: `text ${nth}` })),
      ).toMatchObject({ ok: false });
  });

  test('a Solana wallet is not proven with another text, another wallet or another signature', () => {
    expect(provesWallet('solana', proof(address, signature, { message: 'x' })).ok).toBe(false);
    expect(provesWallet('solana', proof(base58.encode(Buffer.alloc(32, 9)), signature)).ok).toBe(false);
    expect(provesWallet('solana', proof(address, base58.encode(Buffer.alloc(10))))).toMatchObject({ ok: false });
    expect(provesWallet('solana', proof(address, '0OIl')).ok).toBe(false);
  });
});

describe('proof of a Spark wallet (Bitcoin message)', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const jwk = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).export({ format: 'jwk' });
  const [x, y] = [Buffer.from(jwk.x as string, 'base64url'), Buffer.from(jwk.y as string, 'base64url')];
  const key = Buffer.concat([Buffer.of((y[31] as number) % 2 === 0 ? 2 : 3), x]);
  const words = bech32m.toWords(Buffer.concat([Buffer.of(0x0a, 33), key]));
  const address = bech32m.encode('spark', words, false);

  const body = Buffer.from(message, 'utf8');
  const framed = Buffer.concat([Buffer.from('\x18Bitcoin Signed Message:\n'), Buffer.of(body.length), body]);
  // Node hashes once more by itself: together the double SHA-256 of the Bitcoin message format.
  const compact = sign('sha256', createHash('sha256').update(framed).digest(), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  const withHeader = (header: number) => Buffer.concat([Buffer.of(header), compact]).toString('base64');
  const accepted = (format: 'bip137' | 'electrum', first: number, more: object = {}) =>
    [0, 1, 2, 3].filter((n) => provesWallet('bitcoin', proof(address, withHeader(first + n), { format, ...more })).ok);

  test("a Spark wallet is proven by a signature that Node's own crypto made: one header of four recovers the key", () => {
    expect(accepted('bip137', 27)).toHaveLength(1);
    expect(accepted('bip137', 39)).toEqual(accepted('bip137', 27));
    expect(accepted('electrum', 31)).toEqual(accepted('bip137', 27));
    expect(accepted('bip137', 31, { address: address.toUpperCase() })).toHaveLength(1);
  });

  test('a Spark wallet is not proven by a signature with a changed or an added character', () => {
    const right = withHeader(31 + (accepted('bip137', 31)[0] as number));
    const passes = (signature: string) => provesWallet('bitcoin', proof(address, signature)).ok;
    expect(passes(right)).toBe(true);
    for (const more of ['A', 'AAAA', '=', ' ', '\n', '!'])
      for (const text of [right + more, more + right, right.slice(0, 40) + more + right.slice(40)])
        expect(passes(text), text).toBe(false);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    // The first two characters hold the header.
    for (let i = 2; i < right.length; i += 1)
      for (const letter of [letters.charAt((letters.indexOf(right.charAt(i)) + 1) % 64), '*', '_'])
        expect(passes(right.slice(0, i) + letter + right.slice(i + 1)), `${letter} at ${i}`).toBe(false);
  });

  test('a Spark wallet is not proven in format electrum by a signature with the header of a segwit address', () => {
    expect(provesWallet('bitcoin', proof(address, withHeader(39), { format: 'electrum' }))).toEqual({
      ok: false,
      reason: 'signature header byte is unknown to electrum',
    });
  });

  test('a Spark wallet is not proven with another text or another wallet, nor by an address without a key', () => {
    expect(accepted('bip137', 31, { message: 'x' })).toEqual([]);
    const other = bech32m.encode(
      'spark',
      bech32m.toWords(Buffer.concat([Buffer.of(0x0a, 33, 2), Buffer.alloc(32, 1)])),
      false,
    );
    expect(accepted('bip137', 31, { address: other })).toEqual([]);
    expect(accepted('bip137', 31, { address: 'spark1nonsense003' })).toEqual([]);
    expect(provesWallet('bitcoin', proof(address, 'AAAA'))).toMatchObject({ ok: false });
  });
});
