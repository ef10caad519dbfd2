import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Bodies, bodiesOfBoth, REF } from './bodies.ts';
import { type ContractShape, UNDECLARED } from './contract.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

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
    // Alternatives of what is required are no shapes.
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

type Generate = (document: object) => Promise<string>;

/** openapi-typescript. It writes with the compiler's older interface, which the compiler has no more: it is bundled with one that has it. */
async function generatorIn(folder: string): Promise<Generate> {
  const outfile = join(folder, 'generator.mjs');
  await build({
    stdin: { contents: "export { default, astToString } from 'openapi-typescript';", resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { typescript: 'typescript-5' },
    external: ['typescript-5', '@redocly/openapi-core'],
    logLevel: 'error',
  });
  const { default: generate, astToString } = await import(pathToFileURL(outfile).href);
  return async (document) =>
    astToString(await generate(document)).replace(`${ANYTHING}: unknown;`, `${ANYTHING}: any;`);
}

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
 * part of it before.
 */
export async function differencesOf(document: object): Promise<string[]> {
  const { ours, theirs } = bodiesOfBoth(document);
  const folder = mkdtempSync(join(ROOT, 'node_modules/.contract-types-'));
  try {
    const typesOf = await generatorIn(folder);
    writeFileSync(join(folder, 'ours.ts'), await typesOf(documentOf(ours)));
    writeFileSync(join(folder, 'theirs.ts'), await typesOf(documentOf(theirs)));
    const typeOf = (side: string, name: string): string =>
      `${side}['requestBodies']['${keyOf(name)}']['content']['application/json']`;
    const names = Object.keys(ours.bodies).filter((name) => name in theirs.bodies);
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
    writeFileSync(join(folder, 'compare.ts'), lines.join('\n'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    return (await complaintsIn(folder)).map((complaint) => {
      const line = asked[Number(/^compare\.ts\((\d+),/.exec(complaint)?.[1]) - 1];
      if (!line) throw new Error(complaint);
      return `${line.name}: ${line.direction}: ${memberIn(complaint)}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
