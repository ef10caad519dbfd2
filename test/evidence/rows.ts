/** A proof of a row: a test by its file and a part of its name, or the heading of a page. */
export type Proof =
  | { readonly file: string; readonly test: string }
  | { readonly page: string; readonly heading: string };

/** What a reader wants to rely on, and the answer. Words in braces are filled from the record. */
export interface Row {
  /** Goes on after "May I rely on it that". */
  readonly that: string;
  /** `yes`, `no`, or the flags with which it is so. */
  readonly answer: 'yes' | 'no' | { readonly with: string };
  /** What was looked at, or why not. */
  readonly because: string;
  readonly proofs: readonly Proof[];
}

export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

const test = (file: string, name: string): Proof => ({ file: `test/${file}.test.ts`, test: name });
const page = (name: string, heading: string): Proof => ({ page: `docs/${name}.md`, heading });

const row = (that: string, answer: Row['answer'], because: string, ...proofs: readonly Proof[]): Row => ({
  that,
  answer,
  because,
  proofs,
});

/** The flag of a row, in words of the command line. */
const flags = (text: string): Row['answer'] => ({ with: text });

/** Every row of docs/reliance.md. A yes has to be true in every state that anybody can think of. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Money',
    rows: [
      row(
        'postings of each currency sum to zero, and no account of a customer or the platform goes below it',
        'yes',
        'checked after every test and step of random histories. A state from outside that breaks it is refused, but for currencies mixed between accounts outside',
        test('areas/together/simulation', 'keeps its books balanced and its statuses valid'),
        test('ledger/ledger', 'per currency postings sum to zero, no account goes below zero'),
      ),
      row(
        'a call of the API that a rule refuses moves no money',
        'yes',
        'tests compare the world before and after each refusal. A fault that you set to strike afterwards is not a refusal',
        test('areas/quotes/execute', 'moves nothing; the quote can still be paid'),
      ),
      row(
        'a refused call changes nothing at all',
        'no',
        'a wrong proof of ownership ends its check, wrong codes are counted, an `Idempotency-Key` keeps its first answer',
        test(
          'areas/external-accounts/ownership',
          'a bad signature of a wallet is refused with 400 and leaves it UNVERIFIED with an event',
        ),
      ),
      row(
        'of payments executed at the same time, no more succeed than the balance covers',
        'yes',
        'calls of one sandbox decide one after the other',
        test('areas/quotes/execute', 'no more executions at once succeed than the balance covers'),
      ),
      row(
        'a quote costs what the scenario’s rates and fees say, to the minor unit',
        'yes',
        '[how](payments.md#what-a-quote-costs): the service’s fee is half a percent unless `limits.serviceFeeBps` sets another. A rate is rounded to ten digits; compared with whole-number arithmetic up to 1e15 minor units. The reply’s `exchangeRate` is rounded, so do not compute with it',
        test('ledger/price', 'a payout equals the result of whole-number arithmetic, up to 1e15 minor units'),
        test('areas/quotes/fees', 'a scenario with the service fee %s sends 1000.00 USD'),
      ),
      row(
        'a call repeated with the same `Idempotency-Key` acts once',
        'yes',
        'for a day of virtual time, within a sandbox, until a reset, reload, restore, rewind or loaded state, where the operation takes the header',
        test('http/idempotency', 'a repeated Idempotency-Key gets the first 2xx or 4xx reply, byte for byte'),
      ),
      row(
        'rates and fees are those that the service charges',
        'no',
        'they are the scenario’s, or built in',
        page('payments', 'What a quote costs'),
      ),
    ],
  },
  {
    title: 'Webhooks',
    rows: [
      row(
        'every delivery is signed over its exact body',
        'yes',
        '{signed} event types of the two profiles were verified at a receiver. A fault of yours can spoil a signature',
        test('evidence/events', 'arrives at a receiver, signed by the key of the sandbox'),
      ),
      row(
        'the public key stays the same after a reset, and after a restart with the same `--seed` or none',
        'yes',
        'without a seed it is the same on every machine',
        test('areas/webhooks/delivery', 'the webhook key stays the same after resets and restarts'),
      ),
      row(
        'a delivery that fails is tried again',
        'yes',
        'up to 160 times, but `TEST`, `INCOMING_PAYMENT.PENDING` and a redelivery once. A reset, reload, restore, rewind or loaded state drops what is pending; an endpoint elsewhere, without its flag, makes it `UNSENT`, and without any endpoint its tries pass unsent',
        test('areas/webhooks/delivery', 'a dead receiver gets 161 attempts'),
      ),
      row(
        'webhooks reach an HTTPS receiver',
        'yes',
        'over HTTP/1.1; its certificate is checked, unless `NODE_TLS_REJECT_UNAUTHORIZED` is `0`; name your own authority in `NODE_EXTRA_CA_CERTS`. None that asks for a client’s certificate',
        test('journeys/https-receiver', 'the built command line sends webhooks to an HTTPS receiver'),
      ),
      row(
        'first deliveries of one resource arrive in the order of its events',
        'yes',
        'unless a fault or a hand reorders them',
        test('areas/webhooks/simulation', 'the events of a resource are first accepted in the order of their emission'),
      ),
      row(
        'an event arrives exactly once',
        'no',
        'at least once: recognise it by its `id`',
        page('webhooks', 'Delivery'),
      ),
      row(
        'events of different resources arrive in one order',
        'no',
        'a slow one does not hold up others',
        page('webhooks', 'Delivery'),
      ),
      row(
        'webhooks reach a receiver on another machine',
        flags('--allow-remote-webhooks'),
        'or the endpoint that `--webhook-url` names; without either they are kept as `UNSENT`',
        test('areas/webhooks/remote-endpoint', 'a remote endpoint that the start options name receives deliveries'),
      ),
    ],
  },
  {
    title: 'Errors',
    rows: [
      row(
        'a refusal of the API is JSON with `status`, `code` and `message`',
        'yes',
        'also when the input is not HTTP (over TLS its connection is closed). HEAD has no body, a fault may cut one, too large a body may break the connection',
        test('house/hostile', 'a body with a wrong type in any field is refused with 400 INVALID_INPUT'),
        test('http/edge', 'is refused with the error body (H9)'),
      ),
      row(
        'each status below 500 that its own OpenAPI document (`/openapi.json`) has for an operation, and each code in the description of that status, can happen without a fault',
        'yes',
        'a test has met each, of each of the {operations} operations, in one profile or both. The schemas `Error400` and so on list the codes of all operations. [Some](profiles.md#statuses-that-only-a-fault-sends) of the public description do not',
        test('evidence/evidence', 'every declared answer was given by a rule'),
        test(
          'profile/declared-refusals',
          'declares the same refusals in both, but for those that the other cannot give',
        ),
      ),
      row(
        'I can find out which rule refused my call',
        'yes',
        '`why last` names the rule that a check has declared, or else the section of its status, and the message, of the last 1,000 calls of a sandbox (`--sandbox`) since its last reset, reload or restart ([memory](control-api.md#limits) permitting). Of a reply that an `Idempotency-Key` repeats, as long as the log has the first call. A refused call is in the sandbox that its credentials name (or that has the device code, or the link of a hosted page), else in the scenario’s. Not logged: preflights of web pages, what is refused before the API sees it (no whole HTTP, `Expect`, headers too long), and calls under way when the sandbox is reset, reloaded, restored, rewound, loaded or dropped',
        test('control/why', 'every refused request names a rule'),
        test('control/why', 'a repeated refusal shows the rule of the first one'),
      ),
      row(
        'no request can cause a 500',
        'no',
        'random requests cause none today; the next one might',
        test('hostile/hostile', 'hostile inputs of one seed, most of them wrong somewhere, find no defect'),
      ),
      row(
        'messages keep their words',
        'no',
        'compare statuses, codes and reasons',
        page('compatibility', 'What may change between versions'),
      ),
      row(
        'the service checks in the same order where several things are wrong',
        'no',
        'nobody has compared it',
        page('parity', 'A service'),
      ),
      row(
        'the service’s rate limits are met here',
        'no',
        'only challenges, wrong codes, resends, resets of factors, limits of a scenario and one sandbox too many end in a 429',
        page('profiles', 'Statuses that only a fault sends'),
      ),
    ],
  },
  {
    title: 'Wallets and logins',
    rows: [
      row(
        'what `@turnkey/crypto` seals and `@turnkey/api-key-stamper` signs is accepted',
        'yes',
        'tested with those libraries; where they check who signed, they are given [this key](wallet.md)',
        test('areas/wallet/verify-otp', 'the wallet library verifies the token of a login'),
        test('crypto/bundles', 'a real client seals a code to the OTP target bundle'),
      ),
      row(
        'a passkey that a web page makes in a real browser signs in',
        'yes',
        'made by a page over HTTPS or on localhost, for its own domain or one above, with a transport of the contract; at the origin that made it. Tried with Chromium on every change, no other browser',
        {
          file: 'test/browser/passkey.test.ts',
          test: 'a passkey that a real browser made signs a customer in',
        },
      ),
      row(
        'a signature or a sealed code that says anything else is refused',
        'yes',
        'characters of each are changed at random; another form of the same (hex in capitals, high `s`) is taken. Attestations are not checked; strong authentication takes passkeys that no browser makes',
        test(
          'areas/wallet/tampering',
          'a stamp with any character changed, or with any field of it changed, is refused, and the right one is still accepted',
        ),
      ),
      row(
        'only the owner’s key can sign',
        'no',
        'literals such as `sandbox-valid-signature` are always taken, as in the service’s sandbox',
        test('areas/wallet/signed-retry', 'the literal sandbox signature is accepted once'),
      ),
      row(
        'the signature of an OIDC token is checked',
        flags('platform.verifyOidcSignatures'),
        'of the scenario, or of a loaded state; by default only claims are checked. A key that names no `issuer` signs for [each](wallet.md)',
        test('areas/wallet/verify-oauth', 'platform.verifyOidcSignatures (spec 5 rule 8)'),
      ),
      row('a code is sent to a phone or a mailbox', 'no', 'codes are fixed', page('magic-values', 'Magic values')),
    ],
  },
  {
    title: 'Time',
    rows: [
      row(
        'virtual time stands still until I move it',
        flags('--hold-clock'),
        'or reset or reload without `--now`, load a state or snapshot of a clock that ran, or a page, wait, exam or `trigger` moves it. An advance runs what is due in its order',
        test('control/clock', 'the clock is read, advanced by a duration or set to a moment, and shows which jobs ran'),
      ),
      row(
        'a quote that is neither executed nor paid expires five virtual minutes after it was made',
        'yes',
        'unless the scenario sets another time. One that waits for a [proof](sca.md) ends as `FAILED`, five minutes after the last challenge (whose code may be sent again), or at its expiry if it is funded from outside',
        test('areas/quotes/execute', 'is refused with 409 after five virtual minutes'),
      ),
      row(
        'moments in replies are UTC',
        'yes',
        'whatever offset a request has',
        test('house/moments', 'a reply of any operation cannot show an offset'),
      ),
    ],
  },
  {
    title: 'Determinism',
    rows: [
      row(
        'the same calls, one after the other, get the same replies in every run',
        flags('--seed`, `--now` and `--hold-clock'),
        'ids, codes, secrets, keys included; with the same scenario, sandbox, port and version, on each Node, but for URLs of yours with `^`, `/.a/..` or an international host (or `xn--`), and letters newer than its Unicode. [What differs](time.md): signatures, and what uses real time, such as a CSV import',
        test('scenario/seeds', 'under a seed and a held clock the first 200 replies are those of the version before'),
        test('house/arithmetic', 'rates and prices of all pairs of currencies have the same bytes everywhere'),
      ),
      row(
        'calls of one sandbox that overlap are numbered the same in every run',
        'no',
        'the one that arrives first draws first',
        page('compatibility', 'What may change between versions'),
      ),
      row(
        'ids under a seed are the same in the next version',
        'no',
        'CHANGELOG says when they change',
        page('compatibility', 'What may change between versions'),
      ),
    ],
  },
  {
    title: 'Isolation and state',
    rows: [
      row(
        'calls with token ids of their own never see each other’s data',
        'yes',
        'each id has a sandbox of its own. Tokens of a scenario share one, those that the API creates that of their maker; controls see all. An agent’s device code is redeemed by whoever has it, with any credentials or none',
        test('http/pipeline', 'a program gets isolated sandboxes'),
        test('fixtures/vitest', 'four Vitest workers and concurrent tests see only their own sandbox'),
      ),
      row(
        'a restored snapshot is the very state that was kept',
        'yes',
        'row by row, but for logs, future ids without a seed, faults in a copy of it, and tokens, agents and links that another sandbox took over',
        test('control/state', 'a snapshot is kept under its name, listed, restored any number of times, and replaced'),
      ),
      row(
        'data outlives a restart',
        flags('--state <file>'),
        'saved at an orderly end and on `SIGUSR2`, not when killed. Named snapshots, faults, the log and what was only read are not. A reload (`--watch`, `SIGHUP`) starts over',
        test('cli/start', 'a start with --state has what was there at the end of the last run'),
      ),
    ],
  },
  {
    title: 'Security',
    rows: [
      row(
        'a wrong secret of a token is refused',
        flags('--auth known'),
        'by default those of a scenario, of created sandboxes and of the API’s tokens are checked, and any other id is accepted, with any secret; so is that of an opened capsule. Redeeming a device code takes no credentials',
        test(
          'control/sandboxes',
          'an unknown login and a wrong secret are refused with 401 when auth is known (spec 5 rule 1)',
        ),
      ),
      row(
        'web pages of other sites cannot call its API and controls',
        'yes',
        'on this machine: foreign `Origin`, `Sec-Fetch-Site` and `Host` get 403, unless `--allow-origin` or `--allow-host` names them. An address that you open in a browser, and what it redirects to, can read controls, no more. Tried with Chromium, no other browser. Over plain HTTP, under a name or address of `--host`, `--allow-host` or `--public-url`, browsers do not say whose page asks ([then](cli.md#who-may-call))',
        test('control/guard', 'with 403 and the error body, and does nothing (R3)'),
        test('browser/foreign-pages', 'a page of another site cannot have the browser'),
      ),
      row(
        'nobody else uses its controls and pages on a shared machine',
        flags('SANDBOX_EMULATOR_CONTROL_TOKEN'),
        'for `start`, `mcp` and `open`; programs take `controlToken`. Health, the API itself and the hosted identity page stay open. A logged-in browser sends its cookie to other ports, a command its token to what answers as an emulator at `--url`, a fixture to its address. The flag `--control-token` shows in the list of processes',
        test(
          'control/control-token',
          'every control refuses every method with 401 without the control token, except health',
        ),
      ),
      row(
        'members that an operation declares secret are masked in the log of requests',
        'yes',
        'in JSON, forms and the query, also under odd spellings. Text within text (JSON in a string, XML), mistyped JSON, headers other than credentials and bytes that are not UTF-8 are not searched; saved states and webhooks show them',
        test('control/masking', 'secrets of a schema are found through optional'),
      ),
      row(
        'nothing leaves this machine by itself',
        'yes',
        'a webhook to elsewhere is kept as `UNSENT`; traces need the variables of OpenTelemetry. Node’s `fetch` obeys [its proxy settings](environments.md#a-proxy-in-the-environment)',
        test('areas/webhooks/remote-endpoint', 'is shown, and its deliveries are UNSENT with the reason'),
      ),
      row(
        'it is fit for real customers’ data or for production',
        'no',
        'secrets and keys are predictable',
        page('shared', 'Demos that others can open'),
      ),
    ],
  },
  {
    title: 'Contract',
    rows: [
      row(
        'every operation of the contract is there, by method and path',
        'yes',
        '{operations}, compared with the public description. Profile `grid` keeps two older paths besides ([profiles](profiles.md))',
        test(
          'contract/public',
          'the public contract has every operation of this emulator, by method and path, and no other',
        ),
      ),
      row(
        'a reply has the members, values and formats of the contract',
        'yes',
        'replies of tests are held against closed shapes, `int64` and dates included, in both profiles, but for listed differences',
        test(
          'evidence/contract',
          'every operation succeeds by its own example, and each reply fits the public contract',
        ),
        page('profiles', 'What is the same in both'),
      ),
      row(
        'a client generated from the public contract works',
        'yes',
        'one by `@hey-api/openapi-ts`, in profile `grid`, onboards, pays and receives the webhook',
        { file: 'test/journeys/generated-client.test.ts', test: 'a client generated from the public contract' },
      ),
      row('the service answers like this', 'no', '{service}', page('parity', 'A service')),
      row(
        'it follows the service of today',
        'no',
        'it follows the description that it was built from; `npm run drift` compares a newer one',
        page('compatibility', 'When the service changes'),
      ),
      row(
        'every event of the contract occurs',
        'no',
        'three have no cause here',
        page('profiles', 'Not offered in either profile'),
      ),
    ],
  },
  {
    title: 'Platforms',
    rows: [
      row(
        'it runs on Node 20, 22, 24 and 26 on Linux',
        'yes',
        'CI runs the same journeys on the newest of each; `engines` asks for 20.19',
        test('house/workflows', 'CI runs .ci/run on every Node that the package supports'),
      ),
      row(
        'it runs on Windows and macOS',
        'no',
        'built, and never started there by us',
        page('executable', 'The executable'),
      ),
      row(
        'tests in Python, Java, Go, Ruby, PHP and C# can use it',
        'yes',
        'with frameworks that [fixtures](fixtures.md) names; fourteen tests pass in each, in C# on Mono. Java hides a dropped GET without a flag',
        test('fixtures/languages', 'as the page has it'),
      ),
    ],
  },
  {
    title: 'What not to rely on',
    rows: [
      row('it is as fast or as slow as the service', 'no', 'nothing waits for a bank', page('scale', 'Figures')),
      row(
        'a bank, card network or chain was involved',
        'no',
        'outcomes are chosen by magic values and scenarios; addresses and hashes are made up',
        page('magic-values', 'External accounts'),
      ),
      row(
        'an identity check judges what I sent',
        'no',
        'the end of a name or the scenario decides; it only asks for what is missing',
        page('magic-values', 'Magic values'),
      ),
      row(
        'a green exam proves my backend right',
        'no',
        'it finds the mistakes that its checks look for',
        page('exam', 'The checks, and the lesson of each'),
      ),
    ],
  },
];
