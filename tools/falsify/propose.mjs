import { callsOf, textOf, walk } from './rules.mjs';

/** How many helpers, one calling the other, may stand between a rule and the condition that leads to it. */
const DEEPEST = 3;

/** A change of a file: what stands from `start` to `end`, and what shall stand there. */
const put = ({ start, end, of }, faulty) => ({ file: of.file, start, end, faulty, of });

// The condition is asked all the same: it may count or note something.
const never = (test) => put(test, `(${textOf(test)}) && false`);
const always = (test) => put(test, `(${textOf(test)}) || true`);

/** A refusal that is left out: as a statement, as what is returned, or as the last resort of an expression. */
function leftOut(at) {
  const { up } = at;
  if (up.type === 'ExpressionStatement') return put(up, ';');
  if (up.type === 'ThrowStatement') return put(up, ';');
  if (up.type === 'ReturnStatement') return put(up, 'return undefined as never;');
  if (up.type === 'LogicalExpression' && up.right === at) return { ...put(at, ''), start: up.left.end };
  return put(at, '(undefined as never)');
}

const returns = (statement) =>
  ['ReturnStatement', 'ContinueStatement'].includes(statement?.type) ||
  (statement?.type === 'BlockStatement' && returns(statement.body.at(-1)));

/** The conditions that lead to a node within its function, nearest first; and the function itself, as `owner`. */
function guardsOf(at) {
  const changes = [];
  let node = at;
  for (let { up } = node; up; node = up, { up } = up) {
    if (up.type === 'IfStatement' || up.type === 'ConditionalExpression') {
      if (node === up.consequent) changes.push(never(up.test));
      else if (node === up.alternate) changes.push(always(up.test));
    } else if (up.type === 'LogicalExpression' && node === up.right) {
      if (up.operator === '&&') changes.push(never(up.left));
      else changes.push(leftOut(node));
    } else if (up.type === 'BlockStatement' || up.type === 'Program') {
      // What is refused at the end of a block, unless an earlier line has left it.
      const before = up.body.slice(0, up.body.indexOf(node)).reverse();
      for (const one of before)
        if (one.type === 'IfStatement' && returns(one.consequent)) changes.push(always(one.test));
    }
    if (/Function/.test(up.type)) return { changes, owner: up };
  }
  return { changes, owner: undefined };
}

/** What makes a refusal not happen: its nearest condition first, then without the call; of a helper that only refuses, at its callers. */
function* refusalChanges(at, depth = 0, makes = false) {
  const { changes, owner } = guardsOf(at);
  yield* changes.slice(0, 1);
  // A refusal that is only made here is thrown by those who call.
  const isMade = at.up.type !== 'ThrowStatement' && (at.type === 'NewExpression' || makes);
  if (!isMade) yield leftOut(at);
  yield* changes.slice(1);
  if (changes.length === 0 && owner && depth < DEEPEST)
    for (const call of callsOf(owner)) yield* refusalChanges(call, depth + 1, isMade);
}

/** What lets a trigger of a machine happen in every state: one of its lines at a time. */
function* machineChanges(machine) {
  const lines = [];
  walk(
    machine.arguments[2],
    (node) => node.type === 'Property' && node.key.name === 'from' && lines.push(node),
    machine,
  );
  for (const line of lines) if (line.value.type === 'ArrayExpression') yield put(line, "from: 'any'");
}

/** Text that stands once in a file: a change takes in what is around it until its text does. */
function unique({ of, file, start, end, faulty }) {
  const { code } = of;
  const once = (from, to) => code.indexOf(code.slice(from, to)) === code.lastIndexOf(code.slice(from, to));
  const lineEnd = (at) => (code.indexOf('\n', at) < 0 ? code.length : code.indexOf('\n', at));
  const lineStart = (at) => code.lastIndexOf('\n', at - 1) + 1;
  let from = start;
  let to = end;
  // First to the beginning of the line, then line by line on both sides.
  if (!once(from, to)) from = code.slice(lineStart(from), from).search(/\S|$/) + lineStart(from);
  while (!once(from, to)) {
    to = lineEnd(to + 1);
    if (!once(from, to) && to - from > 400) from = lineStart(from - 1);
  }
  return { file, sound: code.slice(from, to), faulty: code.slice(from, start) + faulty + code.slice(end, to) };
}

/** The changes that could make a place not refuse, likeliest first: `file`, `sound` (once in the file) and `faulty`. */
export function proposalsFor({ at, machine }) {
  const seen = new Set();
  return [...(machine ? machineChanges(machine) : refusalChanges(at))].map(unique).filter(({ file, sound, faulty }) => {
    const key = JSON.stringify([file, sound, faulty]);
    return sound !== faulty && !seen.has(key) && seen.add(key);
  });
}
