// Node loads undici when anybody names a class of fetch: a third of the time of a start. The HTTP adapter names them all when it is
// loaded, and answers with classes of its own that rarely need them. Here it names them when somebody asks for one.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const OVERRIDE = `	if (options.overrideGlobalObjects !== false && global.Request !== Request$1) {
		Object.defineProperty(global, "Request", { value: Request$1 });
		Object.defineProperty(global, "Response", { value: Response$1 });
	}
`;

const PRELUDE = `
let GlobalHeaders, GlobalRequest, GlobalResponse, Request$1;
const loadFetch = () => {
  if (GlobalResponse) return;
  GlobalHeaders = globalThis.Headers;
  GlobalRequest = globalThis.Request;
  GlobalResponse = globalThis.Response;
  linkClasses();
};
/** Whether it is of a class: no plain object is of one of fetch, and to name that one would load it. */
const isOfFetch = (value) => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== Object.prototype;
`;

const LINK = `
const linkClasses = () => {
  Request$1 = class extends GlobalRequest {$CLASS};
  Object.setPrototypeOf(RequestHeaders.prototype, GlobalHeaders.prototype);
  Object.setPrototypeOf(requestPrototype, Request$1.prototype);
  Object.setPrototypeOf(Response$1, GlobalResponse);
  Object.setPrototypeOf(Response$1.prototype, GlobalResponse.prototype);
};
`;

/** What is replaced in the adapter's text, each exactly once. */
const changes = (requestClass) => [
  ['const GlobalHeaders = globalThis.Headers;\n', PRELUDE],
  ['HeadersCtor = GlobalHeaders', 'HeadersCtor = globalThis.Headers'],
  ['Object.setPrototypeOf(RequestHeaders.prototype, GlobalHeaders.prototype);\n', ''],
  ['=> globalThis.Headers === GlobalHeaders ?', '=> !GlobalHeaders || globalThis.Headers === GlobalHeaders ?'],
  [`const GlobalRequest = global.Request;\nvar Request$1 = class extends GlobalRequest {${requestClass}};\n`, ''],
  ['[getRequestCache]() {\n', '[getRequestCache]() {\n\t\tloadFetch();\n'],
  ['Object.setPrototypeOf(requestPrototype, Request$1.prototype);\n', ''],
  ['const GlobalResponse = global.Response;\n', ''],
  ['[getResponseCache]() {\n', '[getResponseCache]() {\n\t\tloadFetch();\n'],
  ['if (init instanceof GlobalResponse) {', 'if (isOfFetch(init) && (loadFetch(), init instanceof GlobalResponse)) {'],
  ['Object.setPrototypeOf(Response$1, GlobalResponse);\n', ''],
  [
    'Object.setPrototypeOf(Response$1.prototype, GlobalResponse.prototype);\n',
    LINK.replace('$CLASS', () => requestClass),
  ],
  ['if (header instanceof Headers) {', 'if (isOfFetch(header) && header instanceof Headers) {'],
  // The names of the process are left to it: what is joined has `Response` from here.
  [OVERRIDE, ''],
];

/** Replaces texts; ends the build where the library has changed so that one is not there, or twice. */
function changed(text) {
  const requestClass = /var Request\$1 = class extends GlobalRequest \{(.*?)\n\};\n/s.exec(text)?.[1];
  let made = text.slice(0, text.indexOf('//#region src/websocket.ts'));
  for (const [from, to] of changes(`${requestClass}\n`)) {
    if (made.split(from).length !== 2) throw new Error(`the HTTP adapter has changed: ${from}`);
    made = made.replace(from, () => to);
  }
  return `${made}\nexport { RequestError, Response$1 as Response, getRequestListener };\n`;
}

/** Our own files, and others' that answer requests: in them `Response` is the adapter's. */
const ANSWERS =
  /[\\/](?:src[\\/](?:control|http|inspector|mcp)|hono[\\/]dist|sdk[\\/]dist[\\/]esm[\\/]server)[\\/].*\.(tsx?|js)$/;

/** @type {import('esbuild').Plugin} */
export const lateFetch = {
  name: 'late-fetch',
  setup({ onLoad }) {
    onLoad({ filter: /@hono[\\/]node-server[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => ({
      contents: changed(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
    onLoad({ filter: ANSWERS }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!/\b(?:new|instanceof) Response\b/.test(text)) return undefined;
      return {
        contents: `${text}\nimport { Response } from '@hono/node-server';\n`,
        loader: ANSWERS.exec(path)[1],
        resolveDir: dirname(path),
      };
    });
  },
};
