import { createHash } from 'node:crypto';
import { assetText } from '../contract/asset-text.ts';

/**
 * The style of the hosted page, in the inspector's colours. It is inlined, because the page's policy allows this text
 * alone.
 */
export const STYLE = `${assetText('inspector/look/tokens.css')}${assetText('hosted/hosted.css')}`;

const HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * Returns the headers of a page: it loads nothing, runs no script, and cannot be framed. `formTo` lists the
 * `form-action` sources besides this origin.
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
