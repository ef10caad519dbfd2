/** A fault for a suite to find: a line of the product, and what stands in its place. */
export interface Fault {
  readonly what: string;
  readonly file: string;
  readonly sound: string;
  readonly faulty: string;
  /** The suite that finds it, one of those that run on every change, and a test of it that fails. */
  readonly suite: string;
  readonly test: string;
}

/** Faults of the kinds that cost most: in money, webhooks, permissions and masking. Each is small, and changes no type. */
export const FAULTS: readonly Fault[] = [
  {
    what: 'a return to a card in USDB credits 1/10,000',
    file: 'src/areas/cards/payments.ts',
    sound: "'card return', { from: 'network', to: 'available', amount: credited(moved) - credited(t) }",
    faulty: "'card return', { from: 'network', to: 'available', amount }",
    suite: 'test/areas/cards/simulation.test.ts',
    test: 'random orders of the messages of a card network lose no cent',
  },
  {
    what: 'an agent whose name has U+2028 in it is a 500',
    file: 'src/areas/agents/agents.ts',
    sound: '  if (!isCustomer(world, sent.customerId)) ',
    faulty:
      "  if (sent.name.includes('\\u2028')) throw new TypeError('planted');\n  if (!isCustomer(world, sent.customerId)) ",
    suite: 'test/hostile/strange.test.ts',
    test: 'one strange text at a time',
  },
  {
    what: 'a hold is released twice',
    file: 'src/areas/cards/payments.ts',
    sound: "    { from: 'held', to: 'available', amount: back.held },\n",
    faulty: "    { from: 'held', to: 'available', amount: back.held },\n".repeat(2),
    suite: 'test/areas/cards/simulation.test.ts',
    test: 'random orders of the messages of a card network lose no cent',
  },
  {
    what: 'a refund keeps the fee',
    file: 'src/areas/transactions/money.ts',
    sound: 'affordable(world, reversed(world, t));\n',
    faulty: `affordable(world, reversed(world, t))
    .concat([
      { account: t.refundTo, currency: t.sent.currency, amount: -t.fees },
      { account: outside('service-fees', t.sent.currency), currency: t.sent.currency, amount: t.fees },
    ]);
`,
    suite: 'test/areas/quotes/simulation.test.ts',
    test: 'random payments lose no cent',
  },
  {
    what: 'halves of a fee are rounded down',
    file: 'src/ledger/price.ts',
    sound: '(2n * n + d) / (2n * d)',
    faulty: '(2n * n + d - 1n) / (2n * d)',
    suite: 'test/ledger/price.test.ts',
    test: 'a payout equals the result of whole-number arithmetic, up to 1e15 minor units',
  },
  {
    what: 'what was pulled is counted twice while it waits',
    file: 'src/areas/transactions/card-money.ts',
    sound: "(stage === 'FAILED' ? sum : sum + amount)",
    faulty: "(stage === 'FAILED' ? sum : sum + (stage === 'PENDING' ? 2 : 1) * amount)",
    suite: 'test/areas/cards/simulation.test.ts',
    test: 'random orders of the messages of a card network lose no cent',
  },
  {
    what: 'a statement shows every currency with the decimals of dollars',
    file: 'src/inspector/money/statement.tsx',
    sound: '          <Amount of={of.balance.total} currency={of.currency} />',
    faulty: '          <Amount of={of.balance.total} currency="USD" />',
    suite: 'test/inspector/ledger.test.ts',
    test: 'shows every amount with the decimals of its currency',
  },
  {
    what: 'two events of one subject are on their way at once',
    file: 'src/areas/webhooks/rules.ts',
    sound: "deliveries.count('queue', event.subject) > 0;",
    faulty: "deliveries.count('queue', event.subject) > 1;",
    suite: 'test/house/simulation.test.ts',
    test: 'every invariant holds after every step',
  },
  {
    what: 'a webhook is signed over another body',
    file: 'src/areas/webhooks/rules.ts',
    sound: ': sign(world, body);',
    faulty: ": sign(world, body.normalize('NFD').replace(/}$/, ' }'));",
    suite: 'test/house/simulation.test.ts',
    test: 'every invariant holds after every step',
  },
  {
    what: 'a webhook is tried again too early',
    file: 'src/areas/webhooks/retry.ts',
    sound: 'FIRST_MS * 2 ** (tried - 1)',
    faulty: 'FIRST_MS * 2 ** Math.max(0, tried - 2)',
    suite: 'test/areas/webhooks/delivery.test.ts',
    test: 'a dead receiver gets 161 attempts',
  },
  {
    what: 'an event is lost when a life begins from a file',
    file: 'src/sandbox/sandbox.ts',
    sound: "    if (origin.from === 'file' && hold) world.clock.restore({ ...origin.state.clock, mode: 'held' });\n",
    faulty: `    for (const { id, kind } of [...world.scheduler.jobs.rows()])
      if (from === 'file' && kind === 'webhook.deliver') world.transact(() => world.scheduler.cancel(id));
    if (origin.from === 'file' && hold) world.clock.restore({ ...origin.state.clock, mode: 'held' });
`,
    suite: 'test/control/state-file.test.ts',
    test: 'paused deliveries are still paused after a start from a state file',
  },
  {
    what: 'a token that may only look may change',
    file: 'src/http/call.ts',
    sound: "if (principal?.kind === 'platform') requirePermission",
    faulty: "if (principal?.kind === 'platform' && op?.method !== 'PATCH') requirePermission",
    suite: 'test/house/credentials.test.ts',
    test: 'called with a token that lacks its permission is refused with 403',
  },
  {
    what: 'an agent reads the accounts of another customer',
    file: 'src/areas/agents/own.ts',
    sound: '  row.customerId === agent.customerId;',
    faulty: '  row.customerId !== undefined && agent.customerId !== undefined;',
    suite: 'test/areas/agents/own.test.ts',
    test: 'an agent gets 404 for what belongs to another customer',
  },
  {
    what: 'a token of one sandbox leads into another that came of it',
    file: 'src/sandbox/sandbox.ts',
    sound: '      forgetTokens(world, isOwn, (id) => others.some((other) => other.logsIn(id)));\n',
    faulty: '',
    suite: 'test/control/fork.test.ts',
    test: 'a fork of a fork has the rows of both',
  },
  {
    what: 'the code of an agent stands in the path of a logged call',
    file: 'src/engine/masking.ts',
    sound: "const WITH_SECRETS = ['/kyc/', '/liveness/', '/device-codes/'];",
    faulty: "const WITH_SECRETS = ['/kyc/', '/liveness/'];",
    suite: 'test/control/masking.test.ts',
    test: 'a device code in a path with',
  },
  {
    what: 'a one-time code stands in the log',
    file: 'src/sandbox/mask.ts',
    sound: "(plain === 'code' && !isCodeOpen) || sent.has(plain) || isSecretName(plain)",
    faulty: 'sent.has(plain) || isSecretName(plain)',
    suite: 'test/control/masking.test.ts',
    test: 'a secret in a query appears nowhere, also under an escaped name',
  },
  {
    what: 'a secret stands in what differs between two states',
    file: 'src/sandbox/mask.ts',
    sound: "path.split('.').some((name) => isSecret(plainName(name))) ? MASK : maskValue(value, isSecret);",
    faulty: "path.split('.').length > 9 ? MASK : maskValue(value, isSecret);",
    suite: 'test/control/masking.test.ts',
    test: 'a secret that changed between two states does not appear in their diff',
  },
];
