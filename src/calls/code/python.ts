import { jsonIn } from '../../contract/json.ts';
import type { ShownCall } from './shown-call.ts';

const text = (value: string): string =>
  JSON.stringify(value).replaceAll(/[\ud800-\udfff]{2}|[\u007f-\uffff]/g, (sign) => {
    const point = sign.codePointAt(0) as number;
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
  });

/** Returns a JSON value as Python; lines after the first are indented. */
function literal(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${text(name)}: ${literal(one, inner)}`);
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Returns the call with Python's `requests`. */
export function python({ method, url, login, headers, body }: ShownCall): string {
  const json = jsonIn(body);
  const needed = headers.filter(
    ([name, value]) => !(json !== undefined && name === 'content-type' && value.startsWith('application/json')),
  );
  const all = needed.map(([name, value]) => `        ${text(name)}: ${text(value)},\n`);
  if (login === 'bearer') all.unshift(`        "authorization": "Bearer " + os.environ["ACCESS_TOKEN"],\n`);
  const basic = login !== undefined && login !== 'bearer' ? login : undefined;
  const secret = basic?.secret === undefined ? 'os.environ["SECRET"]' : text(basic.secret);
  const takesVariable = login === 'bearer' || (basic !== undefined && basic.secret === undefined);
  return [
    takesVariable ? 'import os\n\nimport requests\n' : 'import requests\n',
    '\nresponse = requests.request(\n',
    `    ${text(method)},\n    ${text(url)},\n`,
    basic ? `    auth=(${text(basic.id)}, ${secret}),\n` : '',
    all.length > 0 ? `    headers={\n${all.join('')}    },\n` : '',
    json !== undefined
      ? `    json=${literal(json, '    ')},\n`
      : body === ''
        ? ''
        : `    data=${text(body)}.encode(),\n`,
    ')\nprint(response.status_code, response.text)\n',
  ].join('');
}
