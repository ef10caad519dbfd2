import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** Operators, and what stands in their place. */
const OPERATORS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};
const METHODS = { some: 'every', every: 'some', min: 'max', max: 'min', floor: 'ceil', ceil: 'floor' };

/** Nodes of types alone hold nothing that runs, but for those that wrap an expression. */
const WRAPS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** The places of a node that can be changed: where, and what stands there instead. */
function* changesOf(node, code) {
  const { type, end } = node;
  const text = (one) => code.slice(one.start, one.end);
  const put = (at, ...others) => others.map((faulty) => ({ start: at.start, sound: text(at), faulty }));
  if (type === 'BinaryExpression' || type === 'LogicalExpression' || type === 'AssignmentExpression') {
    const between = code.slice(node.left.end, node.right.start);
    const at = node.left.end + between.indexOf(node.operator);
    yield* put({ start: at, end: at + node.operator.length }, ...(OPERATORS[node.operator] ?? []));
  } else if (type === 'IfStatement' || type === 'ConditionalExpression') yield* put(node.test, 'true', 'false');
  else if (type === 'UnaryExpression' && '!-'.includes(node.operator)) yield* put(node, ` ${text(node.argument)}`);
  else if (type === 'Literal' && typeof node.value === 'boolean') yield* put(node, String(!node.value));
  else if (type === 'Literal' && typeof node.value === 'number')
    yield* put(node, node.value === 0 ? '1' : String(node.value + 1));
  else if (type === 'Literal' && typeof node.value === 'bigint') yield* put(node, `${node.value + 1n}n`);
  else if (type === 'ExpressionStatement' && !node.directive && removable(node.expression)) yield* put(node, ';');
  else if (type === 'MemberExpression' && !node.computed && METHODS[node.property.name])
    yield* put(node.property, METHODS[node.property.name]);
  else if (type === 'CallExpression' && node.callee.property?.name === 'filter')
    yield { start: node.callee.object.end, sound: code.slice(node.callee.object.end, end), faulty: '' };
  else if (type === 'ObjectExpression' && node.properties.some((one) => one.type === 'SpreadElement'))
    yield* node.properties.filter((one) => one.type !== 'SpreadElement').map((one) => withoutMember(one, code));
}

/** A statement that acts: a call, an assignment to what is there already, a change by one. */
const removable = ({ type, argument }) =>
  ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(type) ||
  (['AwaitExpression', 'YieldExpression', 'UnaryExpression'].includes(type) && argument?.type === 'CallExpression');

/** A member of an object that is written over a copy of another: the copy keeps what it had. */
function withoutMember({ start, end }, code) {
  const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
  return { start, sound: code.slice(start, end + comma), faulty: '' };
}

function* walk(node, code) {
  if (node.type.startsWith('TS') && !WRAPS.has(node.type)) return;
  yield* changesOf(node, code);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof child.type === 'string') yield* walk(child, code);
  }
}

/** Every mutant of a file: one small change each, at `line`, of what runs and not of what it says. */
export function mutantsOf(file) {
  const code = readFileSync(file, 'utf8');
  const made = [...walk(parseAst(code, { lang: 'ts' }), code)];
  return made.map((one) => ({ file, line: code.slice(0, one.start).split('\n').length, ...one }));
}

/** Whether a mutant is a program at all: `a ?? b ?? c` with one operator changed is none. */
export function parses({ file, start, sound, faulty }) {
  const code = readFileSync(file, 'utf8');
  try {
    parseAst(code.slice(0, start) + faulty + code.slice(start + sound.length), { lang: 'ts' });
    return true;
  } catch {
    return false;
  }
}
