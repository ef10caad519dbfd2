import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HEAD, TAIL } from '../core/build.mjs';

/** Where the package's files seem to lie. Nothing is ever written or looked for there. */
const SEEMING = 'file:///.sandbox-emulator-executable/';

/**
 * Lets code that reads a file of the package beside itself, by `import.meta.url`, read it from the executable.
 * Everything else of node:fs is as it was.
 */
export const packageFiles = (root, files) => ({
  name: 'package-files',
  setup({ onLoad, onResolve }) {
    const rootUrl = pathToFileURL(`${root}/`).href;
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const url = pathToFileURL(path).href.replace(rootUrl, SEEMING);
      const contents = joined(readFileSync(path, 'utf8'), path, url)
        // The package's own `require`, where there is none; here there is one.
        .replace(/^import\{createRequire as __cr\}from'node:module';const require=__cr\(import\.meta\.url\);/m, '')
        .replaceAll('import.meta.url', JSON.stringify(url))
        .replaceAll(
          'import.meta.dirname',
          JSON.stringify(
            `/.sandbox-emulator-executable/${relative(root, path)
              .replaceAll('\\', '/')
              .replace(/\/[^/]*$/, '')}`,
          ),
        );
      return { contents, loader: 'js' };
    });
    onResolve({ filter: /^(?:node:)?fs(?:\/promises)?$/ }, ({ path, namespace }) =>
      namespace === 'fs' ? { path, external: true } : { path: `node:${path.replace('node:', '')}`, namespace: 'fs' },
    );
    onResolve({ filter: /^package:fs$/ }, () => ({ path: 'node:fs', namespace: 'fs' }));
    onLoad({ filter: /.*/, namespace: 'fs' }, ({ path }) => ({
      contents: path.endsWith('promises') ? PROMISES : SYNC(files),
    }));
  },
});

/** Here the script of a start is a part of the one script, compiled with it, and needs none to load it. */
function joined(text, path, url) {
  if (text.startsWith(HEAD)) {
    const body = text.slice(HEAD.length, -TAIL.length).replaceAll('__import("', 'import("');
    return `const __url=${JSON.stringify(url)},__started=undefined,exports={};${body}\nexport{exports as core};`;
  }
  if (!/[\\/]door-\w+\.js$/.test(path)) return text;
  const core = /core-\w+\.js/.exec(text)[0];
  return `export{core}from'./${core}';export const calmHeap=()=>{},keepCompiled=()=>{};`;
}

const SYNC = (files) => `
import real from 'node:fs';
export * from 'node:fs';
const FILES = ${JSON.stringify(files)};
const SEEMING = ${JSON.stringify(SEEMING)};
/** The path below the package, where something of the package is meant. */
export function inPackage(path) {
  if (path instanceof URL) path = path.href;
  if (typeof path !== 'string') return undefined;
  if (path.startsWith(SEEMING)) return decodeURIComponent(path.slice(SEEMING.length));
  return path.startsWith(SEEMING.slice(7)) ? path.slice(SEEMING.length - 7) : undefined;
}
const missing = (name) => Object.assign(new Error('ENOENT: no such file in the executable: ' + name), { code: 'ENOENT' });
export function fileOf(name, options) {
  if (!FILES.includes(name)) throw missing(name);
  const bytes = Buffer.from(__sea.getRawAsset('package/' + name));
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : Buffer.from(bytes);
}
export function namesIn(folder) {
  const start = folder === '' || folder.endsWith('/') ? folder : folder + '/';
  const names = [...new Set(FILES.filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split('/')[0]))];
  if (names.length === 0) throw missing(folder);
  return names;
}
export const isThere = (name) => FILES.some((file) => file === name || file.startsWith(name.replace(/\\/?$/, '/')));
const either = (ours, theirs) => (path, ...rest) => {
  const name = inPackage(path);
  return name === undefined ? theirs(path, ...rest) : ours(name, ...rest);
};
export const readFileSync = either(fileOf, real.readFileSync);
export const readdirSync = either(namesIn, real.readdirSync);
export const existsSync = either(isThere, real.existsSync);
export default { ...real, readFileSync, readdirSync, existsSync };
`;

const PROMISES = `
import real from 'node:fs/promises';
import { fileOf, inPackage, isThere, namesIn } from 'package:fs';
export * from 'node:fs/promises';
const either = (ours, theirs) => async (path, ...rest) => {
  const name = inPackage(path);
  return name === undefined ? theirs(path, ...rest) : ours(name, ...rest);
};
export const readFile = either(fileOf, real.readFile);
export const readdir = either(namesIn, real.readdir);
export const access = either((name) => { if (!isThere(name)) fileOf(name); }, real.access);
export default { ...real, readFile, readdir, access };
`;
