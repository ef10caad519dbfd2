import type { CommandContext } from '../../sandbox/commands/command.ts';
import { type ActStep, aroundActs, type RanAct } from './acts.ts';
import type { ExpectedEvent } from './events-after.ts';
import type { Form } from './form.ts';
import type { Lookup } from './lookups.ts';
import { asksReceiver, type Recording, type Step } from './recording.ts';
import { rehearsed } from './rehearse.ts';
import { environmentName, secretNote } from './secrets.ts';
import { inSlices } from './slices.ts';
import { hasFaults, startOf } from './start.ts';
import { pathText, type Template, type TemplatedNode } from './template.ts';
import { SANDBOX_CODE, type Sealed } from './wallet.ts';

const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Returns a template as an expression. */
function expression(template: Template): string {
  if (template.length === 0) return "''";
  const [only] = template;
  if (template.length === 1 && only !== undefined) return typeof only === 'string' ? quoted(only) : only.variable;
  const parts = template.map((part) =>
    typeof part === 'string'
      ? JSON.stringify(part)
          .slice(1, -1)
          .replaceAll('\\"', '"')
          .replaceAll(/`|\$\{/g, '\\$&')
      : `\${${part.variable}}`,
  );
  return `\`${parts.join('')}\``;
}

/** Returns the name of a member; a bare `__proto__` would set the prototype. */
const key = (name: string): string => {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
};

/** Returns a member with its value; in shorthand if its variable has the same name. */
const memberText = (name: string, value: string): string => (name === value ? name : `${key(name)}: ${value}`);

/** Returns a JSON value as an expression, on one line if it is short. */
function literal(node: TemplatedNode, indent: string): string {
  if ('text' in node) return expression(node.text);
  if ('plain' in node) return String(node.plain);
  const inner = `${indent}  `;
  const parts =
    'list' in node
      ? node.list.map((one) => literal(one, inner))
      : node.members.map(([name, one]) => memberText(name, literal(one, inner)));
  const [open, close] = 'list' in node ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = 'list' in node ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + indent.length <= 90 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const member = (name: string, value: unknown): string =>
  `${name}: ${name === 'now' || name === 'profile' ? quoted(String(value)) : JSON.stringify(value)}`;

/** Returns the options of the test's emulator, so that it starts as this one did. */
function startText(context: CommandContext, recording: Recording): string {
  const parts = ['port: 0', ...Object.entries(startOf(context, recording)).map(([name, value]) => member(name, value))];
  const line = `{ ${parts.join(', ')} }`;
  return line.length < 80 ? line : `{\n${parts.map((part) => `    ${part},\n`).join('')}  }`;
}

/** Returns an act by hand as lines of the test. */
function actText({ at, title, act, leftOut }: ActStep): string {
  if (leftOut !== undefined || act.what === 'said') return `\n  // Left out: ${title}: ${leftOut}\n`;
  if (act.what === 'rewound')
    return `\n  // ${title}\n  await sandbox.rewind(String(answer${act.step + 1}.headers.get('x-request-id')));\n`;
  const [path, init] =
    act.what === 'decided'
      ? [expression(act.path), `{ json: ${literal(act.body, '  ')} }`]
      : [`\`/_emulator/jobs/\${${jobCall(act)}}/run\``, "{ method: 'POST' }"];
  return [
    `\n  // ${title}\n  await sandbox.clock.advanceTo('${at}');\n`,
    `  expect((await sandbox.fetch(${path}, ${init})).ok).toBe(true);\n`,
  ].join('');
}

const jobCall = ({ kind, about, at }: RanAct): string =>
  `await jobIdOf(${quoted(kind)}, ${about ? expression(about) : 'undefined'}, ${at})`;

/** Returns a line for each expected event, and for each id that only an event shows. */
const eventsText = (events: readonly ExpectedEvent[], place: string): string =>
  events
    .map(({ type, about, captures }, at) => {
      const where = `where: (event) => JSON.stringify(event).includes(${about})`;
      const options = about === undefined ? '' : `, {\n    ${where},\n  }`;
      const event = `event${place}_${at + 1}`;
      return [
        `  ${captures.length > 0 ? `const ${event} = ` : ''}await sandbox.webhooks.waitFor(${quoted(type)}${options});\n`,
        ...captures.map(
          ({ variable, path }) =>
            `  const ${variable}: string = JSON.parse(JSON.stringify(${event}))${pathText(path)};\n`,
        ),
      ].join('');
    })
    .join('');

/** Returns a line for an id that is looked up in a list. */
const lookupText = ({ variable, path, at, isMissing }: Lookup): string =>
  `  ${isMissing ? '// Left out, because a fresh emulator has none: ' : ''}const ${variable} = await idAt(${expression(path)}, ${at});\n`;

function stepText(step: Step, i: number, before: Step | undefined): string {
  const answer = `answer${i + 1}`;
  const reads = step.expected !== undefined || step.captures.length > 0;
  const [early, late] = aroundActs(before?.events ?? [], step.acts);
  const acts = [
    early.length > 0 ? `\n  await sandbox.clock.advanceTo('${step.acts[0]?.at}');\n${eventsText(early, `${i}a`)}` : '',
    ...step.acts.map(actText),
  ];
  if (step.leftOut !== undefined)
    return [
      ...acts,
      `\n  // ${step.title} (${step.id})\n  // Left out, because it cannot be repeated: ${step.leftOut}\n`,
      late.length > 0 ? `  await sandbox.clock.advanceTo('${step.at}');\n${eventsText(late, String(i))}` : '',
    ].join('');
  return [
    ...acts,
    `\n  // ${step.title}${step.needed ? ', which creates what later calls use' : ''}\n`,
    ...step.says.map((one) => `  // ${one}\n`),
    step.wrong === undefined ? '' : `  // This cannot be repeated as it is: ${step.wrong}\n`,
    `  await sandbox.clock.advanceTo('${step.at}');\n`,
    eventsText(late, String(i)),
    ...step.lookups.map(lookupText),
    step.sealed ? sealedText(step.sealed) : '',
    step.form ? formText(step.form, `form${i + 1}`) : '',
    `  const ${answer} = await sandbox.fetch(${expression(step.path)}${initOf(step, `form${i + 1}`)});\n`,
    `  expect(${answer}.status).toBe(${step.status});\n`,
    reads ? `  const body${i + 1} = await ${answer}.json();\n` : '',
    step.expected ? `  expect(body${i + 1}).toMatchObject(${literal(step.expected, '  ')});\n` : '',
    ...step.captures.map(({ variable, path }) => `  const ${variable}: string = body${i + 1}${pathText(path)};\n`),
    ...(step.decides
      ? [
          `  // ${step.decides.says}\n`,
          `  expect((await sandbox.fetch(${expression(step.decides.path)}, { method: 'POST' })).status).toBe(200);\n`,
        ]
      : []),
  ].join('');
}

const sealedText = ({ variable, to }: Sealed): string =>
  `  const ${variable} = await sealOtp(${to}, '${SANDBOX_CODE}', createClientKey().uncompressed);\n`;

/** Returns a form with made-up files, as lines of the test. */
const formText = ({ fields, files }: Form, name: string): string =>
  [
    `  const ${name} = new FormData();\n`,
    ...fields.map(([field, value]) => `  ${name}.append(${quoted(field)}, ${expression(value)});\n`),
    ...files.flatMap(({ part, name: file, type, length, begins }) => [
      `  const ${part}${name} = Buffer.from(${quoted(begins)}.padEnd(${length}), 'latin1');\n`,
      `  ${name}.append(${quoted(part)}, new Blob([${part}${name}], { type: ${quoted(type)} }), ${quoted(file)});\n`,
    ]),
  ].join('');

function initOf({ method, headers, login, json, text, form }: Step, formName: string): string {
  const all = headers.map(([name, value]) => `${key(name)}: ${expression(value)}`);
  if (login === 'none' && !headers.some(([name]) => name === 'authorization')) all.push("authorization: ''");
  if (typeof login === 'object')
    all.push(`authorization: \`Basic \${btoa(${expression([...login.id, ':', ...login.secret])})}\``);
  const parts = [
    ...(method === 'GET' || (method === 'POST' && json) ? [] : [`method: '${method}'`]),
    ...(all.length > 0 ? [`headers: { ${all.join(', ')} }`] : []),
    ...(json ? [`json: ${literal(json, '    ')}`] : []),
    ...(text ? [`body: ${expression(text)}`] : []),
    ...(form ? [`body: ${formName}`] : []),
  ];
  if (parts.length === 0) return '';
  const line = `, { ${parts.join(', ')} }`;
  return line.length < 70 && !line.includes('\n') ? line : `, {\n${parts.map((part) => `    ${part},\n`).join('')}  }`;
}

const JOB_ID_OF = [
  '  const jobIdOf = async (kind: string, about: string | undefined, at: number): Promise<string> => {\n',
  "    const { data } = await (await sandbox.fetch('/_emulator/jobs')).json();\n",
  '    const alike = (job: { kind: string; about?: string }) => job.kind === kind && job.about === about;\n',
  '    return data.filter(alike)[at].id;\n  };\n',
].join('');

/** Returns the lines for the last events, for which the clock moves once more. */
function lastEvent({ events, at: last }: Step, i: number): string {
  if (events.length === 0) return '';
  const at = [last, ...events.map((one) => one.at)].sort().at(-1);
  return `\n  await sandbox.clock.advanceTo('${at}');\n${eventsText(events, String(i + 1))}`;
}

/**
 * Returns a recording as a Vitest test, tried in advance. Its emulator starts as this one did, and its clock makes the
 * same moves.
 */
export async function vitestTest(context: CommandContext, asRecorded: Recording): Promise<string> {
  const recording = await rehearsed(context, asRecorded);
  const { lookups, steps, notes, secrets } = recording;
  const calls = steps.filter(({ needed, leftOut }) => !needed && leftOut === undefined);
  const titles = [...new Set(calls.map(({ title }) => title))];
  const title =
    titles.length > 4
      ? `${titles.slice(0, 4).join(', ')} and ${calls.length - 4} more ${calls.length === 5 ? 'call' : 'calls'}`
      : titles.join(', ') || 'a recording';
  return [
    "import { startEmulator } from 'sandbox-emulator';\n",
    steps.some(({ sealed, leftOut }) => sealed && leftOut === undefined)
      ? "import { createClientKey, sealOtp } from 'sandbox-emulator/testkit';\n"
      : '',
    "import { expect, onTestFinished, test } from 'vitest';\n\n",
    ...notes.map((note) => `// ${note}\n`),
    ...secrets.map(
      (secret) =>
        `// ${secretNote(secret)}\nconst ${secret.variable} = process.env['${environmentName(secret)}'] ?? '';\n`,
    ),
    secrets.length > 0 ? '\n' : '',
    `test(${quoted(title)}, async () => {\n`,
    `  const emulator = await startEmulator(${startText(context, recording)});\n`,
    '  onTestFinished(() => emulator.close());\n  const { sandbox } = emulator;\n',
    [...lookups, ...steps.flatMap((step) => step.lookups)].some(({ isMissing }) => !isMissing)
      ? '  const idAt = async (path: string, at: number): Promise<string> => {\n    const { data } = await (await sandbox.fetch(path)).json();\n    return data.at(at).id;\n  };\n'
      : '',
    asksReceiver(recording)
      ? "  // No receiver listens here: what one would answer is decided by calls.\n  await sandbox.fetch('/_emulator/webhooks/pause', { method: 'POST' });\n"
      : '',
    hasFaults(context)
      ? '  // The calls that the faults of the scenario answered are left out.\n  sandbox.faults.clear();\n'
      : '',
    steps.some(({ acts }) => acts.some(({ act, leftOut }) => act.what === 'ran' && leftOut === undefined))
      ? JOB_ID_OF
      : '',
    ...lookups.map(lookupText),
    ...(await inSlices(steps, (step, i) => stepText(step, i, steps[i - 1]))),
    lastEvent(steps.at(-1) as Step, steps.length - 1),
    '});\n',
  ].join('');
}
