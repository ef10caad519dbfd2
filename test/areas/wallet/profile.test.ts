import { expect, test } from 'vitest';
import { PROFILES } from '../../../src/contract/profile.ts';
import { clientKey, proof, refused, walletKit } from '../../kit/wallet.ts';

test('each profile reads the signature from its own header, and names that header when it is missing (spec 5 rule 3)', async () => {
  for (const [profile, { walletSignatureHeader }] of Object.entries(PROFILES)) {
    const it = await walletKit({ profile: profile as keyof typeof PROFILES });
    const path = `/auth/credentials/${it.emailOtp}/verify`;
    const key = clientKey();
    const body = await it.sealedCode(key);
    const { 'request-id': id = '', 'service-wallet-signature': stamp = '' } = await proof(
      key,
      await it.post(path, body),
    );
    const other = Object.values(PROFILES).find((p) => p.walletSignatureHeader !== walletSignatureHeader);
    const wrong = { 'request-id': id, [other?.walletSignatureHeader ?? '']: stamp };
    expect(refused(await it.post(path, body, { headers: wrong }))).toEqual([
      401,
      'WALLET_SIGNATURE_MISSING',
      `${walletSignatureHeader} is missing`,
    ]);
    const headers = { 'request-id': id, [walletSignatureHeader]: stamp };
    expect((await it.post(path, body, { headers })).status).toBe(200);
  }
});
