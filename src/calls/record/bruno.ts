import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Lookup } from './lookups.ts';
import type { Login, Recording, Step } from './recording.ts';
import { inSlices } from './slices.ts';
import { pathText, type Template, type TemplatedNode } from './template.ts';

/** Returns a template with Bruno's variables. */
const text = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `{{${part.variable}}}`)).join('');

function value(node: TemplatedNode): unknown {
  if ('text' in node) return text(node.text);
  if ('plain' in node) return node.plain;
  if ('list' in node) return node.list.map(value);
  return Object.fromEntries(node.members.map(([name, one]) => [name, value(one)]));
}

const NO_AUTH = {
  awsv4: null,
  basic: null,
  bearer: null,
  digest: null,
  ntlm: null,
  oauth2: null,
  wsse: null,
  apikey: null,
};

function authOf(login: Login): object {
  if (login === 'none') return { mode: 'none', ...NO_AUTH };
  const [username, password] =
    login === 'own' ? ['{{loginId}}', '{{loginSecret}}'] : [text(login.id), text(login.secret)];
  return { ...NO_AUTH, mode: 'basic', basic: { username, password } };
}

const variable = (name: string, is: string) => ({ name, value: is, enabled: true, local: false });

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly login: Login;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly mode: 'none' }
    | { readonly mode: 'json'; readonly json: string }
    | { readonly mode: 'text'; readonly text: string };
  readonly status: number;
  readonly captures: readonly (readonly [name: string, path: string])[];
}

const item = (call: Call, i: number) => ({
  type: 'http-request',
  name: call.name,
  seq: i + 1,
  request: {
    url: `{{base}}${call.path}`,
    method: call.method,
    headers: call.headers.map(([name, is]) => ({ name, value: is, enabled: true })),
    params: [],
    auth: authOf(call.login),
    body: call.body,
    script: {},
    vars: { req: [], res: call.captures.map(([name, path]) => variable(name, `res.body${path}`)) },
    assertions: [{ name: 'res.status', value: `eq ${call.status}`, enabled: true }],
    tests: '',
    docs: '',
  },
});

function callOf(step: Step): Call {
  const { json, text: plain } = step;
  return {
    name: step.title,
    method: step.method,
    path: text(step.path),
    login: step.login,
    headers: step.headers.map(([name, is]) => [name, text(is)] as const),
    body: json
      ? { mode: 'json', json: JSON.stringify(value(json), null, 2) }
      : plain
        ? { mode: 'text', text: text(plain) }
        : { mode: 'none' },
    status: step.status,
    captures: step.captures.map(({ variable: name, path }) => [name, pathText(path)] as const),
  };
}

/**
 * Returns a recording as a collection for Bruno (Import collection, Bruno collection), with an environment of its
 * variables.
 */
export async function brunoCollection(
  { sandbox, baseUrl }: CommandContext,
  { lookups, steps, secrets }: Recording,
): Promise<string> {
  const [own] = sandbox.credentials;
  const sent = steps.filter(({ leftOut, form, sealed }) => leftOut === undefined && !form && !sealed);
  const finds = (all: readonly Lookup[]): Call[] =>
    all.map(({ variable: name, path, at }) => ({
      name: `find ${name}`,
      method: 'GET',
      path: text(path),
      login: 'own',
      headers: [],
      body: { mode: 'none' },
      status: 200,
      captures: [[name, `.data.at(${at}).id`]],
    }));
  const parts = await inSlices(sent, (step) => [...finds(step.lookups), callOf(step)]);
  const calls = [...finds(lookups), ...parts.flat()].map((one, i) => ({ ...one, name: `${i + 1} ${one.name}` }));
  // A collection cannot wait for an event: a person fills these in.
  const elsewhere = steps.flatMap((step) => [
    ...step.events.flatMap(({ captures }) => captures),
    ...(step.sealed ? [step.sealed] : []),
    ...(step.form || step.sealed ? step.captures : []),
  ]);
  const environment = {
    base: baseUrl,
    loginId: own?.tokenId ?? '',
    loginSecret: own?.secret ?? '',
    ...Object.fromEntries([...secrets, ...elsewhere].map(({ variable: name }) => [name, ''])),
  };
  const variables = Object.entries(environment).map(([name, is]) => ({
    name,
    value: is,
    type: 'text',
    enabled: true,
    secret: false,
  }));
  const collection = {
    version: '1',
    name: 'Recorded from sandbox-emulator',
    items: calls.map(item),
    environments: [{ name: 'sandbox-emulator', variables }],
    activeEnvironmentUid: null,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
