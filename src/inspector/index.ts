import type { Answer } from '../contract/answer.ts';
import { decode } from '../contract/decode.ts';
import { Failure } from '../contract/errors.ts';
import type { Host } from '../sandbox/host.ts';
import { assetAt } from './assets.ts';
import { PageContext } from './frame/page-context.ts';
import type { PageParts } from './frame/parts.tsx';
import { render } from './frame/render.tsx';

type Page = (visit: PageContext, params: readonly string[]) => PageParts | Promise<PageParts>;

/** Every page, by its address. The first request for one loads them. */
const PAGES: readonly (readonly [path: RegExp, page: () => Promise<Page>])[] = [
  [/^\/(?:inspector\/?)?$/, async () => (await import('./overview/overview.tsx')).overview],
  [/^\/inspector\/requests$/, async () => (await import('./requests/requests.tsx')).requests],
  [/^\/inspector\/requests\/([^/]+)$/, async () => (await import('./requests/request.tsx')).request],
  [/^\/inspector\/webhooks$/, async () => (await import('./webhooks/webhooks.tsx')).webhooks],
  [/^\/inspector\/webhooks\/([^/]+)$/, async () => (await import('./webhooks/webhook.tsx')).webhook],
  [/^\/inspector\/codes$/, async () => (await import('./control/codes.tsx')).codes],
  [/^\/inspector\/clock$/, async () => (await import('./control/clock.tsx')).clock],
  [/^\/inspector\/jobs$/, async () => (await import('./control/jobs.tsx')).jobs],
  [/^\/inspector\/faults$/, async () => (await import('./control/faults.tsx')).faults],
  [/^\/inspector\/state$/, async () => (await import('./state/state.tsx')).state],
  [/^\/inspector\/state\/([^/]+)$/, async () => (await import('./state/table.tsx')).table],
  [/^\/inspector\/state\/([^/]+)\/([^/]+)$/, async () => (await import('./state/record.tsx')).record],
  [/^\/inspector\/ledger$/, async () => (await import('./money/ledger.tsx')).ledger],
  [/^\/inspector\/ledger\/([^/]+)$/, async () => (await import('./money/statement.tsx')).statement],
  [/^\/inspector\/scenario$/, async () => (await import('./state/scenario.tsx')).scenario],
  [/^\/inspector\/scenario\/([^/]+)$/, async () => (await import('./state/diff.tsx')).diff],
  [/^\/inspector\/compare$/, async () => (await import('./state/diff.tsx')).compare],
  [/^\/inspector\/search$/, async () => (await import('./search/search.tsx')).search],
  [/^\/inspector\/record$/, async () => (await import('./requests/record-requests.tsx')).recordRequests],
  [/^\/inspector\/id\/([^/]+)$/, async () => (await import('./search/by-id.tsx')).byId],
  [/^\/inspector\/rules$/, async () => (await import('./reference/rules.tsx')).rules],
  [/^\/inspector\/api$/, async () => (await import('./reference/api.tsx')).api],
  [/^\/inspector\/api\/([^/]+)$/, async () => (await import('./reference/operation.tsx')).operation],
];

/** A page loads nothing but our own two files, no other page frames it, and its forms lead only here. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Other sites learn nothing; our forms carry the Origin that the gate requires.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  vary: 'accept',
};

/** Returns the response to a GET of an inspector address, or to a form that was sent to it. */
export async function answer(
  host: Host,
  request: { readonly method: string; readonly url: string },
  form?: URLSearchParams,
): Promise<Answer> {
  const url = new URL(request.url);
  const asset = assetAt(url.pathname === '/favicon.ico' ? '/inspector/assets/icon.0.svg' : url.pathname);
  if (asset) return file(asset, url.pathname === asset.url);
  let visit = new PageContext(host, new URL('/', url));
  let page: PageParts;
  try {
    visit = new PageContext(host, url, form);
    page = await pageOf(visit);
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined;
    if (!failure) host.broken(`${request.method} ${url.pathname}`, error);
    const { trouble } = await import('./frame/trouble.tsx');
    page = trouble(visit, failure);
  }
  if (page.file) return download(page.file);
  if (page.to !== undefined)
    return { status: 303, headers: { ...HEADERS, location: `${host.prefix}${page.to}` }, body: null };
  return { status: page.status ?? 200, headers: HEADERS, body: await render(visit, page) };
}

async function pageOf(visit: PageContext): Promise<PageParts> {
  for (const [path, load] of PAGES) {
    const match = path.exec(visit.path);
    if (match) return (await load())(visit, match.slice(1).map(decode));
  }
  throw new Failure('REFERENCE_NOT_FOUND', `there is no page at ${visit.path}`, { details: { page: visit.path } });
}

/** Returns a text as a file to download. */
const download = ({ name, text }: { name: string; text: string }): Answer => ({
  status: 200,
  headers: {
    ...HEADERS,
    'content-type': `text/${name.endsWith('.csv') ? 'csv' : 'plain'}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
  },
  body: text,
});

/** Returns a file of ours. Its name identifies its text, so that a browser may cache it for good. */
const file = ({ type, text }: { type: string; text: string }, forGood: boolean): Answer => ({
  status: 200,
  headers: {
    'content-type': type,
    'cache-control': forGood ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // An image that is opened on its own is a document, too.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  },
  body: text,
});
