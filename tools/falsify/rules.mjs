import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'vitest/node';

/** The folder of the repository. */
const ROOT = join(import.meta.dirname, '../..');
/** The function that declares a state machine: its second argument is the rule of every transition that is not possible. */
const MACHINE = 'machine';

const isNode = (value) => value !== null && typeof value === 'object' && typeof value.type === 'string';
const isFunction = (node) => /Function/.test(node.type) && node.type !== 'TSFunctionType';

/** Calls `visit` with a node and all within it, parents first; each gets its parent as `up`. */
export function walk(node, visit, up) {
  node.up = up;
  visit(node);
  for (const [key, value] of Object.entries(node))
    if (key !== 'up')
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node);
}

/** A file of the product as text and tree, with what is asked of its nodes by kind. */
function parsed(file, code) {
  const of = { file, code, objects: [], calls: [], constants: new Map(), imports: new Map(), functions: new Map() };
  const tree = parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  walk(tree, (node) => {
    node.of = of;
    if (node.type === 'ObjectExpression') of.objects.push(node);
    else if (node.type === 'CallExpression' || node.type === 'NewExpression') of.calls.push(node);
    else if (node.type === 'ImportSpecifier') of.imports.set(node.local.name, node.up.source.value);
    else if (node.type === 'FunctionDeclaration') of.functions.set(node.id?.name, node);
    else if (node.type === 'VariableDeclarator' && node.init && node.id.type === 'Identifier') {
      if (isFunction(node.init)) of.functions.set(node.id.name, node.init);
      else of.constants.set(node.id.name, node.init);
    }
  });
  return of;
}

let texts;
/** Every file of the product with its text. */
function product() {
  texts ??= new Map(
    readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((name) => `src/${name.replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/inspector/client/'))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
  return texts;
}

const read = new Map();
/** A file of the product as a tree, read at first use: most files have no rule. */
function fileAt(file) {
  if (!read.has(file) && product().has(file)) read.set(file, parsed(file, product().get(file)));
  return read.get(file);
}
/** The files that hold a word. */
const filesWith = (word) => [...product()].filter(([, code]) => code.includes(word)).map(([file]) => fileAt(file));

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : undefined);
const within = (node, is) => {
  for (let at = node.up; at; at = at.up) if (is(at)) return at;
  return undefined;
};

/** The name of a function: its own, or that of the constant that holds it. */
const nameOfFunction = (node) =>
  node.id?.name ?? (node.up?.type === 'VariableDeclarator' ? node.up.id.name : undefined);
const isExported = (node) => within(node, ({ type }) => type === 'ExportNamedDeclaration') !== undefined;
const nameOfParameter = (parameter) =>
  nameOf(parameter.type === 'AssignmentPattern' ? parameter.left : parameter) ?? undefined;

/** The calls of a function: in its file, and, where others import it, in theirs. */
export function callsOf(node) {
  const name = nameOfFunction(node);
  if (!name) return [];
  const everywhere = isExported(node) ? filesWith(name) : [node.of];
  return everywhere
    .filter((of) => of === node.of || of.imports.has(name))
    .flatMap(({ calls }) => calls.filter(({ callee }) => nameOf(callee) === name));
}

/** The constant of a name: in the file of a node, or in the one that it is imported from. */
function constantOf(name, node) {
  const here = node.of.constants.get(name);
  const from = node.of.imports.get(name);
  if (here || !from?.startsWith('.')) return here;
  return fileAt(join(dirname(node.of.file), from).replaceAll('\\', '/'))?.constants.get(name);
}

/** Whether a machine has a line that starts from some states only: where all may happen in any state, none is refused. */
function canRefuse({ arguments: [, , lines] }) {
  let some = false;
  walk(
    lines,
    (node) => {
      some ||= node.type === 'Property' && nameOf(node.key) === 'from' && node.value.type === 'ArrayExpression';
    },
    lines.up,
  );
  return some;
}

/** What an expression for a rule comes to: texts, each with the node that is to refuse. `at` is where the expression stands. */
function textsOf(node, at) {
  if (node.type === 'Literal' && typeof node.value === 'string') return [{ rule: node.value, at, text: node }];
  if (node.type === 'TemplateLiteral') return [{ rule: templateOf(node), at, text: node }];
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent, at), ...textsOf(node.alternate, at)];
  const name = nameOf(node);
  if (name === 'undefined') return [];
  const constant = name && constantOf(name, node);
  if (constant) return textsOf(constant, at).map((one) => ({ ...one, text: node }));
  const owner = name && within(node, (one) => isFunction(one) && one.params.some((p) => nameOfParameter(p) === name));
  if (owner) {
    const index = owner.params.findIndex((parameter) => nameOfParameter(parameter) === name);
    return callsOf(owner).flatMap((call) => (call.arguments[index] ? textsOf(call.arguments[index], call) : []));
  }
  if (node.type === 'MemberExpression' && nameOf(node.property) === 'rule')
    return filesWith(`${MACHINE}(`).flatMap(({ calls }) =>
      calls
        .filter((call) => nameOf(call.callee) === MACHINE && canRefuse(call))
        .flatMap((call) => textsOf(call.arguments[1], call).map((one) => ({ ...one, text: node, machine: call }))),
    );
  throw new Error(`${node.of.file}:${lineOf(node)}: no rule can be read of ${textOf(node)}`);
}

/** A text that is made with values: constants stand in it as they are, and the rest as `${...}` with its code. */
function templateOf({ quasis, expressions }) {
  return quasis
    .map(({ value }, i) => {
      const expression = expressions[i];
      const constant = expression && nameOf(expression) && constantOf(expression.name, expression);
      const [only] = constant && /Literal$/.test(constant.type) ? textsOf(constant, expression) : [];
      return value.cooked + (only?.rule ?? (expression ? `\${${textOf(expression)}}` : ''));
    })
    .join('');
}

/** The code of a node. */
export const textOf = (node) => node.of.code.slice(node.start, node.end);
/** The line of a node, from 1. */
export const lineOf = (node) => node.of.code.slice(0, node.start).split('\n').length;

/** The expressions that say no with an object for `why`: the call that it stands in, or those that get the constant that holds it. */
function refusalsWith(object) {
  const holder = object.up;
  const inCall = (node) => within(node, ({ type }) => type === 'CallExpression' || type === 'NewExpression');
  if (holder.type !== 'VariableDeclarator') return [inCall(object)];
  const scope = within(holder, isFunction);
  const uses = [];
  walk(
    scope.body,
    (node) => {
      if (node.type === 'Property' && nameOf(node.key) === 'why' && nameOf(node.value) === nameOf(holder.id))
        uses.push(inCall(node));
    },
    scope,
  );
  return uses;
}

/** Whether an object is a `why`: the member of that name, or a constant of that name. */
const isWhy = ({ up }) =>
  (up.type === 'Property' && nameOf(up.key) === 'why') ||
  (up.type === 'VariableDeclarator' && nameOf(up.id) === 'why') ||
  (up.type === 'ConditionalExpression' && isWhy(up));

let places;
/**
 * Every place of the product that refuses with a rule: `rule` is the text of `why.rule`, `at` the expression that says no, or the
 * declaration of the machine. A text that is made with values has `${...}` in their places.
 */
export function placesOfRules() {
  places ??= filesWith('rule').flatMap(({ objects }) =>
    objects.filter(isWhy).flatMap((object) => {
      const member = object.properties.find(({ key }) => nameOf(key) === 'rule');
      if (!member) return [];
      return refusalsWith(object).flatMap((at) => textsOf(member.value, at));
    }),
  );
  return places;
}

/** The name of a place in the notes of a run: the file of the text and where the refusal begins in it; of a machine, its name. */
export const nameOfPlace = ({ text, at, machine }) =>
  machine ? `machine ${machine.arguments[0].value}` : `${text.of.file} ${at.start}`;

/** The texts of rules in a file: where each stands, and the code that makes the name of its place. */
export function spotsIn(file) {
  const spots = new Map();
  for (const place of placesOfRules()) {
    const { text, machine } = place;
    if (text.of.file !== file) continue;
    const name = machine ? `\`machine \${${textOf(text.object)}.name}\`` : JSON.stringify(nameOfPlace(place));
    spots.set(text.start, { start: text.start, end: text.end, name });
  }
  return [...spots.values()];
}

/** Every rule that a refusal can carry, sorted. */
export const allRules = () => [...new Set(placesOfRules().map(({ rule }) => rule))].sort();
