import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Scalar,
  visit,
} from 'yaml';
import { tick } from '../engine/signal.ts';
import type { Bounds } from './bounds.ts';
import { MOST_PROBLEMS, ScenarioError, type ScenarioProblem } from './error.ts';
import { isAmount, type Pointed } from './minor-units.ts';

// The YAML library behind a module of its own: loaded only when a text arrives, and never used without bounds.
export { parse } from 'yaml';

/**
 * The deepest nesting of lists and maps: the library recurses, and its regular expressions end the process when the
 * stack is nearly full.
 */
const DEEPEST = 100;
/** The most anchors and aliases: the library searches all of them for each alias. */
const MOST_ALIASES = 1000;
/** The tokens that are parsed per turn of the event loop: a few milliseconds. */
const SLICE = 2000;
/** The most characters of a message: the library quotes whole texts. */
const LONGEST_MESSAGE = 200;

/** Advice about frequent errors, by the library's codes: its own messages use the terms of the grammar. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'a value with a colon in it has to be in quotes, and keys that belong together are indented alike',
  ],
  [
    'MULTILINE_IMPLICIT_KEY',
    'a key is followed by a colon and a space, and keys that belong together are indented alike',
  ],
  ['BAD_INDENT', 'keys that belong together are indented alike, and an open [ or { is closed'],
  ['BLOCK_IN_FLOW', 'a comma or a closing bracket is missing here'],
  ['TAB_AS_INDENT', 'indent with spaces, not with tabs'],
  ['BAD_SCALAR_START', 'a value that begins with this sign has to be in quotes'],
]);

/** The symbol that ends the composing of a document with enough mistakes. */
const ENOUGH = Symbol('enough mistakes');

/** A text as YAML: its data, and the positions of offsets in it. */
export interface Yaml {
  readonly document: Document.Parsed;
  readonly data: unknown;
  /** Amounts that are written with a decimal point. */
  readonly pointed: readonly Pointed[];
  at(offset: number): { line: number; column: number };
}

/**
 * Reads a text as one YAML document, in slices. Throws `ScenarioError` with the first mistakes or the bound that it
 * exceeds.
 */
export async function readYaml(text: string, source: string, bounds: Bounds): Promise<Yaml> {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (offset: number, message: string): ScenarioProblem => ({
    ...at(offset),
    message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message,
  });
  const refuse = (offset: number, message: string): never => {
    throw new ScenarioError(source, [problem(offset, message)]);
  };
  if (text.length > bounds.characters) refuse(0, `the text is longer than ${bounds.characters} characters`);
  const wrong: { offset: number; message: string }[] = [];
  const note = (offset: number, message: string) => {
    // A consequence of a mistake has the same position.
    if (wrong.at(-1)?.offset === offset) return;
    if (wrong.push({ offset, message }) >= MOST_PROBLEMS) throw ENOUGH;
  };
  let document: Document.Parsed | undefined;
  let hasPoints = false;
  try {
    document = await composed(text, lines, bounds, refuse, note);
    hasPoints = checkNodes(document, refuse, note);
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  if (wrong.length > 0 || !document)
    throw new ScenarioError(
      source,
      wrong.map(({ offset, message }) => problem(offset, message)),
    );
  const data = dataOf(document, bounds, refuse);
  return { document, data, pointed: hasPoints ? [...pointedIn(document.contents, [])] : [], at };
}

type Refuse = (offset: number, message: string) => never;
/** The library's names for the place of a mistake. */
type Place = number | readonly number[] | { readonly offset: number };
type Note = (offset: number, message: string) => void;

/** Returns the one document of a text. */
async function composed(
  text: string,
  lines: LineCounter,
  bounds: Bounds,
  refuse: Refuse,
  note: Note,
): Promise<Document.Parsed> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, schema: 'core', resolveKnownTags: false });
  // Mistakes are noted as they are found: a document of nothing but mistakes has one per character.
  const onError = (where: Place, code: string, message: string, isWarning?: boolean) => {
    if (!isWarning)
      note(
        typeof where === 'number' ? where : 'offset' in where ? where.offset : (where[0] ?? 0),
        PLAIN.get(code) ?? message,
      );
  };
  Object.assign(composer, { onError });
  const documents: Document.Parsed[] = [];
  let [tokens, isDocument] = [0, false];
  const compose = (found: ReturnType<Parser['next']>) => {
    for (const token of found) {
      if (token.type === 'document' && isDocument) refuse(token.offset, 'a second document: a scenario is one');
      isDocument ||= token.type === 'document';
      if (token.type === 'error') note(token.offset, token.message);
      else documents.push(...composer.next(token));
    }
  };
  for (const token of new Lexer().lex(text)) {
    compose(parser.next(token));
    if (depthOf(parser) > DEEPEST) refuse(parser.offset - token.length, `nested more than ${DEEPEST} levels deep`);
    tokens += 1;
    if (tokens > bounds.tokens)
      refuse(parser.offset - token.length, `the text has more than ${bounds.tokens} tokens of YAML`);
    if (tokens % SLICE === 0) await tick();
  }
  compose(parser.end());
  documents.push(...composer.end(true, text.length));
  const [document] = documents as [Document.Parsed];
  for (const { pos, code, message } of document.errors) note(pos[0], PLAIN.get(code) ?? message);
  return document;
}

/** Returns the number of open lists and maps; the stack also has the document itself, and a text under way. */
const depthOf = ({ stack }: Parser): number => stack.length - ('items' in Object(stack.at(-1)) ? 1 : 2);

/**
 * Notes keys that a map has twice, and keys that are not text. In the library these checks are not linear: it compares
 * each key with all before it, and looks for each alias among all anchors. It also writes out a list that is a key at
 * each level. Returns whether a number has a point.
 */
function checkNodes(document: Document.Parsed, refuse: Refuse, note: Note): boolean {
  let names = 0;
  let hasPoints = false;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor !== undefined) names += 1;
      if (names > MOST_ALIASES) refuse(startOf(node), `the text has more than ${MOST_ALIASES} anchors and aliases`);
      hasPoints ||= isPointed(node);
      if (!isMap(node)) return;
      const keys = new Set<string>();
      for (const { key } of node.items) {
        if (key !== null && !isScalar(key)) note(startOf(key), 'a key has to be a text');
        const name = String(isScalar(key) ? (key.value ?? '') : '');
        if (keys.has(name)) note(startOf(key), 'a map has this key twice');
        keys.add(name);
      }
    },
  });
  return hasPoints;
}

/** Returns whether a node is a number with a decimal point. */
const isPointed = (node: unknown): node is Scalar<number> & { source: string } =>
  isScalar(node) && typeof node.value === 'number' && node.source?.includes('.') === true;

/** Yields the amounts within a node that have a decimal point. */
function* pointedIn(node: unknown, path: readonly PropertyKey[]): Generator<Pointed> {
  if (isMap(node))
    for (const { key, value } of node.items) yield* pointedIn(value, [...path, String(isScalar(key) ? key.value : '')]);
  else if (isSeq(node)) for (const [i, value] of node.items.entries()) yield* pointedIn(value, [...path, i]);
  else if (isPointed(node) && isAmount(path)) yield { path, written: node.source };
}

const startOf = (node: unknown): number => (node as { range?: readonly number[] } | null)?.range?.[0] ?? 0;

/** Returns the data of a document, refused if its aliases unfold to more than a text of this length could contain. */
function dataOf(document: Document.Parsed, { tokens }: Bounds, refuse: Refuse): unknown {
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    // An alias of an unknown anchor, or of a node around itself.
    return refuse(0, (error as Error).message);
  }
  let values = 0;
  const waiting = [{ value: data, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    values += 1;
    if (values > tokens || depth > DEEPEST) refuse(0, `its aliases unfold to more than ${tokens} values`);
    if (typeof value !== 'object' || value === null) continue;
    for (const each of Object.values(value)) waiting.push({ value: each, depth: depth + 1 });
  }
  return data;
}
