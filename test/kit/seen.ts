import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '../../src/areas.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { refusals } from '../../src/http/openapi.ts';
import { Paths } from '../../src/http/paths.ts';

/**
 * Which declared answers the tests have really seen. Every worker appends to one file; when the run ends, what is
 * missing is printed.
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

/** What was never seen, in lines for a person; operations that no test of this run called are only counted. */
export function report(): string {
  const file = process.env[VARIABLE] as string;
  const seen = new Set(readFileSync(file, 'utf8').split('\n'));
  rmSync(join(file, '..'), { recursive: true, force: true });
  const called = OPERATIONS.filter((op) => [...seen].some((line) => line.startsWith(`${op.id} `)));
  let [all, missing] = [0, 0];
  const lines: string[] = [];
  for (const op of called) {
    const { statuses, codes } = declared(op);
    const unseenStatuses = statuses.filter(
      (status) => ![...seen].some((line) => line.startsWith(`${op.id} ${status}`)),
    );
    const unseenCodes = codes.filter((code) => !seen.has(`${op.id} ${ERRORS[code]} ${code}`));
    all += statuses.length + codes.length;
    missing += unseenStatuses.length + unseenCodes.length;
    if (unseenStatuses.length + unseenCodes.length > 0)
      lines.push(`  ${op.id}: ${[...unseenStatuses, ...unseenCodes].join(', ')}`);
  }
  const head = `declared answers seen: ${all - missing} of ${all}, over ${called.length} of ${OPERATIONS.length} operations`;
  return [head, ...(lines.length > 0 ? ['never seen:', ...lines] : [])].join('\n');
}
