import { commands } from '../../sandbox/commands/index.ts';
import { needed, type ToolAnswer } from '../tool.ts';
import type { Act, Player, PlayInput } from './player.ts';

/** A challenge of strong customer authentication, as the API shows it. */
interface Challenge {
  readonly id: string;
  readonly factor: string;
  readonly passkeyAssertionOptions?: { challenge: string } | null;
}

const ofCustomer = (path: string, customer: string): string => `${path}?customerId=${encodeURIComponent(customer)}`;

const enrolFirst = (customer: string, factor: string): Error =>
  new Error(
    `nobody played here has a ${factor} of ${customer}: play {as: "authenticator", act: "enrol", of: "${customer}", with: "${factor === 'TOTP' ? 'app' : 'passkey'}"} first`,
  );

/** Returns the code that an app shows at the virtual moment. */
async function appCode({ held }: Player, customer: string): Promise<string> {
  const app = held.apps.get(customer);
  if (app === undefined) throw enrolFirst(customer, 'TOTP');
  const { totpCode } = await import('../../testkit/index.ts');
  return totpCode(app, { at: held.line.now });
}

/** Returns a person's response to a challenge: the device's proof, the app's code, or the code that was sent. */
async function proofOf(player: Player, customer: string, challenge: Challenge, code: string | undefined) {
  if (code !== undefined) return { code };
  if (challenge.factor === 'TOTP') return { code: await appCode(player, customer) };
  if (challenge.factor === 'PASSKEY') {
    const phone = player.held.phones.get(customer);
    if (!phone || !challenge.passkeyAssertionOptions) throw enrolFirst(customer, 'PASSKEY');
    return { passkeyAssertion: phone.get(challenge.passkeyAssertionOptions), origin: phone.origin };
  }
  const { data } = await player.client.ask(commands.records.codes, { limit: 50 });
  const sent = data.find(({ subject }) => subject === challenge.id) ?? data[0];
  return { code: sent?.code ?? '123456' };
}

/** Returns the id of the customer who is played. Throws a sentence if the input names none. */
const customerIn = (input: PlayInput): string => needed(input.of, 'of, the id of the customer', input.act);

const enrol: Act = async (player, input) => {
  const customer = customerIn(input);
  const { SoftwareAuthenticator } = await import('../../testkit/index.ts');
  if (input.with === 'passkey') {
    const { options, allowedOrigins } = await player.call('POST', ofCustomer('/sca/factors', customer), {
      type: 'PASSKEY',
    });
    const phone = new SoftwareAuthenticator({ origin: allowedOrigins[0], rpId: options.rp.id });
    const proof = { type: 'PASSKEY', origin: phone.origin, credential: phone.create(options) };
    const enrolled = await player.call('POST', ofCustomer('/sca/factors/confirm', customer), proof);
    player.held.phones.set(customer, phone);
    return {
      enrolled,
      next: 'executeQuote with body {scaFactor: "PASSKEY"}, then play authorizes it with this device',
    };
  }
  const { secret, totpUri } = await player.call('POST', ofCustomer('/sca/factors', customer), { type: 'TOTP' });
  player.held.apps.set(customer, totpUri);
  const code = await appCode(player, customer);
  const enrolled = await player.call('POST', ofCustomer('/sca/factors/confirm', customer), {
    type: 'TOTP',
    secret,
    code,
  });
  return {
    enrolled,
    next: 'this code was used: clock {act: "advance", by: "30s"} brings the next one, then play {as: "authenticator", act: "log_in", of, with: "app"} logs in with it',
  };
};

/** Responds to every challenge of a quote, one after another. */
const authorize: Act = async (player, input) => {
  const id = encodeURIComponent(needed(input.quote, 'quote, the id of one that is PENDING_AUTHORIZATION', 'authorize'));
  let quote = await player.call('GET', `/quotes/${id}`);
  if (quote.status !== 'PENDING_AUTHORIZATION') return { quote, next: `it waits for no proof: it is ${quote.status}` };
  const customer: string = input.of ?? (await ownerOf(player, quote));
  // Each response leads to another challenge or out of the loop; a wrong one is refused.
  while (quote.status === 'PENDING_AUTHORIZATION' && quote.scaChallenge) {
    const proof = await proofOf(player, customer, quote.scaChallenge, input.code);
    quote = await player.call('POST', `/quotes/${id}/authorize`, proof);
  }
  return {
    quote,
    next: 'it goes on by itself: webhooks {act: "wait", type: "OUTGOING_PAYMENT.COMPLETED", within: "P1D"} waits for its end',
  };
};

interface Sourced {
  readonly source: { readonly customerId?: string; readonly accountId?: string };
}

async function ownerOf({ client }: Player, { source }: Sourced): Promise<string> {
  if (source.customerId !== undefined) return source.customerId;
  const { resource } = await client.ask(commands.rows.read, { id: source.accountId ?? '' });
  return (resource as { customerId?: string }).customerId ?? '';
}

/** An address reserved for documentation, which nobody has. */
const SOMEWHERE = '203.0.113.7';

const FACTORS: Readonly<Record<string, string>> = { app: 'TOTP', passkey: 'PASSKEY', sms: 'SMS_OTP' };

const logIn: Act = async (player, input): Promise<ToolAnswer> => {
  const customer = customerIn(input);
  const factor = FACTORS[input.with ?? 'sms'] ?? 'SMS_OTP';
  const started = await player.call('POST', ofCustomer('/sca/login/start', customer), { factor });
  const { challengeId, passkeyOptions } = started;
  const challenge = { id: challengeId ?? '', factor, passkeyAssertionOptions: passkeyOptions };
  const proof = await proofOf(player, customer, challenge, input.code);
  const body = { factor, ...(challengeId ? { challengeId } : {}), ...proof, endUserIpAddress: SOMEWHERE };
  const session = await player.call('POST', ofCustomer('/sca/login/complete', customer), body);
  return { session, next: 'payments of this customer are authorized while the login lasts' };
};

/** The acts of a phone whose customer uses strong customer authentication. */
export const AUTHENTICATOR: Readonly<Record<string, Act>> = {
  enrol,
  authorize,
  log_in: logIn,
  code: async (player, input) => ({
    code: await appCode(player, customerIn(input)),
    at: player.held.line.now,
    next: 'it follows the virtual clock, and each works once',
  }),
};
