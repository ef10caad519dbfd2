import { expect, test } from 'vitest';
import { networkTrouble } from '../../src/engine/network.ts';

test.each([
  ['ECONNREFUSED', 'nothing answers at shop.example (ECONNREFUSED)'],
  ['CERT_HAS_EXPIRED', 'the certificate of shop.example is not trusted (CERT_HAS_EXPIRED)'],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'shop.example asks for a certificate of its client, and none is sent (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
  ],
  ['ENOENT', undefined],
])('the network error %s is told in words', (code, words) => {
  expect(networkTrouble('shop.example', { code })).toBe(words);
});
