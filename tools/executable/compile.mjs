// Usage: node compile.mjs <folder with code.js>: writes code.cache, the compiled code of a start and its first requests.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';

const folder = process.argv[2];
// What ran once and long ago would be thrown away, and it is just what a start needs.
v8.setFlagsFromString('--no-flush-bytecode');
const stopped = Promise.withResolvers();
const ready = Promise.withResolvers();
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  if (String(text).startsWith('{"event":"ready"')) ready.resolve(JSON.parse(text));
  return write(text, ...rest);
};
process.exit = () => stopped.resolve();
process.argv = [process.argv[0], join(import.meta.dirname, 'main.cjs'), folder, '--port', '0', '--json'];
createRequire(import.meta.url)('./main.cjs');

const { baseUrl, credentials } = await ready.promise;
const authorization = `Basic ${btoa(`${credentials.id}:${credentials.secret}`)}`;
const answer = await fetch(`${baseUrl}/customers`, { headers: { authorization } });
if (answer.status !== 200) throw new Error(`the first call was answered with ${answer.status}`);
await answer.text();
// Compiled code is only taken by a V8 with the flags of the one that wrote it.
v8.setFlagsFromString('--flush-bytecode');
writeFileSync(join(folder, 'code.cache'), globalThis.keepCompiled());
process.reallyExit(0);
