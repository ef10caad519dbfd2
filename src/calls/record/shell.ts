import type { CommandContext } from '../../sandbox/commands/command.ts';
import { shellQuote } from '../code/curl.ts';
import type { ActStep } from './acts.ts';
import type { Lookup } from './lookups.ts';
import type { Login, Recording, Step } from './recording.ts';
import { environmentName, secretNote } from './secrets.ts';
import { inSlices } from './slices.ts';
import { pathText, type Template, type TemplatedNode } from './template.ts';

/** A template as one word: what is fixed in single quotes, variables in double ones. */
const word = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? shellQuote(part) : `"$${part.variable}"`)).join('') || "''";

/** JSON as one text in which variables stand. */
function jsonText(node: TemplatedNode): Template {
  const join = (open: string, parts: readonly Template[], close: string): Template => [
    open,
    ...parts.flatMap((part, i) => (i > 0 ? [',', ...part] : part)),
    close,
  ];
  if ('text' in node)
    return [
      '"',
      ...node.text.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : part)),
      '"',
    ];
  if ('plain' in node) return [String(node.plain)];
  if ('list' in node) return join('[', node.list.map(jsonText), ']');
  return join(
    '{',
    node.members.map(([name, value]) => [`${JSON.stringify(name)}:`, ...jsonText(value)]),
    '}',
  );
}

const loginWord = (login: Login): string =>
  login === 'own' ? '-u "$login" ' : login === 'none' ? '' : `-u ${word([...login.id, ':', ...login.secret])} `;

/** Curl for the control API: a refusal ends the script. */
const CURL = 'curl -sS -f -g';

/** The address of the control API, and the sandbox in its query. */
const control = (prefix: string): string =>
  `origin=$(printf '%s' "$base" | cut -d/ -f1-${prefix.split('/').length + 2})\nsandbox="?sandbox=\${login%%:*}"\n`;

/** An act by hand, through the control API. */
function actText({ title, act }: ActStep): string {
  if (act.what === 'rewound') return `\n# Left out: ${title}\n`;
  if (act.what === 'decided')
    return `\n# ${title}\n${CURL} -o "$reply" -H 'content-type: application/json' --data-raw ${word(jsonText(act.body))} \\\n  "$origin"${word(act.path)}"$sandbox"\n`;
  const about = act.about ? word(act.about) : "''";
  return [
    `\n# ${title}\njob=$(${CURL} "$origin/_emulator/jobs$sandbox" | jq -r --arg kind ${shellQuote(act.kind)} --arg about ${about} \\\n`,
    `  '[.data[] | select(.kind == $kind and (.about // "") == $about)][${act.at}].id')\n`,
    `${CURL} -o "$reply" -X POST "$origin/_emulator/jobs/$job/run$sandbox"\n`,
  ].join('');
}

const lookupText = ({ variable, path, at }: Lookup): string =>
  `\ncall 200 -u "$login" "$base"${shellQuote(path)}\n${variable}=$(jq -r '.data[${at}].id' "$reply")\n`;

/** True for a step for which the control API is called. */
const needsControl = ({ acts, told }: Step): boolean =>
  acts.length > 0 || told.some(({ captures }) => captures.length > 0);

function stepText(step: Step): string {
  const { method, path, login, headers, json, text, status, captures, title, needed } = step;
  const body = json ? jsonText(json) : text;
  const parts = [
    ...headers.map(([name, value]) => `-H ${word([`${name}: `, ...value])}`),
    ...(json && !headers.some(([name]) => name === 'content-type') ? ["-H 'content-type: application/json'"] : []),
    ...(body ? [`--data-raw ${word(body)}`] : []),
  ];
  const verb = method === 'HEAD' ? '--head ' : method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `;
  return [
    ...step.acts.map(actText),
    ...step.lookups.map(lookupText),
    `\n# ${title}${needed ? ', which makes what later calls use' : ''}\n`,
    `call ${status} ${loginWord(login)}${verb}"$base"${word(path)}${parts.map((part) => ` \\\n  ${part}`).join('')}\n`,
    ...captures.map(({ variable, path: at }) => `${variable}=$(jq -r ${shellQuote(pathText(at))} "$reply")\n`),
    ...step.told.flatMap(({ type, captures: ids }) =>
      ids.map(
        ({ variable, path: at }) =>
          `${variable}=$(${CURL} "$origin/_emulator/webhooks/wait$sandbox&type=${type}" | jq -r ${shellQuote(`.payload${pathText(at)}`)})\n`,
      ),
    ),
  ].join('');
}

/** A recording as a shell script that calls a running emulator, and ends at the first status that is another one. */
export async function shellScript(
  { host, sandbox, baseUrl }: CommandContext,
  { lookups, steps, notes, secrets }: Recording,
): Promise<string> {
  const [own] = sandbox.credentials;
  return [
    '#!/bin/sh\n# Needs curl and jq, and an emulator that runs: BASE is where its API answers, LOGIN id and secret.\n',
    ...notes.map((note) => `# ${note}\n`),
    'set -eu\n',
    `base=\${BASE:-${baseUrl}}\nlogin=\${LOGIN:-}\n[ -n "$login" ] || login=${shellQuote(`${own?.tokenId}:${own?.secret ?? ''}`)}\n`,
    ...secrets.map((secret) => `# ${secretNote(secret)}\n${secret.variable}=\${${environmentName(secret)}:-}\n`),
    steps.some(needsControl) ? control(host.prefix) : '',
    'reply=$(mktemp)\ntrap \'rm -f "$reply"\' EXIT\n\n',
    '# Calls with curl, and expects a status.\ncall() {\n  expected=$1\n  shift\n',
    '  status=$(curl -s -g -o "$reply" -w \'%{http_code}\' "$@")\n',
    '  if [ "$status" != "$expected" ]; then\n    echo "$status instead of $expected: $(cat "$reply")" >&2\n    exit 1\n  fi\n}\n',
    ...lookups.map(lookupText),
    ...(await inSlices(steps, stepText)),
  ].join('');
}
