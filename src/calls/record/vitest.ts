import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Recording, Step } from './recording.ts';
import { environmentName, secretNote } from './secrets.ts';
import { inSlices } from './slices.ts';
import { pathText, type Template, type TemplatedNode } from './template.ts';

const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A template as an expression. */
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

/** The name of a member; as `__proto__` alone it would be the prototype. */
const key = (name: string): string => {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
};

/** A JSON value as an expression, on one line where it is short. */
function literal(node: TemplatedNode, indent: string): string {
  if ('text' in node) return expression(node.text);
  if ('plain' in node) return String(node.plain);
  const inner = `${indent}  `;
  const parts =
    'list' in node
      ? node.list.map((one) => literal(one, inner))
      : node.members.map(([name, one]) => `${key(name)}: ${literal(one, inner)}`);
  const [open, close] = 'list' in node ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = 'list' in node ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + indent.length <= 90 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const member = (name: string, value: unknown): string => `${name}: ${JSON.stringify(value)}`;

/** Returns what the test's emulator starts with, so that it is as this one was. */
function startOf({ host, sandbox }: CommandContext, { steps: [first] }: Recording): string {
  const own = sandbox.options.scenario !== host.scenario;
  const named = own ? sandbox.scenario : host.options.scenario;
  const { customers = 0, transactions = 0 } = sandbox.scenario.generate;
  // People and payments that were made up from the seed are others with another one.
  const seed = sandbox.options.ownSeed || customers + transactions > 0 ? sandbox.seed : host.options.seed;
  const parts = [
    'port: 0',
    ...(named === undefined ? [] : [member('scenario', named)]),
    ...(host.profile.name === 'spec' ? [] : [`profile: '${host.profile.name}'`]),
    ...(seed === undefined ? [] : [member('seed', seed)]),
    `now: '${first?.at}'`,
    'holdClock: true',
  ];
  const line = `{ ${parts.join(', ')} }`;
  return line.length < 80 ? line : `{\n${parts.map((part) => `    ${part},\n`).join('')}  }`;
}

function stepText(step: Step, i: number): string {
  const answer = `answer${i + 1}`;
  const init = initOf(step);
  const reads = step.expected !== undefined || step.captures.length > 0;
  return [
    `\n  // ${step.title}${step.needed ? ', which makes what later calls use' : ''}\n`,
    `  await sandbox.clock.advanceTo('${step.at}');\n`,
    `  const ${answer} = await sandbox.fetch(${expression(step.path)}${init});\n`,
    `  expect(${answer}.status).toBe(${step.status});\n`,
    reads ? `  const body${i + 1} = await ${answer}.json();\n` : '',
    step.expected ? `  expect(body${i + 1}).toMatchObject(${literal(step.expected, '  ')});\n` : '',
    ...step.captures.map(({ variable, path }) => `  const ${variable}: string = body${i + 1}${pathText(path)};\n`),
  ].join('');
}

function initOf({ method, headers, login, json, text }: Step): string {
  const all = headers.map(([name, value]) => `${key(name)}: ${expression(value)}`);
  if (login === 'none' && !headers.some(([name]) => name === 'authorization')) all.push("authorization: ''");
  if (typeof login === 'object')
    all.push(`authorization: \`Basic \${btoa(${expression([...login.id, ':', ...login.secret])})}\``);
  const parts = [
    ...(method === 'GET' || (method === 'POST' && json) ? [] : [`method: '${method}'`]),
    ...(all.length > 0 ? [`headers: { ${all.join(', ')} }`] : []),
    ...(json ? [`json: ${literal(json, '    ')}`] : []),
    ...(text ? [`body: ${expression(text)}`] : []),
  ];
  if (parts.length === 0) return '';
  const line = `, { ${parts.join(', ')} }`;
  return line.length < 70 && !line.includes('\n') ? line : `, {\n${parts.map((part) => `    ${part},\n`).join('')}  }`;
}

/** A recording as a Vitest test, whose emulator starts as this one did and whose clock moves as it moved. */
export async function vitestTest(context: CommandContext, recording: Recording): Promise<string> {
  const { lookups, steps, notes, secrets } = recording;
  const titles = [...new Set(steps.filter(({ needed }) => !needed).map(({ title }) => title))];
  const title =
    titles.length > 4 ? `${titles.slice(0, 4).join(', ')} and ${titles.length - 4} more` : titles.join(', ');
  return [
    "import { startEmulator } from 'sandbox-emulator';\nimport { expect, onTestFinished, test } from 'vitest';\n\n",
    ...notes.map((note) => `// ${note}\n`),
    ...secrets.map(
      (secret) =>
        `// ${secretNote(secret)}\nconst ${secret.variable} = process.env['${environmentName(secret)}'] ?? '';\n`,
    ),
    secrets.length > 0 ? '\n' : '',
    `test(${quoted(title)}, async () => {\n`,
    `  const emulator = await startEmulator(${startOf(context, recording)});\n`,
    '  onTestFinished(() => emulator.close());\n  const { sandbox } = emulator;\n',
    lookups.length > 0
      ? '  const idAt = async (path: string, at: number): Promise<string> => {\n    const { data } = await (await sandbox.fetch(path)).json();\n    return data.at(at).id;\n  };\n'
      : '',
    ...lookups.map(({ variable, path, at }) => `  const ${variable} = await idAt(${quoted(path)}, ${at});\n`),
    ...(await inSlices(steps, stepText)),
    '});\n',
  ].join('');
}
