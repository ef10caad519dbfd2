import type { ShownCall } from './shown-call.ts';

/** Returns a text as a Java string. */
const text = (value: string): string =>
  JSON.stringify(value).replaceAll(/\\u([0-9a-f]{4})|[\u007f-\uffff]/g, (sign) =>
    sign.startsWith('\\u') ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function authorization(login: NonNullable<ShownCall['login']>): string {
  if (login === 'bearer') return '"Bearer " + System.getenv("ACCESS_TOKEN")';
  const secret = login.secret === undefined ? ' + System.getenv("SECRET")' : '';
  const plain = `${text(`${login.id}:${login.secret ?? ''}`)}${secret}`;
  return `"Basic " + Base64.getEncoder().encodeToString((${plain}).getBytes(StandardCharsets.UTF_8))`;
}

/** Returns the call with Java's own `HttpClient`, as a file that `java Call.java` runs. */
export function java({ method, url, login, headers, body }: ShownCall): string {
  const all = headers.map(([name, value]) => `        .header(${text(name)}, ${text(value)})\n`);
  if (login !== undefined) all.unshift(`        .header("authorization", ${authorization(login)})\n`);
  const publisher = body === '' ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${text(body)})`;
  const basic = login !== undefined && login !== 'bearer';
  return [
    'import java.net.URI;\nimport java.net.http.HttpClient;\nimport java.net.http.HttpRequest;\n',
    'import java.net.http.HttpRequest.BodyPublishers;\nimport java.net.http.HttpResponse.BodyHandlers;\n',
    basic ? 'import java.nio.charset.StandardCharsets;\nimport java.util.Base64;\n' : '',
    '\nclass Call {\n  public static void main(String[] args) throws Exception {\n',
    `    var request = HttpRequest.newBuilder(URI.create(${text(url)}))\n`,
    ...all,
    `        .method(${text(method)}, ${publisher})\n        .build();\n`,
    '    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());\n',
    '    System.out.println(response.statusCode() + " " + response.body());\n  }\n}\n',
  ].join('');
}
