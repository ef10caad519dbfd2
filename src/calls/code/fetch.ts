import { jsonIn } from '../../contract/json.ts';
import type { ShownCall } from './shown-call.ts';

/** Returns a value as JavaScript; lines after the first are indented. */
export const literal = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2)
    .replaceAll('\n', `\n${indent}`)
    .replaceAll(/\u2028|\u2029/g, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'));

const authorization = (login: NonNullable<ShownCall['login']>): string => {
  if (login === 'bearer') return "'Bearer ' + process.env.ACCESS_TOKEN";
  const [id, secret] = [JSON.stringify(`${login.id}:`), login.secret];
  return secret === undefined
    ? `\`Basic \${btoa(${id} + process.env.SECRET)}\``
    : `\`Basic \${btoa(${JSON.stringify(`${login.id}:${secret}`)})}\``;
};

/** Returns the call with `fetch`, for Node and browsers alike. */
export function fetchCode({ method, url, login, headers, body }: ShownCall): string {
  const all = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  if (login !== undefined) all.unshift(`    authorization: ${authorization(login)},\n`);
  const json = jsonIn(body);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},\n`]),
    ...(all.length > 0 ? [`  headers: {\n${all.join('')}  },\n`] : []),
    ...(body === ''
      ? []
      : [`  body: ${json === undefined ? JSON.stringify(body) : `JSON.stringify(${literal(json, '  ')})`},\n`]),
  ];
  const options = lines.length > 0 ? `, {\n${lines.join('')}}` : '';
  return `const response = await fetch(${JSON.stringify(url)}${options});\nconsole.log(response.status, await response.text());\n`;
}
