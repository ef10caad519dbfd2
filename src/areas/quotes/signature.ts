import type { OperationContext } from '../../declare/operation.ts';
import { refusalOf } from '../sessions/index.ts';
import { walletSignature } from '../signing/index.ts';
import type { Quote } from './row.ts';

/**
 * The signature with which the owner of an embedded wallet pays a quote (spec 5.4). `find` returns the quote that a
 * call names, if its caller may see it; `loaded` returns the same one after the operation has loaded it. Set `bodyless`
 * if the call has no body.
 */
export const quoteSignature = <C extends OperationContext, L>(
  find: (context: C) => Quote | undefined,
  loaded: (found: L) => Quote,
  more: { readonly bodyless?: true } = {},
) =>
  walletSignature<C, L, undefined>({
    ...more,
    when: (context) => find(context)?.payload !== undefined,
    payload: (_context, found) => loaded(found).payload ?? '',
    knownPayload: (context) => find(context)?.payload ?? '',
    rejectKey: ({ world }, found, publicKey) => refusalOf(world, [loaded(found).walletId ?? ''], publicKey),
  });
