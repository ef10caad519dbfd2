import { AREAS, EVENTS, machines, OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { refusals } from '../../src/http/openapi.ts';
import { placeOf } from '../../src/sandbox/rules.ts';
import { CONTRACT } from '../kit/contract.ts';
import { contractCell } from './contract-cell.ts';
import { FOREIGN } from './foreign.ts';
import { nothing, type Observations, type Observed } from './notes.ts';
import { FALSIFICATIONS, falsifications, isOf, plantedDifferences } from './planted.ts';
import { eventReason, notInterleaved, stateReason, UNSEEN } from './reasons.ts';
import { confirmedBy, HEARD } from './service.ts';

/** A cell of the record; a text is the reason why there is nothing. */
type Cell = object | string;
type Block = Readonly<Record<string, Cell>>;

/** docs/evidence.json. */
export interface Evidence {
  readonly about: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly service: Cell;
  readonly rules: Readonly<Record<string, Cell>>;
  readonly events: Readonly<Record<string, Cell>>;
  readonly states: Readonly<Record<string, Cell>>;
  readonly operations: Readonly<Record<string, Block>>;
}

const ABOUT =
  'What is known of each operation, and by which proof. Written by npm run evidence from a run of all tests, never by hand; npm test fails when it is stale. Each cell stands for itself: nothing is summed. A text in place of a list is the reason why there is nothing.';

const CELLS: Readonly<Record<string, string>> = {
  answers:
    'statuses, and status/code of refusals, that the OpenAPI document declares for it below 500, and that a test has seen; notByARule are those that tests did not see, or only because a fault of the control API sent them',
  contract:
    'members, members with listed values (enums) and members by format that the public contract declares for request and reply, each named shape counted once; held: statuses whose replies tests held against it with closed shapes and checked formats, by profile; differs: the rows of docs/profiles.md that its shapes concern. Requests are held against it by test/journeys/contract-types.test.ts',
  rules:
    'the rules by which tests saw it refuse, each with the answers and one test file that met it; where the rule comes from, and the test that breaks without it, stand under rules',
  events:
    'events that calls of it led to, itself or by its delayed work: the profiles, and the events of the same subject right before; where signature and shape were verified stands under events',
  states: 'states that rows entered by it or by its delayed work, by state machine',
  simulations: 'random histories, checked after every step, in which it takes part and succeeds',
  walks:
    'parity: which walks of the test suite call it, what they compare it with, and the planted differences that they have to find; nothing here was compared with the service',
  outside:
    'whether a client outside this repository or a recording of the service has confirmed it; byOthers: what code of other people did for it in a test',
};

const sorted = <T>(values: Iterable<T>): T[] => [...values].sort();
const entries = <V>(map: ReadonlyMap<string, V>): [string, V][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
const listed = (values: readonly unknown[], reason: () => string): Cell => (values.length > 0 ? values : reason());

/** Files that call every operation alike, or draw their calls: others say more of a rule. */
const GENERAL = /^test\/(?:parity|hostile|house|control|mcp|inspector|profile|calls|scenario)\/|hostile|simulation/;
const AREA_OF = new Map(AREAS.flatMap(({ name, operations }) => operations.map(({ id }) => [id, name] as const)));

/** Returns the one test file to name among those that met a rule: of its own area, else of an area, else the first. */
function bestOf(id: string, files: Iterable<string>): string {
  const rank = (file: string): number =>
    file.startsWith(`test/areas/${AREA_OF.get(id)}/`) ? 0 : GENERAL.test(file) ? 2 : 1;
  return sorted(files).sort((a, b) => rank(a) - rank(b))[0] ?? '';
}

type Operation = (typeof OPERATIONS)[number];

/** Every answer that an operation declares: statuses, and statuses with their codes. */
function declaredAnswers(op: Operation): string[] {
  const codes = [...refusals(op)].flatMap(([status, all]) => all.map((code) => `${status}/${code}`));
  const answers = [...Object.keys(op.replies), ...[...refusals(op).keys()].map(String), ...codes];
  return sorted(new Set(answers.filter((answer) => Number(answer.slice(0, 3)) < 500)));
}

/** Returns whether an answer was seen; a status counts with any code. */
const isAmong = (answers: ReadonlySet<string>, answer: string): boolean =>
  answers.has(answer) || [...answers].some((one) => one.startsWith(`${answer}/`));

/** Returns the names of what others did for an operation in files whose calls a run of npm test does not see. */
const elsewhere = (id: string): string[] =>
  FOREIGN.filter(({ calls, operations }) => calls !== undefined && operations.includes(id)).map((one) => one.id);

/** Returns the cells of one operation. */
function blockOf(op: Operation, seen: Observed): Block {
  const answers = declaredAnswers(op);
  const notByARule = answers.filter((answer) => !isAmong(seen.answers, answer));
  const numbers = (statuses: Iterable<number>) => [...statuses].sort((a, b) => a - b);
  const rules = entries(seen.rules).map(([rule, { answers: met, files }]) => [
    rule,
    { answers: sorted(met), test: bestOf(op.id, files) },
  ]);
  const events = entries(seen.events).map(([type, { profiles, after }]) => [
    type,
    { profiles: sorted(profiles), after: sorted(after).map((before) => before || 'nothing') },
  ]);
  const states = entries(seen.states).map(([machine, entered]) => [machine, sorted(entered)]);
  const foreign = new Set([...seen.foreign, ...elsewhere(op.id)]);
  const byOthers = FOREIGN.filter(({ id }) => foreign.has(id)).map(({ by, did, file }) => `${by} ${did}: ${file}`);
  return {
    endpoint: `${op.method} ${op.path}`,
    answers: {
      seen: answers.filter((answer) => isAmong(seen.answers, answer)),
      ...(notByARule.length > 0 ? { notByARule } : {}),
    },
    contract: { ...contractCell(op.id), held: { grid: numbers(seen.held.grid), spec: numbers(seen.held.spec) } },
    rules: rules.length > 0 ? Object.fromEntries(rules) : 'no test saw it refuse',
    events: events.length > 0 ? Object.fromEntries(events) : eventReason(op),
    states: states.length > 0 ? Object.fromEntries(states) : stateReason(op),
    simulations: listed(sorted(seen.simulations), () => notInterleaved(op)),
    walks: {
      calledBy: listed(
        sorted(seen.walks),
        () =>
          'no random walk of npm test reaches it; test/parity/planted.test.ts, which runs apart, aims walks where differences are planted',
      ),
      plantedDifferences: plantedDifferences().get(op.id) ?? 'none is planted in its replies',
    },
    outside: {
      service: confirmedBy(op.id),
      byOthers: listed(byOthers, () => 'no code of others takes part in it in a test of this repository'),
    },
  };
}

/** Returns where a rule comes from, and the tests that break without it. */
function ruleCell(rule: string): Cell {
  const place = placeOf(rule);
  const isSection = /^(?:spec|reference|RFC)\b/.test(place);
  const all = falsifications();
  const planted = all.filter((one) => isOf(one, rule));
  const none =
    all.length === 0 ? `${FALSIFICATIONS} does not exist, or is empty` : `${FALSIFICATIONS} has none for this rule`;
  const breaks = planted.map(({ file, suite, test }) => `${suite}: ${test} (without it in ${file})`);
  return {
    from: isSection ? place : 'no section: a rule of the emulator or its scenario, in its own words',
    breaks: listed(sorted(new Set(breaks)), () => none),
  };
}

/** Returns what is known of a type of event wherever it is caused. */
function eventCell(type: string, { operations, signed }: Observations): Cell {
  const causes = [...operations].filter(([, { events }]) => events.has(type)).map(([id]) => id);
  const verified = sorted(signed.get(type) ?? []);
  const absent = (['grid', 'spec'] as const).filter((name) => PROFILES[name].absent['events']?.includes(type));
  return {
    contract: type in CONTRACT.events ? 'held against its shape' : 'the public contract has no such event',
    verified: listed(verified, () => 'nothing here causes it: docs/profiles.md'),
    ...(absent.length > 0 ? { absentIn: absent } : {}),
    causedBy: listed(sorted(causes), () => 'no operation: a control, or nothing'),
  };
}

/** Returns the states of a machine that operations reached, and those that none did. */
function machineCell(machine: ReturnType<typeof machines>[number], { operations }: Observations): Cell {
  const states = sorted(new Set(machine.transitions.map(({ to }) => to)));
  const reached = new Set([...operations.values()].flatMap(({ states: seen }) => [...(seen.get(machine.name) ?? [])]));
  return {
    from: machine.rule,
    reached: states.filter((state) => reached.has(state)),
    notByACall: listed(
      states.filter((state) => !reached.has(state)),
      () => 'none',
    ),
  };
}

/** Returns the record of what a run has seen, and of what is declared. */
export function recordOf(observations: Observations): Evidence {
  const seen = (id: string) => observations.operations.get(id) ?? nothing();
  const ids = OPERATIONS.map(({ id }) => id).sort();
  const rules = new Set(ids.flatMap((id) => [...seen(id).rules.keys()]));
  const types = sorted(new Set([...EVENTS.flatMap((group) => [...group.types]), ...observations.signed.keys()]));
  const named = [...machines()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const operation = new Map(OPERATIONS.map((op) => [op.id, op]));
  return {
    about: ABOUT,
    cells: CELLS,
    service: listed(
      HEARD.map(({ file, date }) => `${file} of ${date}`),
      () =>
        'No recording of the service and no shapes of its answers are in the repository: nothing here was compared with the service.',
    ),
    rules: Object.fromEntries(sorted(rules).map((rule) => [rule, ruleCell(rule)])),
    events: Object.fromEntries(types.map((type) => [type, eventCell(type, observations)])),
    states: Object.fromEntries(named.map((machine) => [machine.name, machineCell(machine, observations)])),
    operations: Object.fromEntries(ids.map((id) => [id, blockOf(operation.get(id) as Operation, seen(id))])),
  };
}

/** What a record must say of every operation, in a reader's words; docs/reliance.md relies on it. */
export const MUST = {
  rules: 'an answer that the OpenAPI document declares below 500 was seen, and no fault gave it',
  contract: 'a success was held against the public contract in both profiles',
  events: 'an event that is declared to follow an operation was seen',
} as const;

/** Returns the operations of which a record does not say what it must, and what is missing. */
export function lackingIn({ operations }: Evidence, must: keyof typeof MUST): string[] {
  return Object.entries(operations).flatMap(([id, block]) => {
    // biome-ignore lint/suspicious/noExplicitAny: cells differ in their form, and are looked at one by one
    const { answers, contract, events } = block as any;
    if (must === 'rules') return (answers.notByARule ?? []).map((answer: string) => `${id} ${answer}`);
    if (must === 'events') return String(events).startsWith(UNSEEN) ? [`${id} ${events}`] : [];
    const isHeld = (statuses: number[]) => statuses.some((status) => status < 300);
    return isHeld(contract.held.grid) && isHeld(contract.held.spec) ? [] : [id];
  });
}
