import { afterAll, describe, expect, test } from 'vitest';
import { list, type Report } from '../../src/exam/index.ts';
import { type Emulator, startEmulator } from '../../src/index.ts';
import { effort } from '../kit/effort.ts';
import { type Edit, edited, examined, failedIn, sideBySide } from './kit.ts';

/** Apart, because it is not a deadline of a test. */
const TIMEOUT = 'AbortSignal.timeout';

/** Single mistakes of the reference backend, and the checks that each fails. */
const MISTAKES: readonly (readonly [mistake: string, fails: readonly string[], ...edits: Edit[]])[] = [
  [
    'sends a new key with every try',
    ['lost-execute', 'slow'],
    ["'idempotency-key': key", "'idempotency-key': randomUUID()"],
  ],
  ['sends no key', ['lost-execute', 'slow'], [", 'idempotency-key': key", '']],
  [
    'forgets its keys between two tries',
    ['lost-execute', 'slow'],
    ['await attempt(payment);', 'await attempt(Object.assign(payment, { key: randomUUID() }));'],
  ],
  [
    'takes events without a signature',
    ['unsigned'],
    ['if (!isSigned(header, raw))', "if (header !== '' && !isSigned(header, raw))"],
  ],
  ['verifies no signature', ['altered', 'forged', 'unsigned'], ['if (!isSigned(header, raw)) return 401;', '']],
  [
    'takes any signature of the right form',
    ['altered', 'forged'],
    ["v === '1' && createVerify('SHA256').update(raw).verify(webhookKey, s, 'base64')", "v === '1' && s.length > 80"],
  ],
  [
    'verifies a text that it wrote itself',
    ['altered'],
    ['.update(raw)', '.update(JSON.stringify(JSON.parse(String(raw))))'],
  ],
  [
    'answers 200 to an event whose signature does not hold',
    ['altered', 'forged', 'unsigned'],
    ['raw)) return 401', 'raw)) return 200'],
  ],
  [
    'answers 500 to an event whose signature does not hold',
    ['altered', 'forged', 'unsigned'],
    ['raw)) return 401', 'raw)) return 500'],
  ],
  ['applies an event twice', ['duplicate'], ['if (knownEvents.has(event.id)) return 200;', '']],
  [
    'answers 500 to an event that it knows',
    ['duplicate'],
    ['if (knownEvents.has(event.id)) return 200;', 'if (knownEvents.has(event.id)) return 500;'],
  ],
  [
    'pays once more when it is paid twice',
    // Wherever a payment is reported a second time: after the verdict of the last three, which the late debit overturns.
    ['duplicate', 'altered', 'forged', 'unsigned'],
    [
      'payment.handedOut += 1;',
      'payment.handedOut += 1;\n    if (payment.handedOut === 2) void pay({ ...payment, key: randomUUID(), handedOut: 9 });',
    ],
    ['if (knownEvents.has(event.id)) return 200;', ''],
  ],
  ['lets the last event win', ['disorder'], ['!payment || rank < payment.rank', '!payment']],
  [
    'answers 500 to an event that is older than another',
    ['disorder'],
    [
      '    learn(event.data);\n',
      '    const known = byTransaction.get(event.data.id);\n    if ((MEANING[event.data.status]?.[1] ?? 0) < (known?.rank ?? 0)) return 500;\n    learn(event.data);\n',
    ],
  ],
  [
    'believes in the money at the execution',
    ['failed'],
    [
      'if (executed.status >= 400)',
      "if (executed.status < 400) Object.assign(payment, { status: 'paid', rank: 3 });\n    else",
    ],
  ],
  ['forgets failures', ['failed', 'returned'], ["FAILED: ['failed', 4]", "FAILED: ['pending', 0]"]],
  ['forgets returns', ['returned'], ['rank < payment.rank', "rank < payment.rank || payment.status === 'paid'"]],
  [
    'pays again when a payment fails',
    ['failed', 'returned'],
    [
      '    payment.status = status;\n',
      "    payment.status = status;\n    if (transaction.status === 'FAILED' && payment.transactionId === transaction.id) void pay({ ...payment, key: randomUUID(), rank: 4 });\n",
    ],
  ],
  ['has no timeout for its calls', ['slow'], [`${TIMEOUT}(within)`, `${TIMEOUT}(60_000)`]],
  ['ignores Retry-After', ['rate-limited'], ["Number(reply.headers.get('retry-after') ?? 1) * 1000", '0']],
  ['reads the seconds of Retry-After as milliseconds', ['rate-limited'], ['?? 1) * 1000', '?? 1)']],
  ['takes a 429 for the end', ['rate-limited'], ['if (reply.status === 429) {', 'if (reply.status === 9429) {']],
  ['takes a 503 for the end', ['unavailable'], ['if (reply.status >= 500) throw again;', '']],
  ['makes no pause between two tries', ['unavailable'], ['PAUSE_MS * 2 ** tried * (1 + Math.random() / 4)', '0']],
  ['never tries again', ['unavailable', 'rate-limited'], ['const TRIES = 5;', 'const TRIES = 1;']],
  [
    'takes a lost reply for a failure',
    ['lost-execute'],
    [
      '    }).catch(() => {\n      throw again;\n    });\n    if (reply.status === 429)',
      "    }).catch(() => new Response('{}', { status: 499 }));\n    if (reply.status === 429)",
    ],
    [
      'if (executed.status >= 400) await reconcile(quote.body.transactionId);',
      "if (executed.status >= 400) Object.assign(payment, { status: 'failed', rank: 5 });",
    ],
  ],
  [
    'leaves a payment open whose quote was lost',
    ['lost-quote'],
    [
      '    }).catch(() => {\n      throw again;\n    });\n    if (reply.status === 429)',
      "    }).catch(() => new Response('{}', { status: path === '/quotes' ? 499 : 498 }));\n    if (reply.status === 429)",
    ],
    ["      payment.status = 'failed';\n      return;", '      return;'],
  ],
  [
    'takes a 409 for a payment that was made before',
    ['expired'],
    [
      'if (executed.status >= 400) await',
      "if (executed.status === 409) Object.assign(payment, { status: 'paid', rank: 5 });\n    else if (executed.status >= 400) await",
    ],
  ],
  ['takes each order for another payment', ['twice'], ['if (payments.has(reference)) return 200;', '']],
  [
    'looks for an order before it has stored the other',
    ['twice'],
    ['if (payments.has(reference)) return 200;', 'if (payments.has(reference)) return 200;\n    await wait(500);'],
  ],
  [
    'answers 400 to events that it does not need',
    ['plain'],
    [
      "if (!event.type.startsWith('OUTGOING_PAYMENT')) return 200;",
      "if (!event.type.startsWith('OUTGOING_PAYMENT')) return 400;",
    ],
  ],
  [
    'refuses events that are older than five minutes',
    ['receiver-down', 'late'],
    [
      'return answer(receive(String(signature), raw), {});',
      `{
        const clock = new URL('/_emulator/clock?sandbox=' + credentials.split(':')[0], api);
        const now = Date.parse((await (await fetch(clock)).json()).now);
        const age = isSigned(String(signature), raw) ? now - Date.parse(JSON.parse(String(raw)).timestamp) : 0;
        return answer(age > 300_000 ? 400 : receive(String(signature), raw), {});
      }`,
    ],
  ],
];

/** Other ways of doing it right. */
const RIGHT: readonly (readonly [way: string, ...edits: Edit[]])[] = [
  [
    'answers before it has paid',
    ['    await pay(payment);\n    return 201;', '    void pay(payment);\n    return 202;'],
  ],
  [
    'answers an order with 500, and pays',
    ['    await pay(payment);\n    return 201;', '    void pay(payment);\n    return 500;'],
  ],
  [
    'polls instead of waiting for events',
    ['    learn(event.data);\n', ''],
    [
      'if (executed.status >= 400) await reconcile(quote.body.transactionId);',
      'void (async () => {\n      for (let i = 0; i < 400; i += 1) {\n        await reconcile(quote.body.transactionId).catch(() => {});\n        await wait(50);\n      }\n    })();',
    ],
  ],
  [
    'gives a payment up whose calls are not answered, and asks what became of it',
    ['const TRIES = 5;', 'const TRIES = 3;'],
  ],
  [
    'answers 409 to an event that it knows',
    ['if (knownEvents.has(event.id)) return 200;', 'if (knownEvents.has(event.id)) return 409;'],
  ],
];

/** Exams that are under way at once: they wait most of the time. */
const AT_ONCE = 8;
/** Seeds with which the reference backend is examined. */
const SEEDS = Array.from({ length: effort(2, 20) }, (_, seed) => seed);
/** Checks that a mistake is held against besides those that it fails: a few in turn; in a thorough run all of them. */
const BESIDES = effort(3, 17);

/** The checks that a mistake is held against. */
const against = (fails: readonly string[], i: number): string[] => {
  const names = list().map(({ check }) => check);
  const besides = [...names.slice(i % names.length), ...names].slice(0, BESIDES);
  return names.filter((name) => fails.includes(name) || besides.includes(name));
};

const started: Promise<Emulator> = startEmulator({ port: 0, seed: 1 });
afterAll(async () => (await started).close());

const examine =
  (edits: readonly Edit[], options: Parameters<typeof examined>[2] = {}) =>
  async (): Promise<Report> =>
    examined(await started, await edited(edits), options);

const works = [
  ...MISTAKES.map(([, fails, ...edits], i) => examine(edits, { only: against(fails, i) })),
  ...RIGHT.map(([, ...edits]) => examine(edits)),
  ...SEEDS.map((seed) => examine([], { seed })),
];
const reports = sideBySide(works, AT_ONCE);

/** Returns the report of an exam; where it found nothing, another, alone: beside others, a machine makes pauses of its own. */
async function reportOf(i: number, found: (report: Report) => boolean): Promise<Report> {
  const report = (await reports[i]) as Report;
  if (found(report)) return report;
  await Promise.allSettled(reports);
  return (works[i] as (typeof works)[number])();
}

describe('a backend that makes one mistake', () => {
  test.each(MISTAKES.map(([mistake, fails], i) => ({ mistake, fails, i })))(
    'a backend that $mistake fails $fails and no other check of the exam',
    async ({ fails, i }) => {
      const report = await reportOf(i, (report) => failedIn(report).length > 0);
      expect(
        failedIn(report),
        JSON.stringify(
          report.checks.filter(({ result }) => result !== 'passed'),
          null,
          1,
        ),
      ).toEqual(fails);
    },
  );
});

describe('a backend without a mistake', () => {
  test.each(RIGHT.map(([way], i) => ({ way, i })))(
    'a backend that $way passes every check of the exam',
    async ({ i }) => {
      const report = (await reports[MISTAKES.length + i]) as Report;
      expect(failedIn(report), JSON.stringify(report, null, 1)).toEqual([]);
    },
  );

  test.each(SEEDS)('the reference backend passes every check of the exam with seed %i', async (seed) => {
    const report = (await reports[MISTAKES.length + RIGHT.length + seed]) as Report;
    expect(failedIn(report), JSON.stringify(report, null, 1)).toEqual([]);
  });
});
