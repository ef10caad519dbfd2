import { parseAst } from 'vitest/node';

/** The texts of a title, between the values that the code puts in; undefined where the code makes all of it. */
export type Title = readonly string[] | undefined;

/** A test by its title, with those of the groups around it. */
export interface Titled {
  readonly groups: readonly Title[];
  readonly title: Title;
  readonly line: number;
}

type Node = { readonly [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const inside = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, member) => (isNode(at) ? at[member] : undefined), node);

/** The name at the root of a function that is called: `test` of `test.each(table)`. */
function rootOf(callee: unknown): unknown {
  if (!isNode(callee)) return undefined;
  return callee['name'] ?? rootOf(callee['object'] ?? callee['callee'] ?? callee['tag']);
}

function titleOf(node: unknown): Title {
  const texts =
    inside(node, 'type') === 'TemplateLiteral'
      ? (inside(node, 'quasis') as Node[]).map((one) => inside(one, 'value', 'cooked'))
      : [inside(node, 'value')];
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** Returns every test in the source of a test file, in its order. */
export function titlesIn(source: string): Titled[] {
  const found: Titled[] = [];
  const visit = (value: unknown, groups: readonly Title[]): void => {
    if (!isNode(value)) return;
    const args = (value['type'] === 'CallExpression' ? value['arguments'] : []) as Node[];
    const [title] = args;
    const root = title && rootOf(value['callee']);
    if (root === 'test') {
      const line = source.slice(0, Number(value['start'])).split('\n').length;
      found.push({ groups, title: titleOf(title), line });
      return;
    }
    const within = root === 'describe' ? [...groups, titleOf(title)] : groups;
    for (const one of Object.values(value)) visit(one, within);
  };
  visit(parseAst(source, { lang: 'ts' }), []);
  return found;
}
