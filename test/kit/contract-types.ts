import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Bodies, bodiesOfBoth, REF } from './bodies.ts';
import { type ContractShape, UNDECLARED } from './contract.ts';
import { generators } from './generators.ts';

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** What stands for a member that is not there, so that one which may be missing is another than one that is not declared. */
const ABSENT = { type: 'array', items: { type: 'array', items: { const: 'absent' } } };

/** What any type can be assigned to and from. */
const ANYTHING = 'Anything';

/** A shape in which every member is always there; one that may be missing says so by its value. */
function exact(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(exact);
  if (typeof node !== 'object' || node === null) return node;
  const { discriminator: _, default: standard, ...shape } = node as ContractShape & Record<string, unknown>;
  if (shape.title === UNDECLARED.title) return { $ref: `${REF}${ANYTHING}` };
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(shape)) {
    // Alternatives of what is required are not shapes.
    if (key === 'anyOf' && (value as ContractShape[]).every((part) => part.required && !part.properties)) continue;
    out[key] = exact(value);
  }
  const { properties, required = [] } = shape;
  if (!properties) return out;
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    required.includes(name) || 'default' in member ? exact(member) : { oneOf: [exact(member), ABSENT] },
  ]);
  return { ...out, properties: Object.fromEntries(members), required: Object.keys(properties) };
}

/** Some bodies, and the schemas that they are made of. */
function partOf({ bodies, schemas }: Bodies, names: readonly string[]): Bodies {
  const some = Object.fromEntries(names.map((name) => [name, bodies[name] ?? {}]));
  const needed: Record<string, ContractShape> = {};
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as ContractShape;
    const name = $ref?.slice(REF.length);
    const schema = name === undefined ? undefined : schemas[name];
    if (name !== undefined && schema && !(name in needed)) {
      needed[name] = schema;
      follow(schema);
    }
    for (const value of Object.values(node)) follow(value);
  };
  follow(some);
  return { bodies: some, schemas: needed };
}

/** The name of a body as a document may have it. */
const keyOf = (name: string): string => name.replaceAll(' ', '-');

/** The bodies as a document of nothing else. */
const documentOf = ({ bodies, schemas }: Bodies): object => ({
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {},
  components: {
    schemas: { ...(exact(schemas) as object), [ANYTHING]: {} },
    requestBodies: Object.fromEntries(
      Object.entries(bodies).map(([name, schema]) => [
        keyOf(name),
        { content: { 'application/json': { schema: exact(schema) } } },
      ]),
    ),
  },
});

const CONFIG = { compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'preserve', types: [] } };

/** The way to the member that the compiler complains of, and its last sentence. */
function memberIn(complaint: string): string {
  const ways = complaint.matchAll(/Types of property '(.+?)' are incompatible|The types of '(.+?)' are incompatible/g);
  const way = [...ways].map(([, one, several]) => one ?? several).join('.');
  const sentence = (complaint.trimEnd().split('\n').at(-1) ?? '')
    .replace(/^.*error TS\d+: /, '')
    .replace(/ in type .*/, '')
    .replaceAll('"absent"[][]', 'absent')
    .trim();
  return `${way === '' ? '' : `${way}: `}${sentence}`;
}

/** What the compiler says of a folder, complaint by complaint. */
const complaintsIn = async (folder: string): Promise<string[]> => {
  const said = await promisify(execFile)(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    maxBuffer: 1 << 28,
  }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  return said.split(/\n(?=\S)/).filter((text) => text.trim() !== '');
};

/**
 * Says where the types that openapi-typescript makes of a document, and of the public contract, cannot be assigned to each
 * other: the body, the direction, and the member with what the compiler says of it. What is beyond the contract here is
 * part of it before. All bodies, or only some.
 */
export async function differencesOf(document: object, only?: readonly string[]): Promise<string[]> {
  const both = bodiesOfBoth(document);
  const names = Object.keys(both.ours.bodies).filter(
    (name) => name in both.theirs.bodies && (only?.includes(name) ?? true),
  );
  const ours = partOf(both.ours, names);
  const theirs = partOf(both.theirs, names);
  const { folder, run, remove } = generators();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  try {
    await Promise.all(
      Object.entries({ ours, theirs }).map(async ([side, bodies]) => {
        write(`${side}.json`, JSON.stringify(documentOf(bodies)));
        await run('openapi-typescript', `${side}.json`, '-o', `${side}.ts`);
        const types = readFileSync(join(folder, `${side}.ts`), 'utf8');
        write(`${side}.ts`, types.replace(`${ANYTHING}: unknown;`, `${ANYTHING}: any;`));
      }),
    );
    const typeOf = (side: string, name: string): string =>
      `${side}['requestBodies']['${keyOf(name)}']['content']['application/json']`;
    const asked = names.flatMap((name) => [
      { name, direction: 'ours is not theirs', from: 'Ours', to: 'Theirs' },
      { name, direction: 'theirs is not ours', from: 'Theirs', to: 'Ours' },
    ]);
    const lines = [
      ...asked.map(
        ({ name, from, to }, i) => `export const _${i} = (x: ${typeOf(from, name)}): ${typeOf(to, name)} => x;`,
      ),
      "import type { components as Ours } from './ours';",
      "import type { components as Theirs } from './theirs';",
    ];
    write('compare.ts', lines.join('\n'));
    write('tsconfig.json', JSON.stringify(CONFIG));
    return (await complaintsIn(folder)).map((complaint) => {
      const line = asked[Number(/^compare\.ts\((\d+),/.exec(complaint)?.[1]) - 1];
      if (!line) throw new Error(complaint);
      return `${line.name}: ${line.direction}: ${memberIn(complaint)}`;
    });
  } finally {
    remove();
  }
}
