import { VERSION } from '../version.ts';
import { invocation } from './invocation.ts';
import { type Colours, printable } from './text.ts';

/** The address that commands call by default. */
const HERE = 'http://127.0.0.1:4010';

/** The facts for a person who has just started an emulator. */
export interface BannerFacts {
  url: string;
  /** The address and port on which it listens, if its URL differs. */
  listening?: string | undefined;
  baseUrl: string;
  inspectorUrl: string;
  credentials: { id: string; secret: string };
  auth: 'open' | 'known';
  scenario: readonly string[];
  watching: boolean;
  profile: string;
  webhookUrl: string | undefined;
  /** The reason why nothing is sent to that URL. */
  unsent?: string | undefined;
  clock: { mode: string; now: string; speed: number };
  state: string | undefined;
  /** True if it goes on from the state file. */
  continues: boolean;
  /** The collector that receives spans. */
  traces?: string | undefined;
}

const stateText = ({ continues }: BannerFacts, file: string, c: Colours): string =>
  `${printable(file)}${continues ? c.dim('  (continued; the scenario counts from the next reset)') : ''}`;

/** Returns the first text on a terminal; its last line works when pasted. */
export function banner(facts: BannerFacts, c: Colours): string {
  const { id, secret } = facts.credentials;
  const { mode, now, speed } = facts.clock;
  const rows: [string, string][] = [
    ['base URL', c.bold(facts.baseUrl)],
    [
      'credentials',
      `${printable(`${id}:${secret}`)}  ${c.dim(facts.auth === 'open' ? '(any other token id opens its own sandbox)' : '(known tokens only)')}`,
    ],
    ...(facts.listening === undefined ? [] : ([['listening on', printable(facts.listening)]] as [string, string][])),
    ['inspector', c.bold(facts.inspectorUrl)],
    ['scenario', `${printable(facts.scenario.join(' + '))}${facts.watching ? c.dim('  (watched)') : ''}`],
    ['profile', facts.profile],
    [
      'webhooks to',
      facts.webhookUrl
        ? `${printable(facts.webhookUrl)}${facts.unsent === undefined ? '' : c.yellow('  not sent: --allow-remote-webhooks was not given')}`
        : c.dim(`not set; try: ${listenHint(facts.url)}`),
    ],
    ['webhook key', `${facts.url}/_emulator/webhooks/key`],
    [
      'clock',
      mode === 'held' ? `held at ${now}` : `running from ${now}${speed === 1 ? '' : `, ${speed} times as fast`}`,
    ],
    ...(facts.state === undefined ? [] : ([['state', stateText(facts, facts.state, c)]] as [string, string][])),
    ...(facts.traces === undefined ? [] : ([['traces to', printable(facts.traces)]] as [string, string][])),
    ['control API', `${facts.url}/_emulator/health`],
  ];
  const customer = `{"customerType":"INDIVIDUAL","fullName":"Ada Keller"}`;
  const curl = `curl -s -u ${word(`${id}:${secret}`)} ${facts.baseUrl}/customers -H 'content-type: application/json' -d '${customer}'`;
  return [
    `${c.bold('sandbox-emulator')} ${VERSION}`,
    '',
    ...rows.map(([name, value]) => `  ${c.dim(name.padEnd(12))} ${value}`),
    '',
    `  ${c.cyan(curl)}`,
    '',
  ].join('\n');
}

/** Returns the command that receives the webhooks of the emulator at an address. */
function listenHint(url: string): string {
  const to = url === HERE ? '' : ` --url ${url}`;
  return `${invocation()} listen --register${to}`;
}

/** Returns a word as a shell takes it, in quotes if necessary. */
const word = (text: string): string =>
  /^[\w.:@%+=,/-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", `'\\''`)}'`;
