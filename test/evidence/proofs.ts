import { existsSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';
import { FOREIGN } from './foreign.ts';
import { GROUPS, type Proof } from './rows.ts';

/** Returns the anchor of a heading, as repositories make it. */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-');

type Node = { readonly [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns the names along what is called: `test.each(...)` gives each, test. */
function calledOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee['type'] === 'Identifier') return [String(callee['name'])];
  if (callee['type'] === 'CallExpression') return calledOf(callee['callee']);
  return [...calledOf(callee['property']), ...calledOf(callee['object'])];
}

/** Returns the text of a name as it stands in a file; of a template the parts between its values. */
function textOf(name: unknown): string {
  if (!isNode(name)) return '';
  if (name['type'] === 'TemplateLiteral')
    return (name['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('');
  return typeof name['value'] === 'string' ? name['value'] : '';
}

/** Returns the names of the tests and groups of a file that run; those that are left out under some condition do not count. */
function namesIn(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    if (value['type'] === 'CallExpression') {
      const called = calledOf(value['callee']);
      const runs =
        ['test', 'describe'].includes(called.at(-1) ?? '') && !called.some((name) => /skip|todo|runIf/.test(name));
      if (runs) found.push(textOf((value['arguments'] as unknown[])[0]));
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/** Returns what of a proof is not there; nothing where it is. */
export function missingOf(proof: Proof): string | undefined {
  const file = 'page' in proof ? proof.page : proof.file;
  if (!existsSync(file)) return `${file} does not exist`;
  const text = readFileSync(file, 'utf8');
  if ('page' in proof)
    return new RegExp(`^#+ ${proof.heading.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')}$`, 'm').test(text)
      ? undefined
      : `${file} has no section ${proof.heading}`;
  return namesIn(text).some((name) => name.includes(proof.test)) ? undefined : `${file} has no test ${proof.test}`;
}

/** Returns every proof that a row of the page names and that is not there. */
export const missingProofs = (): string[] =>
  GROUPS.flatMap(({ rows }) => rows.flatMap(({ proofs }) => proofs.flatMap((proof) => missingOf(proof) ?? [])));

/** Returns every claim about code of others that its file does not bear out. */
export const missingOthers = (): string[] =>
  FOREIGN.flatMap(({ id, file, uses, calls = [] }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [uses, ...calls].filter((part) => !text.includes(part)).map((part) => `${id}: ${file} has no ${part}`);
  });
