import { createHash } from 'node:crypto';
import { type KeyPair, keyPairFrom } from '../../src/crypto/index.ts';

/** The keys of the known-answer vectors: each scalar is the SHA-256 of its label. */
const key = (label: string): KeyPair => keyPairFrom(sha256(`kat/${label}`));
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const target = key('enclave-target');
export const quorum = key('quorum-sign');
export const client = key('client');
export const session = key('session');
export const ephemeral = key('ephemeral');
export const ephemeral2 = key('ephemeral-2');
export const passkey = key('passkey');
export const webhook = key('webhook');

export const organizationId = '00000000-0000-4000-8000-00000000aaaa';
export const userId = '00000000-0000-4000-8000-00000000bbbb';
/** 2026-01-01T00:00:00Z, the clock of the vectors, in milliseconds. */
export const NOW = 1_767_225_600_000;

/** A one-time code and the client's uncompressed key, sealed to `target` with `ephemeral`. */
export const OTP_CIPHERTEXT =
  'd9a4128c6479f8523e2fbac44338106561aee1b0a26a811dec57e40ddbd4d1c5c6a3408630b46203d60a8c1c051a68f5eb340fe68128ed5750cdb839ee1f4f8b095da2512c454bfb03b149b6d8621e63ab7beb0d732a8ca1902ac6773fc8ca1ae03f1d08d178b7005402d4b3697ec3c81e6f5f9f4ad38410f6ede88b0e74200e52aaab79a66b176bb9d079b73d09daccd59b2485cce430f4a7cb2e936cd3f6c74f95ea10357886aee317653adc2989f643d307065b4fdd';
/** The same with the compressed key. */
export const OTP_CIPHERTEXT_COMPRESSED =
  'd9a4128c6479f8523e2fbac44338106561aee1b0a26a811dec57e40ddbd4d1c5c6a3408637b46203d60a8c1c051a68f5eb340fe68128ed5750cdb839ee1f4f8b095da2512c454bfb03b149b6d8621e63ab7beb0d732a8ca1902ac6773fc8ca1ae03f1d08d162fb4ffbf02a090aea8cbbf83449688c108b';
/** The code 999999 and the compressed key, sealed with `ephemeral2`. */
export const OTP_WRONG_CODE =
  '{"encappedPublic":"04345574babc8a05b203f45324d46b084b0ec9ece9c6afd6e332d5947fb9b1e76f577e378c37397d7d9529a4aa9aa5bcca957a6395578322061365730a8bdbf627","ciphertext":"d8cafbdad9e4b9d8185b5a7b5f2b40e116a4db006dc7fb916bec29de0272940ca24796b39e28017bb874cb79326cac3b50de6912feebf90b1b6eb34be6504917fc47c3f4eb4a47712909e51c5c4154e0d5fc699baa602af5ba3f2a29c1763b136fd1eebc498f9d4a570c3bc912e3992984b2e3e9ed11dd"}';
/** Made by a real client with a one-time key nobody kept. */
export const OTP_CAPTURED =
  '{"encappedPublic":"04b99db492c114486bd6ec43a1c0c17271576af0164463506825821729c373f1de956d2ad0b4e94f8b1fbd273a659e1c5c24db865517c93ddcbd8e004b4928cbff","ciphertext":"f1a638b66922306719e73d02605be97fd7b24aeb2cb40dd8ec0b3ea1cb0fc04487456c1f97b4f80b2292eab00b05d58f85770365d94c5c96b1734987608d2d8356a359ab8c7525c96e747b03643eb29daf5d1d4d5832e20e099f982f07681508ea778a283e420cdb7d864a240ea0739b2342aa103d846f8d27a74c072f37b19eb3e9437b9f77312c0076bd6c911497be4a3c07d249661e9558ac71570a43a55ebb2598513e6154d549d4feb1bb6cee124e550fc89c7280"}';

export const TARGET_SIGNATURE =
  '304402204d183581fe5a60d000763a559f97b1dad7dd18f15b2bdfea2d980efc55dc66d1022031e9a079d2b17485b7a733379e160f71722d1309d36083cdf47bcf9f0ad2f3d9';

export const SESSION_BUNDLE =
  'mTEJVg7vp66deM3A7hyhirKfqrEnAuzaw76Ldb3cNXTad8qabmQC6XMV5YnBrVqswJ9xAnnjs8TzrgZBPhrvAnEwaZonWki6MXnm8ook7Hdf8MiXvg9';
/** Published with the wallet backend's client library: bundle, recipient, and what it holds. */
export const PUBLISHED_SESSION = {
  bundle:
    'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf',
  recipient: '20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56',
  scalar: '67ee05fc3bdf4161bc70701c221d8d77180294cefcfcea64ba83c4d4c732fcb9',
};

export const MNEMONIC = `${'abandon '.repeat(11)}about`;
export const EXPORT_CIPHERTEXT =
  'becb4999d73aa89a15fb729e1ff1699a240361cab87d2253a2666a37fd3e73f9813f50cdd28ca5fb01cd749ff5ce4a29165e9ccd8c4028f15ce13bc4cc7fae8e103be71e521d93ac03131b19530169fac999cd5978a50b63d02c3bee90d4ed647f8f7b992f1b881e27d8551566';
export const EXPORT_SIGNATURE =
  '3045022100d0fecee86e6d0a02a5f59a5ab283fae015f66bb89df636d912a12c129d1c920e02200d8cfb9a1fe05298a3a70fc5cba6bd368357f7c81ce0932a3937b39fe43ee2a1';

export const PAYLOAD =
  '{"organizationId":"00000000-0000-4000-8000-00000000aaaa","parameters":{"userEmail":"zoe@example.org","userId":"00000000-0000-4000-8000-00000000bbbb"},"timestampMs":"1767225600000","type":"ACTIVITY_TYPE_UPDATE_USER_EMAIL"}';
export const PAYLOAD_SIGNATURE =
  '304402202c584c4e0372806d31073ab66f840639f30b226685964cf49b19150af3f9f9a802204b97aacceb2fe03450c3dab74a70d5bbf7fbc81582657e4bdca0b005ef345576';
export const PAYLOAD_SIGNATURE_HIGH_S =
  '304502202c584c4e0372806d31073ab66f840639f30b226685964cf49b19150af3f9f9a8022100b468553214d01fccaf3c2548b58f2a43c4eb329824b2203917191abd0d2ecfdb';
export const PAYLOAD_SIGNATURE_RAW =
  '2c584c4e0372806d31073ab66f840639f30b226685964cf49b19150af3f9f9a84b97aacceb2fe03450c3dab74a70d5bbf7fbc81582657e4bdca0b005ef345576';
export const STAMP =
  'eyJwdWJsaWNLZXkiOiIwMjIyNTUxNDdlM2VkZGZmNWE4NGVjOTAzMDdhNGQzNjlmNGZhZWI3MWM5N2NhNTEzM2Q4MTQwNzRlMmIyNzM4YWEiLCJzY2hlbWUiOiJTSUdOQVRVUkVfU0NIRU1FX1RLX0FQSV9QMjU2Iiwic2lnbmF0dXJlIjoiMzA0NDAyMjAyYzU4NGM0ZTAzNzI4MDZkMzEwNzNhYjY2Zjg0MDYzOWYzMGIyMjY2ODU5NjRjZjQ5YjE5MTUwYWYzZjlmOWE4MDIyMDRiOTdhYWNjZWIyZmUwMzQ1MGMzZGFiNzRhNzBkNWJiZjdmYmM4MTU4MjY1N2U0YmRjYTBiMDA1ZWYzNDU1NzYifQ';

export const TOKEN =
  'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJpZCI6IjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwZGRkZCIsInZlcmlmaWNhdGlvbl90eXBlIjoiT1RQX1RZUEVfRU1BSUwiLCJjb250YWN0Ijoiem9lQGV4YW1wbGUub3JnIiwib3JnYW5pemF0aW9uX2lkIjoiMDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDBhYWFhIiwicHVibGljX2tleSI6IjAzNzFmNDUzYzY3MWFiOTgzY2ViZThhMWEzYzBjMGQ4MzVhODY5ZDdmYmFjNzdkNzk5ZjgwZDc3YzU4ZTllZmYwNyIsImV4cCI6IjQxMDI0NDQ4MDAwMDAifQ.4IOMV3wAoMB_kks3bs5NcM5ETY-bU7-GXg5Y3AqTTtAqq48YxwAu2i8LVUDnKEKFzy2A7rWjoNfsQHndxLvl8w';
export const TOKEN_STAMP =
  'eyJwdWJsaWNLZXkiOiIwMzcxZjQ1M2M2NzFhYjk4M2NlYmU4YTFhM2MwYzBkODM1YTg2OWQ3ZmJhYzc3ZDc5OWY4MGQ3N2M1OGU5ZWZmMDciLCJzY2hlbWUiOiJTSUdOQVRVUkVfU0NIRU1FX1RLX0FQSV9QMjU2Iiwic2lnbmF0dXJlIjoiMzA0NDAyMjAzZmQ4OWNmMTdjMjA3M2ZlMTc0OWE2YWY4YjQ1MmIzMGY2MmY4NTYwZWE1OTViMzU0MTJhYmE2ZjE2YzE4ZDdhMDIyMDRlODhjM2FmNmM4YzIzMWQ1ZjZkOTk2OWQ2ODVhNDJmMDYwMjM0M2MxMDFhNWI0MTVjNzI3NDMyZWVmZjQwMTMifQ';

/** A passkey on app.example.org with the key `passkey`. */
export const REGISTRATION = {
  challenge: 'bbQO8d7Dy4KmMUlBtC4K0aG8mPRN--s9wkroCKKwfR4',
  credentialId: 'shJIlPDsdZ8psF7yzGazFMVlxF9QMAgyyl_-JZ-m1X0',
  clientDataJson:
    'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYmJRTzhkN0R5NEttTVVsQnRDNEswYUc4bVBSTi0tczl3a3JvQ0tLd2ZSNCIsIm9yaWdpbiI6Imh0dHBzOi8vYXBwLmV4YW1wbGUub3JnIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
  attestationObject:
    'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViksL8TtiA5fw56RqXmmVUSgLAQkmxQVMFmUHcR2qd2ioxFAAAAAAAAAAAAAAAAAAAAAAAAAAAAILISSJTw7HWfKbBe8sxmsxTFZcRfUDAIMspf_iWfptV9pQECAyYgASFYIMurjPPSsW9vqR3ILGjwJ-l8R3h4xw0anVXMHLBwX8LCIlgg2jnvJ8aJTvQvpRKf19AlEyB9lN1tSOw8jgLwjHiZMdI',
};
export const COSE_KEY =
  'a5010203262001215820cbab8cf3d2b16f6fa91dc82c68f027e97c477878c70d1a9d55cc1cb0705fc2c2225820da39ef27c6894ef42fa5129fd7d02513207d94dd6d48ec3c8e02f08c789931d2';
export const LOGIN_CHALLENGE = 'b1063918b07231e963bbb30a538c39eab91253a09b82a17cbdc03fc3273f81c3';
/** Counter 1, user present and verified, high S. */
export const ASSERTION = {
  credentialId: 'shJIlPDsdZ8psF7yzGazFMVlxF9QMAgyyl_-JZ-m1X0',
  clientDataJson:
    'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWWpFd05qTTVNVGhpTURjeU16RmxPVFl6WW1KaU16QmhOVE00WXpNNVpXRmlPVEV5TlROaE1EbGlPREpoTVRkalltUmpNRE5tWXpNeU56Tm1PREZqTXciLCJvcmlnaW4iOiJodHRwczovL2FwcC5leGFtcGxlLm9yZyIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
  authenticatorData: 'sL8TtiA5fw56RqXmmVUSgLAQkmxQVMFmUHcR2qd2iowFAAAAAQ',
  signature: 'MEUCIGuT225qfl-zXXbtyhl1dlMlgLQFCpoTEvWmVjAwQ4YAAiEAtuQ5nn99ozZ8qFiusFtfQ4GHGDEVkkSwQdT7VWMFd84',
};

/** Issued at NOW for the uncompressed key of `client`. */
export const OIDC_TOKEN =
  'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmdvb2dsZS5jb20iLCJzdWIiOiJrYXQtdXNlci0xIiwiYXVkIjoia2F0LW9hdXRoLWNsaWVudCIsImlhdCI6MTc2NzIyNTYwMCwiZXhwIjoxNzY3MjI1OTAwLCJub25jZSI6IjU2OTYzZTE1ODQ4MTQ3MGRjM2E0MjM2OTY0M2QxZTg3NmUzMjlhZWI3OWJmNWJhYjkyNDEzMjM3YzZjYTQ1MmYiLCJlbWFpbCI6InpvZUBleGFtcGxlLm9yZyIsImVtYWlsX3ZlcmlmaWVkIjp0cnVlfQ.sandbox-signature';
export const NONCES = {
  uncompressed: '56963e158481470dc3a42369643d1e876e329aeb79bf5bab92413237c6ca452f',
  compressed: '3b2f90eed72739aa4d685bb8f5cd4ab7cfd6d63b9404e791d60245c9879ccaa2',
  ofBytes: '062e44c3d38ddd5820baeefced048fb0c2fbd3a47a5de5990f73b3449de7431e',
  ofUpperCase: '9d0497bb7d59574cf14a60822618db39dcacceb7a3c79809cf992fdb7c735b8d',
};

export const WEBHOOK = {
  publicKey:
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6DXSYBNYpLntRRqxkIspGrrPLwC4\n0mt71KRmPLNw9YBSp7mNjLKzV6ShNLVTwOuzsYAII+4gfuZr7g6pN97gkQ==\n-----END PUBLIC KEY-----',
  body: '{"id":"Webhook:00000000-0000-4000-8000-00000000cccc","type":"TEST","timestamp":"2026-01-01T00:00:00Z","data":{}}',
  header:
    '{"v":"1","s":"MEQCIFJbPbq/MdYjpbk4tHa+93sWHKwdVjxoip/Wi6jVFJ5TAiAYJT78Ix5di9nT6+0UoY8PQ1TzRvKEP4Ijc9Y2UWcwhQ=="}',
};
