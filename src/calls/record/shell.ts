import type { CommandContext } from '../../sandbox/commands/command.ts';
import { shellQuote } from '../code/curl.ts';
import { type ActStep, aroundActs } from './acts.ts';
import type { ExpectedEvent } from './events-after.ts';
import type { Form } from './form.ts';
import type { Lookup } from './lookups.ts';
import { asksReceiver, type Login, type Recording, type Step } from './recording.ts';
import { rehearsed } from './rehearse.ts';
import { environmentName, secretNote } from './secrets.ts';
import { inSlices } from './slices.ts';
import { NOBODY } from './start.ts';
import { pathText, type Template, type TemplatedNode, variablesIn } from './template.ts';

/** Returns a template as one word: each run of fixed text in single quotes, variables in double ones. */
function word(template: Template): string {
  const words: string[] = [];
  let fixed = '';
  const quote = (): void => {
    if (fixed !== '') words.push(shellQuote(fixed));
    fixed = '';
  };
  for (const part of template) {
    if (typeof part === 'string') {
      fixed += part;
      continue;
    }
    quote();
    words.push(`"$${part.variable}"`);
  }
  quote();
  return words.join('') || "''";
}

/** Returns JSON as one text with variables. */
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

/**
 * A function of the script: curl for the control API, with the token if the environment has one. A refusal ends the
 * script.
 */
const CURL = 'control';

const CONTROL = `control() {
  curl -sS -f -g \${SANDBOX_EMULATOR_CONTROL_TOKEN:+-H "x-control-token: $SANDBOX_EMULATOR_CONTROL_TOKEN"} "$@"
}
`;

/** Returns the address of the control API, with the sandbox in its query. */
const control = (prefix: string): string =>
  `origin=$(printf '%s' "$base" | cut -d/ -f1-${prefix.split('/').length + 2})\nsandbox="?sandbox=\${login%%:*}"\n${CONTROL}`;

/** Returns the command that moves a clock on by some milliseconds; none for less than a script itself takes. */
const moveText = (ms: number): string =>
  ms < SHORTEST_MS
    ? ''
    : `${CURL} -o "$reply" -H 'content-type: application/json' --data-raw '{"advance":"PT${ms / 1000}S"}' "$origin/_emulator/clock$sandbox"\n`;

const SHORTEST_MS = 1000;

/** Returns an act by hand, through the control API. */
function actText({ title, act, leftOut }: ActStep): string {
  if (leftOut !== undefined || act.what === 'said' || act.what === 'rewound')
    return `\n# Left out: ${title}: ${leftOut}\n`;
  if (act.what === 'decided')
    return `\n# ${title}\n${CURL} -o "$reply" -H 'content-type: application/json' --data-raw ${word(jsonText(act.body))} \\\n  "$origin"${word(act.path)}"$sandbox"\n`;
  const about = act.about ? word(act.about) : "''";
  return [
    `\n# ${title}\njob=$(${CURL} "$origin/_emulator/jobs$sandbox" | jq -r --arg kind ${shellQuote(act.kind)} --arg about ${about} \\\n`,
    `  '[.data[] | select(.kind == $kind and (.about // "") == $about)][${act.at}].id')\n`,
    `${CURL} -o "$reply" -X POST "$origin/_emulator/jobs/$job/run$sandbox"\n`,
  ].join('');
}

const lookupText = ({ variable, path, at, isMissing }: Lookup): string =>
  isMissing
    ? `\n# Left out: a fresh emulator has no ${variable} in ${word(path)}\n`
    : `\ncall ${shellQuote(`look for ${variable}`)} 200 -u "$login" "$base"${word(path)}\n${variable}=$(jq -r '.data[${at}].id' "$reply")\n`;

/** Returns a form with made-up files as words of curl. */
const formWords = ({ fields, files }: Form): string[] => [
  ...fields.map(([name, value]) => `--form-string ${word([`${name}=`, ...value])}`),
  ...files.map(
    ({ part, name, type }) =>
      `-F ${shellQuote(`${part}=@`)}"$reply.${part}"${shellQuote(`;type=${type};filename=${JSON.stringify(name)}`)}`,
  ),
];

/** Returns the commands that write the made-up files of a form. */
const filesText = ({ files }: Form): string =>
  files
    .map(({ part, begins, length }) => {
      const octal = [...begins].map((sign) => `\\0${sign.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
      const rest = length > begins.length ? `%${length - begins.length}s` : '';
      return `printf '%b${rest}' '${octal}'${rest === '' ? '' : " ''"} > "$reply.${part}"\n`;
    })
    .join('');

/** Returns the commands that wait for the events of a step whose types give ids: each is the next of its type. */
const eventsText = (events: readonly ExpectedEvent[], types: ReadonlySet<string>): string =>
  events
    .filter(({ type }) => types.has(type))
    .map(({ type, captures }) =>
      [
        `next_event ${type}\n`,
        ...captures.map(
          ({ variable, path: at }) => `${variable}=$(jq -r ${shellQuote(`.payload${pathText(at)}`)} "$reply")\n`,
        ),
      ].join(''),
    )
    .join('');

/** The function that waits for the next event of a type, after the one that it waited for before. */
const TOLD = `# Waits for the next event of a type, behind the one that it waited for before.
next_event() {
  name=after_$(printf '%s' "$1" | tr -c 'A-Za-z0-9' _)
  eval "after=\\\${$name:-$newest}"
  ${CURL} -o "$reply" "$origin/_emulator/webhooks/wait$sandbox&type=$1\${after:+&after=$after}"
  eval "$name=$(jq -r .id "$reply")"
}
newest=$(${CURL} "$origin/_emulator/webhooks$sandbox&limit=1" 2> /dev/null | jq -r '.data[0].id // ""')
`;

/** The milliseconds by which a script moves the clock before the acts of a step, and before the step. */
interface Moves {
  readonly acts: readonly number[];
  readonly step: number;
}

/** Returns how far the clock moves before each step and each of its acts. */
function movesOf(steps: readonly Step[]): Moves[] {
  let now = Date.parse(steps[0]?.acts[0]?.at ?? steps[0]?.at ?? '');
  const by = (at: string): number => {
    const ms = Date.parse(at) - now;
    // An interval too short for a move is added to the next one.
    if (ms >= SHORTEST_MS) now = Date.parse(at);
    return ms;
  };
  return steps.map(({ acts, at }) => ({ acts: acts.map((act) => by(act.at)), step: by(at) }));
}

function stepText(step: Step, moves: Moves, types: ReadonlySet<string>, before: Step | undefined): string {
  const { method, path, login, headers, json, text, form, status, captures, title, needed, leftOut, says, wrong } =
    step;
  const [early, late] = aroundActs(before?.events ?? [], step.acts);
  const acts = [
    early.length > 0 ? moveText(moves.acts[0] ?? 0) : '',
    eventsText(early, types),
    ...step.acts.map((act, i) => (i === 0 && early.length > 0 ? '' : moveText(moves.acts[i] ?? 0)) + actText(act)),
    moveText(moves.step),
    eventsText(late, types),
  ];
  if (leftOut !== undefined)
    return [...acts, `\n# ${title} (${step.id})\n# Left out, because it cannot be repeated: ${leftOut}\n`].join('');
  const body = json ? jsonText(json) : text;
  const parts = [
    ...headers.map(([name, value]) => `-H ${word([`${name}: `, ...value])}`),
    ...(json && !headers.some(([name]) => name === 'content-type') ? ["-H 'content-type: application/json'"] : []),
    ...(body ? [`--data-raw ${word(body)}`] : []),
    ...(form ? formWords(form) : []),
  ];
  const verb =
    method === 'HEAD' ? '--head ' : method === 'GET' || (method === 'POST' && (body || form)) ? '' : `-X ${method} `;
  return [
    ...acts,
    ...step.lookups.map(lookupText),
    `\n# ${title}${needed ? ', which creates what later calls use' : ''}\n`,
    ...says.map((one) => `# ${one}\n`),
    wrong === undefined ? '' : `# This cannot be repeated as it is: ${wrong}\n`,
    form ? filesText(form) : '',
    `call ${shellQuote(title)} ${status} ${loginWord(login)}${verb}"$base"${word(path)}${parts.map((part) => ` \\\n  ${part}`).join('')}\n`,
    ...captures.map(({ variable, path: at }) => `${variable}=$(jq -r ${shellQuote(pathText(at))} "$reply")\n`),
    ...(step.decides
      ? [
          `\n# ${step.decides.says}\ncall 'decide in place of the receiver' 200 -u "$login" -X POST "$base"${word(step.decides.path)}\n`,
        ]
      : []),
  ].join('');
}

/**
 * Commands that set an endpoint if there is none, and pause deliveries until the script ends: calls make a receiver's
 * decisions.
 */
const PAUSE = `
# What a receiver would answer is decided by calls: webhooks are held until the script ends.
${CURL} -o "$reply" -X POST "$origin/_emulator/webhooks/pause$sandbox"
endpoint=$(${CURL} "$origin/_emulator/webhooks/endpoint$sandbox" | jq -r '.url // ""')
[ -n "$endpoint" ] || ${CURL} -o "$reply" -X PUT -H 'content-type: application/json' \\
  --data-raw '{"url":"${NOBODY}"}' "$origin/_emulator/webhooks/endpoint$sandbox"
trap '${CURL} -o "$reply" -X POST "$origin/_emulator/webhooks/resume$sandbox"; rm -f "$reply" "$reply".*' EXIT
`;

/** Returns a recording without the parts that a script cannot do. */
const forScript = (recording: Recording): Recording => ({
  ...recording,
  steps: recording.steps.map((step) => ({
    ...step,
    ...(step.sealed ? { leftOut: 'no script seals a one-time code; a Vitest test does' } : {}),
    acts: step.acts.map((one) =>
      one.act.what === 'rewound' ? { ...one, leftOut: 'a script does not rewind a running emulator' } : one,
    ),
  })),
});

const counted = (calls: number): string => (calls === 1 ? '1 call,' : `${calls} calls, all`);

/** Returns the notes that say whether and why the script needs a fresh sandbox, and how to provide one. */
function freshNotes({ lookups, steps, again }: Recording): string[] {
  const all = [...lookups, ...steps.flatMap((step) => step.lookups)];
  const placed = all.find(({ path, isMissing }) => !isMissing && variablesIn(path).length === 0);
  const why =
    again ??
    (placed
      ? `it takes ${placed.variable} by its place in a list, counted from the oldest of the scenario`
      : undefined);
  if (why === undefined) return [];
  return [
    `Run it in a fresh sandbox: ${why}.`,
    'A token id that nobody has used opens one: LOGIN=run-2:secret sh <this file>. A scenario of your own: POST /_emulator/sandboxes.',
  ];
}

/** Returns a recording as a shell script that calls a running emulator, and ends at the first status that differs. */
export async function shellScript(context: CommandContext, asRecorded: Recording): Promise<string> {
  const { host, sandbox, baseUrl } = context;
  const recording = await rehearsed(context, forScript(asRecorded), { twice: true });
  const { lookups, steps, notes, secrets } = recording;
  const [own] = sandbox.credentials;
  const moves = movesOf(steps);
  const types = new Set(
    steps.flatMap(({ events }) => events.filter(({ captures }) => captures.length > 0).map(({ type }) => type)),
  );
  const pauses = asksReceiver(recording);
  const needsControl =
    pauses ||
    types.size > 0 ||
    steps.some(({ acts }) => acts.length > 0) ||
    moves.some(({ acts, step }) => [...acts, step].some((ms) => ms >= SHORTEST_MS));
  return [
    '#!/bin/sh\n# Needs curl and jq, and an emulator that runs: BASE is where its API answers, LOGIN id and secret.\n',
    ...freshNotes(recording).map((note) => `# ${note}\n`),
    ...notes.map((note) => `# ${note}\n`),
    'set -eu\n',
    `base=\${BASE:-${baseUrl}}\nlogin=\${LOGIN:-}\n[ -n "$login" ] || login=${shellQuote(`${own?.tokenId}:${own?.secret ?? ''}`)}\n`,
    ...secrets.map((secret) => `# ${secretNote(secret)}\n${secret.variable}=\${${environmentName(secret)}:-}\n`),
    'reply=$(mktemp)\ntrap \'rm -f "$reply" "$reply".*\' EXIT\n',
    needsControl ? control(host.prefix) : '',
    pauses ? PAUSE : '',
    types.size > 0 ? `\n${TOLD}` : '',
    '\n',
    '# Calls with curl, and expects a status.\ncall() {\n  step=$1\n  expected=$2\n  shift 2\n',
    '  status=$(curl -sS -g -o "$reply" -w \'%{http_code}\' "$@")\n',
    '  if [ "$status" != "$expected" ]; then\n    echo "$step: $status instead of $expected: $(cat "$reply")" >&2\n    exit 1\n  fi\n}\n',
    ...lookups.map(lookupText),
    ...(await inSlices(steps, (step, i) => stepText(step, moves[i] as Moves, types, steps[i - 1]))),
    `\necho ${shellQuote(`${counted(steps.filter(({ leftOut }) => leftOut === undefined).length)} as recorded`)}\n`,
  ].join('');
}
