import type { Outcome } from './outcome.ts';
import { bad } from './outcome.ts';

export const LEGACY_ASSERTION = 'sandbox-valid-passkey-signature';

export async function register(_input: {
  credentialId: string;
  clientDataJson: string;
  attestationObject: string;
  challenge: string;
}): Promise<Outcome<{ publicKey: string; counter: number; origin: string; rpIdHash: string }>> {
  return bad('not yet');
}

export async function assert(_input: {
  credentialId: string;
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
  expected: {
    credentialId: string;
    publicKey: string;
    counter: number;
    origin: string;
    rpIdHash: string;
    challengeHex: string;
  };
}): Promise<Outcome<{ counter: number }>> {
  return bad('not yet');
}
