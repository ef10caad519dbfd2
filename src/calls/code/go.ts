import type { ShownCall } from './shown-call.ts';

/** Returns a text as a Go string: raw if it has no backquote, which keeps JSON readable. */
const raw = (value: string): string => (/[`\r\0\ufeff]/.test(value) ? text(value) : `\`${value}\``);
const text = (value: string): string => JSON.stringify(value).replaceAll('\ufeff', '\\ufeff');

function loginLines(login: ShownCall['login']): string {
  if (login === undefined) return '';
  if (login === 'bearer') return '\trequest.Header.Set("authorization", "Bearer "+os.Getenv("ACCESS_TOKEN"))\n';
  return `\trequest.SetBasicAuth(${text(login.id)}, ${login.secret === undefined ? 'os.Getenv("SECRET")' : text(login.secret)})\n`;
}

/** Returns the call with Go's own `net/http`, as a file that `go run` runs. */
export function go({ method, url, login, headers, body }: ShownCall): string {
  const lines = loginLines(login);
  const imports = [
    'fmt',
    'io',
    'net/http',
    ...(lines.includes('os.Getenv') ? ['os'] : []),
    ...(body === '' ? [] : ['strings']),
  ];
  return [
    `package main\n\nimport (\n${imports.map((name) => `\t"${name}"\n`).join('')})\n\nfunc main() {\n`,
    `\trequest, err := http.NewRequest(${text(method)}, ${text(url)}, ${body === '' ? 'nil' : `strings.NewReader(${raw(body)})`})\n`,
    '\tif err != nil {\n\t\tpanic(err)\n\t}\n',
    lines,
    ...headers.map(([name, value]) => `\trequest.Header.Set(${text(name)}, ${text(value)})\n`),
    '\tresponse, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n',
    '\tdefer response.Body.Close()\n\tbody, err := io.ReadAll(response.Body)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n',
    '\tfmt.Println(response.StatusCode, string(body))\n}\n',
  ].join('');
}
