import { type Call, callsOf, isPause, type Walk } from '../calls/index.ts';
import type { Cause, Result } from './session.ts';
import { endpointOf, pathOf } from './sides.ts';

/** The words for each kind of difference. */
export const SAID: Readonly<Record<Cause['kind'], string>> = {
  status: 'another status',
  code: 'another error code',
  type: 'another type',
  missing: 'not there',
  added: 'only there',
  value: 'another value',
  length: 'another number of rows',
  order: 'another order',
  time: 'times in another order',
};

const REFERENCE = /\{\{(\w+)(?::([\w.-]+))?\}\}/g;
/** Returns the shell variable that holds a member of an earlier reply. */
const variable = (name: string, path: string): string => `${name}_${path.replaceAll(/\W/g, '_')}`;

/** Returns a text with its references as shell variables in double quotes, between single-quoted parts. */
const inShell = (text: string): string =>
  text
    .replaceAll("'", "'\\''")
    .replace(
      REFERENCE,
      (_, name: string, path: string | undefined) => `'"$${path === undefined ? name : variable(name, path)}"'`,
    );

const AUTH: Readonly<Record<string, string>> = { none: '', platform: ' -u "$CREDENTIALS"', wrong: ' -u wrong:wrong' };

function curl(call: Call, kept: readonly string[]): string {
  const { method } = endpointOf(call.operation);
  const auth = AUTH[call.as] ?? ` -H 'authorization: Bearer ${inShell(call.as)}'`;
  const headers = Object.entries(call.headers).map(
    ([name, value]) => ` -H '${name.replace('@wallet-signature', '\'"$SIGNATURE_HEADER"\'')}: ${inShell(value)}'`,
  );
  const path = pathOf({ ...call, params: call.params, query: call.query }).replaceAll(
    /%7B%7B(\w+)(?:%3A([\w.-]+))?%7D%7D/g,
    (_, name, at) => (at === undefined ? `{{${name}}}` : `{{${name}:${at}}}`),
  );
  const json =
    call.body === undefined ? '' : ` -H 'content-type: application/json' -d '${inShell(JSON.stringify(call.body))}'`;
  const fields = Object.entries(call.form?.fields ?? {}).map(([name, value]) => ` -F '${name}=${inShell(value)}'`);
  const file = call.form?.file ? ` -F 'file=@${call.form.file.name};type=${call.form.file.type}'` : '';
  const line = `curl -s -X ${method}${auth} "$BASE"'${inShell(path)}'${headers.join('')}${json}${fields.join('')}${file}`;
  if (kept.length === 0) return line;
  const takes = kept.map(
    (path) => `${variable(call.name, path)}=$(jq -r '.${path.replaceAll(/\.(\d+)/g, '[$1]')}' <<< "$${call.name}")`,
  );
  return [`${call.name}=$(${line})`, ...takes].join('; ');
}

/** Returns a walk as lines for a shell, ids as variables: `BASE` and `CREDENTIALS` select the side. */
export function shellLines(walk: Walk): string[] {
  const wanted = new Map<string, Set<string>>();
  for (const [, name, path] of JSON.stringify(walk).matchAll(REFERENCE))
    if (path !== undefined) wanted.set(name as string, (wanted.get(name as string) ?? new Set()).add(path));
  return walk.map((step) => (isPause(step) ? `# ${step.pass} pass` : curl(step, [...(wanted.get(step.name) ?? [])])));
}

const pair = ({ ours, theirs, kind }: Cause): string =>
  kind === 'missing' ? `here ${ours}` : kind === 'added' ? `there ${theirs}` : `here ${ours}, there ${theirs}`;

function block(cause: Cause): string[] {
  const { operation, kind, path, walk, count, after, scenario } = cause;
  const where = path === '' ? operation : `${operation}, ${path}`;
  const lines = [`${where}: ${SAID[kind]}: ${pair(cause)}`];
  const calls = callsOf(walk).length;
  const follows =
    after.length === 0
      ? ''
      : `; seen only after ${after.length === 1 ? after[0] : `${after.length} others, first ${after[0]}`}`;
  lines.push(
    `  ${count} times; ${calls} ${calls === 1 ? 'call shows' : 'calls show'} it, from the scenario ${scenario}${follows}`,
  );
  return [...lines, ...shellLines(walk).map((line) => `  ${line}`), ''];
}

/** Returns the report for a person at the end of a run. */
export function reportText({ causes, calls, walks, seed, shapes }: Result): string {
  const written = shapes
    ? `shapes of ${shapes.operations} operations written to ${shapes.file}: names and types, no values; safe to commit and to send\n`
    : '';
  const made = `${calls} calls in ${walks} walks compared (seed ${seed})`;
  if (causes.length === 0) return `${made}: no difference\n${written}`;
  const legend =
    '"here" is this emulator, "there" the other side. BASE, CREDENTIALS: of the side you ask; run: any text.';
  return [
    ...causes.flatMap(block),
    legend,
    `${made}: ${causes.length} ${causes.length === 1 ? 'difference' : 'differences'}`,
    written,
  ].join('\n');
}

/** Returns the report for programs. */
export const asJson = ({ causes, calls, walks, seed, shapes }: Result): object => ({
  seed,
  walks,
  calls,
  ...(shapes ? { shapes } : {}),
  differences: causes.map(({ cause, operation, kind, path, ours, theirs, count, after, scenario, walk }) => ({
    cause,
    operation,
    kind,
    path,
    ours,
    theirs,
    count,
    after,
    scenario,
    calls: callsOf(walk).length,
    walk,
    shell: shellLines(walk),
  })),
});
