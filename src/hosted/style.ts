import { createHash } from 'node:crypto';
import { assetText } from '../contract/asset-text.ts';

/** The style of the hosted page, in the inspector's colours. It is part of the page, whose policy allows this text alone. */
export const STYLE = `${assetText('inspector/look/tokens.css')}${assetText('hosted/hosted.css')}`;

const HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * Headers of a page: nothing is loaded from anywhere, nothing runs, nobody frames it. `formTo` is where a form may lead
 * besides this origin, in the words of the policy.
 */
export const pageHeaders = (formTo?: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${HASH}; form-action 'self'${formTo ? ` ${formTo}` : ''}; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
