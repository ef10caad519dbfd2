import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '../../src/areas.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { refusals } from '../../src/http/openapi.ts';
import { Paths } from '../../src/http/paths.ts';

/**
 * Which declared answers the tests have really seen. Every worker appends to one file; when the run ends, what is
 * missing is printed, and fails a whole run.
 */
const VARIABLE = 'SANDBOX_EMULATOR_TESTS_SEEN';

const paths = new Paths<string>();
for (const op of OPERATIONS) paths.add(op.method, op.path, op.id);
const noted = new Set<string>();

/** The id of the operation at a path below the version segment, if there is one. */
export const operationAt = (method: string, path: string): string | undefined =>
  paths.find(path.split('?')[0] as string)?.methods.get(method);

/** Note that an operation answered so. `path` is below the version segment. */
export function note(method: string, path: string, status: number, code: string | undefined): void {
  const file = process.env[VARIABLE];
  const id = operationAt(method, path);
  if (!file || !id) return;
  const line = `${id} ${status}${code ? ` ${code}` : ''}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(file, line);
}

/** Begins a line of evidence (`test/evidence/`); other lines are answers. */
const EVIDENCE = '=';
let unwritten: string[] = [];

/** Returns whether this run notes anything. */
export const isNoting = (): boolean => process.env[VARIABLE] !== undefined;

/** Note a line of evidence, once for each worker; it is written when the test file ends. */
export function noteLine(line: string): void {
  if (noted.has(line)) return;
  noted.add(line);
  unwritten.push(`${EVIDENCE}${line}\n`);
}

/** Write the evidence that was noted since the last time. */
export function flushNotes(): void {
  const file = process.env[VARIABLE];
  if (file && unwritten.length > 0) appendFileSync(file, unwritten.join(''));
  unwritten = [];
}

/** Start noting; the run's workers inherit where. */
export function openNotes(): void {
  process.env[VARIABLE] = join(mkdtempSync(join(tmpdir(), 'sandbox-emulator-seen-')), 'seen.txt');
  appendFileSync(process.env[VARIABLE], '');
}

/** The statuses and codes that an operation declares and that can be provoked from outside: all but its own 500. */
export function declared(op: (typeof OPERATIONS)[number]): { statuses: number[]; codes: ErrorCode[] } {
  const statuses = [...Object.keys(op.replies).map(Number), ...refusals(op).keys()].filter((status) => status < 500);
  return { statuses: [...new Set(statuses)].sort(), codes: op.refuses.filter((code) => ERRORS[code] < 500) };
}

/** Every declared answer of an operation as it is noted: a status, or a status and its code. */
const answersOf = (op: (typeof OPERATIONS)[number]): string[] => {
  const { statuses, codes } = declared(op);
  return [...statuses.map(String), ...codes.map((code) => `${ERRORS[code]} ${code}`)];
};

/** What is declared and what of it was seen, in lines for a person. */
export interface Judgement {
  readonly missing: number;
  readonly text: string;
}

/**
 * Holds the noted answers against the declared ones. A run of some tests says nothing of operations that none of them called; a
 * whole run has to have seen every answer of every operation.
 */
export function judge(seen: readonly string[], isWhole: boolean): Judgement {
  const noted = new Map<string, Set<string>>();
  for (const line of seen) {
    const [id = '', status = '', code] = line.split(' ');
    const answers = noted.get(id) ?? new Set();
    noted.set(id, answers.add(status));
    if (code) answers.add(`${status} ${code}`);
  }
  const judged = OPERATIONS.filter(({ id }) => isWhole || noted.has(id));
  const unseen = judged.map((op) => ({
    id: op.id,
    left: answersOf(op).filter((answer) => !noted.get(op.id)?.has(answer)),
  }));
  const all = judged.reduce((sum, op) => sum + answersOf(op).length, 0);
  const missing = unseen.reduce((sum, { left }) => sum + left.length, 0);
  const lines = unseen.filter(({ left }) => left.length > 0).map(({ id, left }) => `  ${id}: ${left.join(', ')}`);
  const head = `declared answers seen: ${all - missing} of ${all}, over ${judged.length} of ${OPERATIONS.length} operations`;
  return { missing, text: [head, ...(lines.length > 0 ? ['never seen:', ...lines] : [])].join('\n') };
}

/** What a run has noted: its answers, and its lines of evidence. */
export interface Notes {
  readonly answers: readonly string[];
  readonly evidence: readonly string[];
}

/** Returns what this run has noted, and takes the notes away. */
export function takeNotes(): Notes {
  const file = process.env[VARIABLE] as string;
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  rmSync(join(file, '..'), { recursive: true, force: true });
  const evidence = lines.filter((line) => line.startsWith(EVIDENCE)).map((line) => line.slice(EVIDENCE.length));
  return { answers: lines.filter((line) => !line.startsWith(EVIDENCE)), evidence: [...new Set(evidence)].sort() };
}
