import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ACCOUNT_TYPES } from '../../../src/areas/external-accounts/types.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { DEFAULT_PORT } from '../../../src/contract/address.ts';
import { ENDS } from '../../areas/ends/ends.ts';
import { THINGS } from '../../areas/ends/under-way.ts';

// Where the numbers of the documents come from: declarations, constants of the source, and what was measured. A claim's
// pattern has a group for each number, and `is` what each must be. Constants are read from the file that declares them.

export interface Claim {
  pattern: RegExp;
  is: readonly (() => number | string)[];
  /** The pages where it is so; everywhere without. */
  on?: string | readonly string[];
}

/** The product of whole numbers, as a source has it: `64 * 1024 * 1024`. */
const productOf = (expression: string): number =>
  expression.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);

/** The number that stands where `pattern` has its group, in a file. */
function found(file: string, pattern: RegExp, per: number): number {
  const expression = pattern.exec(readFileSync(file, 'utf8'))?.[1];
  if (expression === undefined) throw new Error(`${file} has nothing like ${pattern}`);
  return productOf(expression) / per;
}

const NUMBER = String.raw`([\d_.]+(?: \* [\d_]+)*)`;
/** A constant of a file by its name: `const NAME = 5 * 1024`, or a member `name: 5`. */
const constant =
  (file: string, name: string, per = 1) =>
  () =>
    found(`src/${file}`, new RegExp(String.raw`\b${name}(?:: \w+)?(?: =|:) ${NUMBER}[;,\s]`), per);
/** The default of a limit that a scenario may set: `limit('name', 300, ...)`. */
const limit = (file: string, name: string) => () =>
  found(`src/${file}`, new RegExp(String.raw`limit\(\s*'${name}',\s*${NUMBER},`), 1);
/** What a pattern captures of any file of the checkout. */
const written =
  (file: string, pattern: RegExp, per = 1) =>
  () =>
    found(file, pattern, per);

type Row = { id: string; atMost: number };
const { ROWS }: { ROWS: Row[] } = await import(new URL('../../../bench/rows.mjs', import.meta.url).href);
const REPORT = JSON.parse(readFileSync('bench/report.json', 'utf8'));
const RECORDS = JSON.parse(readFileSync('bench/records.json', 'utf8'));
/** A figure of bench/records.json, without its units: `114` and `43` of "114 MB; 43 MB". */
const recorded =
  (record: string, name: string, n = 0) =>
  () =>
    String(RECORDS[record].figures[name].replaceAll(',', '').match(/[\d.]+/g)?.[n]);

const [MiB, KiB, SECOND, MINUTE, HOUR, DAY_SECONDS] = [1024 * 1024, 1024, 1000, 60_000, 3_600_000, 86_400];

const SECONDS_OF_A_FIXTURE = written('fixtures/sandbox_emulator.py', /^SECONDS = (\d+)/m);
const APPROVAL_SECONDS = constant('areas/transactions/approval.ts', 'APPROVAL_MS', SECOND);
const RETRIES = constant('areas/webhooks/retry.ts', 'RETRIES');
const RETRY_DAYS = written('src/areas/webhooks/retry.ts', /WINDOW_MS = ([\d *]+);/, DAY_SECONDS * SECOND);
const CHALLENGE_MINUTES = () => limit('areas/sca/challenges.ts', 'scaChallengeSeconds')() / 60;
const PAGE = constant('inspector/state/table.tsx', 'PAGE');
const TIMEOUT = limit('areas/webhooks/rules.ts', 'webhookTimeoutSeconds');
const SANDBOXES = constant('sandbox/host.ts', 'sandboxes');
const MOST_CHANGES = constant('engine/history.ts', 'MOST_CHANGES');
const KEPT_CHANGES = constant('engine/history.ts', 'KEPT_CHANGES');
const LOG = constant('sandbox/request-log.ts', 'REMEMBERED_REQUESTS');
const BODY = constant('sandbox/request-log.ts', 'REMEMBERED_BODY');
const NESTING = constant('http/parse.ts', 'DEEPEST');
const SLOW_MINUTES = written('src/areas/transactions/plans.ts', /'out slow': .*afterMs: (\d+) \* MINUTE/);
/** Half a minute, by the same file. */
const LATE_SECONDS = () =>
  60 / written('src/areas/transactions/plans.ts', /'QUOTE_EXECUTION_FAILED', MINUTE \/ (\d+)\)/)();
const LONGEST_PAUSE = () => {
  let [doubling, pause] = [0, constant('areas/webhooks/retry.ts', 'FIRST_MS')()];
  for (let n = 0; ; n += 1, doubling += pause, pause *= 2) {
    const even = (RETRY_DAYS() * 86_400_000 - doubling) / (RETRIES() - n);
    if (pause >= even) return Math.round(even / MINUTE);
  }
};
const GRID_PAUSE = written('src/contract/profile.ts', /longestWebhookPauseMs: ([\d *]+),/, MINUTE);

/** The table has a column for that nothing ends. */
const ENDS_OF_THINGS = () => Object.keys(ENDS).filter((end) => end !== 'nothing ends').length;
/** What five hundred sandboxes in use take besides an idle process, with as much again for garbage. */
const fiveHundredMiB = () => 2 * ((500 * REPORT.rows.sandbox.value) / MiB + REPORT.rows.idle.value);
const POINT = createECDH('prime256v1');
POINT.generateKeys();

export const CLAIMS: readonly Claim[] = [
  // Counts of what is declared.
  { pattern: /\b(\d+) operations\b/g, is: [() => OPERATIONS.length] },
  { pattern: /\| all (\d+), with their states|\| (\d+), compared with/g, is: [() => OPERATIONS.length] },
  { pattern: /accounts of (\d+) types/g, is: [() => ACCOUNT_TYPES.length] },
  {
    pattern: /a table of (\d+) ends against (\d+) things/g,
    is: [ENDS_OF_THINGS, () => Object.keys(THINGS).length],
  },
  { pattern: /in (\d+) calls, and no/g, is: [written('test/mcp/benchmark/benchmark.test.ts', /calls: (\d+)/)] },
  {
    pattern: /of about (\d+) lines: /g,
    is: [() => Math.round(readFileSync('fixtures/exam-backend.ts', 'utf8').split('\n').length / 100) * 100],
  },
  {
    pattern: /(\d[\d,]*) customers and (\d[\d,]*) payments over/g,
    is: [
      written('scenarios/load-10k.yaml', /customers: (\d+)/),
      written('scenarios/load-10k.yaml', /transactions: (\d+)/),
    ],
  },

  // What was measured by hand (bench/records.json), where it stands outside the generated tables.
  ...(['linux-x64', 'linux-arm64', 'windows-x64'] as const).map((target) => ({
    on: 'docs/executable.md',
    pattern: {
      'linux-x64': /not Alpine\) \| (\d+) MB \| (\d+) MB/g,
      'linux-arm64': /or later \| (\d+) MB \| (\d+) MB/g,
      'windows-x64': /on x86-64 \| (\d+) MB \| (\d+) MB/g,
    }[target],
    is: [recorded('executable', target), recorded('executable', target, 1)],
  })),
  {
    pattern: /it is (\d+) MB for amd64 and (\d+) MB for arm64/g,
    is: [recorded('image', 'amd64'), recorded('image', 'arm64')],
  },
  { pattern: /below (\d+) MB\./g, is: [written('.ci/image', /-lt (\d+) /, 1e6)] },
  { pattern: /wait up to (\d\.\d) seconds for a collection/g, is: [recorded('garbage', 'shared')] },
  { pattern: /above about (\d[\d,]*) calls per second/g, is: [recorded('garbage', 'above')] },
  { pattern: /the wait is some (\d+) ms/g, is: [recorded('garbage', 'free')] },
  { pattern: /heap to some (\d+) GB/g, is: [recorded('heap', 'most')] },
  { pattern: /sandboxes fit\s+into (\d+) MiB/g, is: [() => Math.max(512, fiveHundredMiB())] },
  { pattern: /the proxy handled (\d[\d,]*) per second/g, is: [recorded('proxy', 'reads')] },

  // Limits of the process, the control API and the log.
  { pattern: /(?:up to|holds|At|- ) ?(\d[\d,]*) sandboxes\b/g, is: [SANDBOXES] },
  {
    pattern: /sandboxes are listed \(1 to (\d[\d,]*); (\d+)\)/g,
    is: [
      written('src/sandbox/commands/general.ts', /max\((\d[\d_]*)\)/),
      written('src/sandbox/commands/general.ts', /default\((\d+)\)/),
    ],
  },
  { pattern: /sandboxes are listed \((\d+)\)/g, is: [written('src/sandbox/commands/general.ts', /default\((\d+)\)/)] },
  {
    pattern: /with up to (\d[\d,]*) faults and (\d[\d,]*) named snapshots/g,
    is: [
      constant('sandbox/commands/faults.ts', 'MOST_FAULTS'),
      constant('sandbox/commands/state.ts', 'MOST_SNAPSHOTS'),
    ],
  },
  {
    pattern:
      /\blast (\d[\d,]*)(?: requests|, filtered)|it has at most (\d[\d,]*) entries|^- (\d[\d,]*) requests per sandbox/gm,
    is: [LOG],
  },
  { on: 'docs/control-api.md', pattern: /(\d[\d,]*)\s+characters(?: of each body|: replaying|;)/g, is: [BODY] },
  { pattern: /all sandboxes share (\d+) MiB/g, is: [constant('sandbox/log-budget.ts', 'LOG_BYTES', MiB)] },
  { pattern: /(\d[\d,]*) settled webhooks/g, is: [constant('areas/webhooks/rules.ts', 'REMEMBERED')] },
  { pattern: /buffer of (\d[\d,]*) events/g, is: [constant('sandbox/commands/events.ts', 'MOST_WAITING')] },
  { pattern: /every (\d+) seconds keeps/g, is: [constant('sandbox/commands/events.ts', 'ALIVE_MS', SECOND)] },
  { pattern: /nest at most (\d+) levels/g, is: [NESTING] },
  {
    pattern: /of up to (\d+) KiB and (\d[\d,]*) tokens/g,
    is: [
      written('src/scenario/bounds.ts', /OF_A_CALL: Bounds = \{ characters: ([\d *]+),/, KiB),
      written('src/scenario/bounds.ts', /OF_A_CALL.*tokens: ([\d_]+)/),
    ],
  },
  {
    pattern: /of up to (\d+) MiB and (\d[\d,]*) tokens, with at most (\d+) levels and (\d[\d,]*) anchors/g,
    is: [
      written('src/scenario/bounds.ts', /OF_A_FILE: Bounds = \{ characters: ([\d *]+),/, MiB),
      written('src/scenario/bounds.ts', /OF_A_FILE.*tokens: ([\d_]+)/),
      constant('scenario/yaml.ts', 'DEEPEST'),
      constant('scenario/yaml.ts', 'MOST_ALIASES'),
    ],
  },
  {
    pattern: /\bkind of change \((\d[\d,]*)\)|lists the first (\d[\d,]*)\s+rows of each kind/g,
    is: [written('src/sandbox/commands/state.ts', /max\(10_000\)\.default\((\d+)\)/)],
  },
  {
    pattern: /kind of change \((\d[\d,]*); at most (\d[\d,]*)\)/g,
    is: [
      written('src/sandbox/commands/state.ts', /max\(10_000\)\.default\((\d+)\)/),
      written('src/sandbox/commands/state.ts', /max\((10_000)\)\.default/),
    ],
  },
  {
    pattern: /page size \(1 to (\d+); (\d+)\)/g,
    is: [
      written('src/contract/shapes.ts', /max\((\d+)\)\.default\(\d+\)\.describe\('Rows/),
      written('src/contract/shapes.ts', /default\((\d+)\)\.describe\('Rows/),
    ],
  },
  {
    pattern: /real milliseconds \(0 to (\d[\d,]*); (\d[\d,]*)\)/g,
    is: [
      written('src/sandbox/commands/webhooks.ts', /max\((\d[\d_]*)\)\.default\(PATIENCE_MS\)/),
      written('src/sandbox/commands/webhooks.ts', /PATIENCE_MS = (\d+);/),
    ],
  },
  {
    pattern: /waits in real time \( *, (\d[\d,]*)\)/g,
    is: [written('src/sandbox/commands/webhooks.ts', /PATIENCE_MS = (\d+);/)],
  },
  {
    pattern: /newest first \(1 to (\d[\d,]*); (\d+)\)/g,
    is: [
      written('src/sandbox/commands/log.ts', /max\((\d+)\)\.default\(\d+\)\.describe\('How many'/),
      written('src/sandbox/commands/log.ts', /default\((\d+)\)\.describe\('How many'/),
    ],
  },
  { pattern: /more than (\d[\d,]*)\s+rows is not run/g, is: [constant('calls/record/rehearse.ts', 'MOST_ROWS')] },
  { pattern: /at most about (\d+) points/g, is: [constant('sandbox/ledger-views.ts', 'POINTS')] },
  { pattern: /first (\d+) violations/g, is: [constant('ledger/book.ts', 'NAMED')] },
  { pattern: /the first (\d+)\s+(?:mistakes)/g, is: [constant('scenario/error.ts', 'MOST_PROBLEMS')] },
  { pattern: /the first (\d+) problems/g, is: [constant('sandbox/complaints.ts', 'NAMED')] },
  { pattern: /at least its last (\d[\d,]*) row changes/g, is: [KEPT_CHANGES] },
  { pattern: /changes more than (\d[\d,]*) rows/g, is: [KEPT_CHANGES] },
  { pattern: /process keeps (\d[\d,]*);/g, is: [MOST_CHANGES] },
  { pattern: /unpacks to more than (\d+) MiB/g, is: [constant('sandbox/capsule/read.ts', 'MOST_BYTES', MiB)] },
  { pattern: /for (\d+) hours, until/g, is: [constant('http/control-lock.ts', 'LASTS_MS', HOUR)] },
  { pattern: /idle for (\d+) seconds/g, is: [constant('http/server.ts', 'IDLE_MS', SECOND)] },
  {
    pattern: /JSON of at most (\d[\d,]*) characters/g,
    is: [() => constant('mcp/fit.ts', 'MOST')() + written('src/mcp/server.ts', /most = MOST \+ (\d+)/)()],
  },
  { pattern: /\buser\s(\d+)\b/g, is: [written('Dockerfile', /^USER (\d+):/m)] },

  // The command line.
  { pattern: /bodies of more than (\d+)\s+MiB/g, is: [constant('cli/commands/listen.ts', 'LARGEST', MiB)] },
  { pattern: /\b(4010)\b/g, is: [() => DEFAULT_PORT] },
  {
    on: 'docs/cli.md',
    pattern: /\| (\d+) \| port to listen on; 0/g,
    is: [written('src/cli/options.ts', /argParser\(port\)\.default\((\d+)\)/)],
  },
  {
    on: 'docs/cli.md',
    pattern: /\| (\d+) \| number of calls to compare/g,
    is: [written('src/cli/commands/parity.ts', /10_000_000\)\)\.default\((\d+)\)/)],
  },
  {
    on: 'docs/cli.md',
    pattern: /\| (\d+)s \| how long to wait until a read/g,
    is: [written('src/cli/commands/parity.ts', /default\((\d[\d_]*), '10s'\)/, SECOND)],
  },
  {
    on: 'docs/cli.md',
    pattern: /\| (\d+) \| number of past lines/g,
    is: [written('src/cli/commands/logs.ts', /1000\)\)\.default\((\d+)\)/)],
  },
  {
    on: 'docs/cli.md',
    pattern: /real time; at most (\d+)s/g,
    is: [written('src/cli/commands/skip.ts', /at most (\d+)s'/)],
  },
  { pattern: /(?:at most|to) (\d+) days/g, is: [constant('contract/duration-text.ts', 'LONGEST_DAYS')] },

  // Pages of the inspector.
  {
    on: 'docs/inspector.md',
    pattern: /the last (\d+) days by day/g,
    is: [constant('inspector/overview/volume.ts', 'DAYS')],
  },
  {
    on: 'docs/inspector.md',
    pattern: /the (\d+) newest entries/g,
    is: [constant('inspector/story/gather.ts', 'SHOWN')],
  },
  {
    on: 'docs/inspector.md',
    pattern: /newest first, (\d+) per page/g,
    is: [constant('inspector/money/ledger.tsx', 'PAGE')],
  },
  { on: 'docs/inspector.md', pattern: /Lists have (\d+) rows per page/g, is: [PAGE] },
  {
    on: 'docs/inspector.md',
    pattern: /The limit is (\d[\d,]*) for lists|more than (\d[\d,]*) jobs|considers the (\d[\d,]*) that/g,
    is: [constant('inspector/frame/bounded.ts', 'LOOKED_AT')],
  },
  {
    on: 'docs/inspector.md',
    pattern: /It is (\d[\d,]*) for a timeline/g,
    is: [constant('inspector/story/gather.ts', 'LOOKED_AT')],
  },
  {
    on: 'docs/inspector.md',
    pattern: /and (\d[\d,]*) of each kind for a search/g,
    is: [constant('inspector/search/find.ts', 'LOOKED_AT')],
  },
  {
    on: 'docs/inspector.md',
    pattern: /overview uses (\d[\d,]*) payments/g,
    is: [constant('inspector/overview/waiting.ts', 'LOOKED_AT')],
  },

  // Durations and limits of the areas.
  { pattern: /older than (\d+) hours of the virtual clock/g, is: [limit('areas/agents/codes.ts', 'deviceCodeHours')] },
  { pattern: /(?:after|within) (\d+) minutes(?: the payment is|\. A trusted| and stays)/g, is: [CHALLENGE_MINUTES] },
  {
    on: 'docs/agents.md',
    pattern: /and (\d+) hexadecimal digits/g,
    is: [written('src/areas/agents/agents.ts', /hex\(20\)\}`\)\.slice\(0, (\d+)\)/)],
  },
  {
    on: 'docs/stablecoins.md',
    pattern: /strings of at most (\d+) digits/g,
    is: [written('src/areas/stablecoins/schema.ts', /Digits\(\)\s*\.max\((\d+)\)/)],
  },
  {
    on: 'docs/stablecoins.md',
    pattern: /internal account is at\s+most ([\d,]+); a larger one/g,
    is: [constant('areas/transactions/schema.ts', 'MAX_AMOUNT')],
  },
  {
    pattern: /locks the login for (\d+) minutes, the sixth for (\d+)/g,
    is: [written('src/areas/sca/logins.ts', /\[5, (\d+)\]/), written('src/areas/sca/logins.ts', /\[6, (\d+)\]/)],
  },
  {
    on: 'docs/sca.md',
    pattern: /default (\d+), (\d+), (\d+)/g,
    is: [
      limit('areas/sca/challenges.ts', 'scaChallengeSeconds'),
      limit('areas/sca/challenges.ts', 'scaWrongAnswers'),
      limit('areas/sca/challenges.ts', 'scaResendsPerMinute'),
    ],
  },
  {
    on: 'docs/sca.md',
    pattern: /default (\d+) days/g,
    is: [written('src/areas/sca/logins.ts', /'scaSessionSeconds',\s*(\d+) \* DAY_SECONDS/)],
  },
  {
    on: 'docs/sca.md',
    pattern: /in (\d+) hours; default (\d+), (\d+)/g,
    is: [
      written('src/areas/sca/resets.ts', /DAY_MS = (\d[\d_]*);/, 3_600_000),
      limit('areas/sca/resets.ts', 'scaResetSeconds'),
      limit('areas/sca/resets.ts', 'scaResetsPerDay'),
    ],
  },
  {
    on: 'docs/wallet.md',
    pattern: /lasts, in seconds; default (\d+)/g,
    is: [limit('areas/sessions/rules.ts', 'sessionSeconds')],
  },
  {
    on: 'docs/wallet.md',
    pattern: /signature, in seconds; default (\d+)/g,
    is: [limit('areas/signing/rules.ts', 'challengeSeconds')],
  },
  {
    on: 'docs/wallet.md',
    pattern: /Default (\d+); 0 turns/g,
    is: [limit('areas/credentials/limit.ts', 'challengesPerMinute')],
  },
  {
    on: 'docs/wallet.md',
    pattern: /within its (\d+) seconds/g,
    is: [constant('crypto/oidc.ts', 'MAX_AGE_MS', SECOND)],
  },
  { on: 'docs/magic-values.md', pattern: /(?:takes|after)\s+(\d+) minutes/g, is: [SLOW_MINUTES] },
  { on: 'docs/magic-values.md', pattern: /(?:for|after) (\d+) s\b/g, is: [LATE_SECONDS] },
  { on: 'docs/webhooks.md', pattern: /You have (\d+) seconds|within these (\d+) seconds/g, is: [APPROVAL_SECONDS] },
  { pattern: /up to (\d+) times\b(?: over (\d+) days)?/g, is: [RETRIES, RETRY_DAYS] },
  { on: 'llms.txt', pattern: /retried for (\d+) days/g, is: [RETRY_DAYS] },
  {
    on: 'docs/webhooks.md',
    pattern: /double from (\d+) seconds to about (\d+) minutes/g,
    is: [constant('areas/webhooks/retry.ts', 'FIRST_MS', SECOND), LONGEST_PAUSE],
  },
  {
    on: 'docs/webhooks.md',
    pattern: /the longest pause is (\d+) minutes, so the (\d+) retries take about (\d+) days/g,
    is: [GRID_PAUSE, RETRIES, () => Math.round((GRID_PAUSE() * RETRIES()) / 60 / 24)],
  },
  {
    on: 'docs/webhooks.md',
    pattern: /At most (\d+) delivery attempts/g,
    is: [constant('engine/scheduler.ts', 'IN_FLIGHT')],
  },
  { on: 'docs/webhooks.md', pattern: /Each has (\d+) real seconds/g, is: [TIMEOUT] },
  { on: 'docs/time.md', pattern: /after the (\d+) virtual seconds/g, is: [TIMEOUT] },
  {
    on: 'docs/bulk.md',
    pattern: /of at most (\d+) rows or (\d+) KiB/g,
    is: [constant('areas/bulk/pack.ts', 'MOST_ROWS'), constant('areas/bulk/pack.ts', 'PIECE', KiB)],
  },
  { on: 'docs/bulk.md', pattern: /At most (\d[\d,]*) errors/g, is: [constant('areas/bulk/rules.ts', 'LISTED_ERRORS')] },
  {
    on: 'docs/stablecoins.md',
    pattern: /within (\d+) days of the virtual clock/g,
    is: [written('src/areas/stablecoins/operations.ts', /'stablecoinFundingSeconds',\s*([\d_ *]+),/, DAY_SECONDS)],
  },
  {
    on: 'docs/stablecoins.md',
    pattern: /a multiple of (\d+)/g,
    is: [written('src/areas/stablecoins/index.ts', /multiples of (\d+)/)],
  },
  {
    on: 'docs/scenarios.md',
    pattern: /\((\d\.\d+) to (\d+)\) per hour/g,
    is: [written('src/scenario/schema.ts', /\.min\((0\.\d+)\)/), written('src/scenario/schema.ts', /\.max\((3600)\)/)],
  },
  {
    on: 'docs/scenarios.md',
    pattern: /money of the first (\d+) approved/g,
    is: [constant('areas/live/payments.ts', 'MOST_PARTIES')],
  },
  { on: 'docs/scenarios.md', pattern: /about every (\d+)\s+payments/g, is: [constant('areas/live/jobs.ts', 'ROUND')] },
  {
    on: 'docs/testkit.md',
    pattern: /are (\d+), (\d+) and/g,
    is: [written('src/testkit/totp.ts', /digits = (\d+)/), written('src/testkit/totp.ts', /period = (\d+)/)],
  },
  {
    on: 'docs/fixtures.md',
    pattern: /out after\s(\d+) seconds|limit of a call \((\d+)\)/g,
    is: [SECONDS_OF_A_FIXTURE],
  },

  {
    on: 'docs/testkit.md',
    pattern: /\((\d+) bytes\), +\((\d+) bytes\)/g,
    is: [() => POINT.getPublicKey('hex', 'compressed').length / 2, () => POINT.getPublicKey('hex').length / 2],
  },

  // The exam.
  {
    on: 'docs/exam.md',
    pattern: /less than (\d+) seconds/g,
    is: [() => ROWS.find(({ id }) => id === 'exam')?.atMost ?? 0],
  },
  {
    on: 'docs/exam.md',
    pattern: /it may take (\d+) seconds/g,
    is: [constant('exam/backend.ts', 'LONGEST_MS', SECOND)],
  },
  {
    on: 'docs/exam.md',
    pattern: /is there, (\d+) seconds at most/g,
    is: [written('src/exam/index.ts', /patienceMs \?\? ([\d_]+)/, SECOND)],
  },
  {
    on: 'docs/exam.md',
    pattern: /reply comes after (\d+) seconds/g,
    is: [constant('exam/checks.ts', 'HELD_MS', SECOND)],
  },
  {
    on: 'docs/exam.md',
    pattern: /and (\d+) seconds where there is none/g,
    is: [constant('exam/checks.ts', 'HELD_MS', SECOND)],
  },
  {
    on: 'docs/exam.md',
    pattern: /(\d+) seconds for a further payment/g,
    is: [constant('exam/checks.ts', 'AGAIN_MS', SECOND)],
  },
];
