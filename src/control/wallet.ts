import { walletBackendKey } from '../areas/credentials/index.ts';
import { control } from './control.ts';

export const walletControls = [
  control(
    'GET',
    '/wallet-key',
    'The public key that signs OTP target bundles, for clients that verify them',
    ({ sandbox }) => ({ quorumPublicKey: walletBackendKey(sandbox.world).uncompressed }),
  ),
];
