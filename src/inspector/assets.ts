import { createHash } from 'node:crypto';
import { assetText } from '../contract/asset-text.ts';

interface Asset {
  readonly url: string;
  readonly type: string;
  readonly text: string;
}

function asset(name: string, type: string, ...files: string[]): Asset {
  const text = files.map(assetText).join('\n');
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const [stem, ending] = name.split('.');
  return { url: `/inspector/assets/${stem}.${mark}.${ending}`, type, text };
}

/** The parts of the style, in order: of two rules with equal specificity, the later one applies. */
const STYLE = [
  ...['tokens', 'base', 'side', 'page', 'cards', 'rows', 'requests', 'hooks', 'lines', 'marks', 'tables', 'words'],
  ...['overview', 'search', 'sending', 'findings', 'controls', 'forms', 'notices', 'wishes', 'ledger', 'story'],
].map((part) => `inspector/look/${part}.css`);

/** The parts of the script, in order: they share their declarations. */
const SCRIPT = ['dom', 'press', 'live', 'clock', 'say', 'forms', 'calls', 'hints', 'filter', 'keys', 'start'].map(
  (part) => `inspector/client/${part}.js`,
);

let made: { style: Asset; script: Asset; icon: Asset } | undefined;

/** The files that every page loads. The name of a file changes with its text, so that a browser may cache it. */
export const assets = () =>
  (made ??= {
    style: asset('inspector.css', 'text/css; charset=utf-8', ...STYLE),
    script: asset('inspector.js', 'text/javascript; charset=utf-8', ...SCRIPT),
    icon: asset('icon.svg', 'image/svg+xml', 'inspector/look/icon.svg'),
  });

/** Returns the asset that a path names, with any mark: an old page still finds the present file. */
export function assetAt(path: string): Asset | undefined {
  const name = path.replace(/^\/inspector\/assets\/(\w+)\.[0-9a-f]+\./, '/$1.');
  return Object.values(assets()).find(
    ({ url }) => url.replace(/^\/inspector\/assets\/(\w+)\.[0-9a-f]+\./, '/$1.') === name,
  );
}
