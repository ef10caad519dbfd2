import * as z from 'zod';
import { AUTHENTICATOR } from '../play/authenticator.ts';
import { CARD_NETWORK } from '../play/card-network.ts';
import { type Act, playerOf } from '../play/player.ts';
import { PASSKEY, WALLET } from '../play/wallet.ts';
import { texts, things, tool } from '../tool.ts';

/** All people who can be played, and the acts of each. */
const PEOPLE: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  wallet: WALLET,
  passkey: PASSKEY,
  authenticator: AUTHENTICATOR,
  'card network': CARD_NETWORK,
};
const WHO = ['wallet', 'passkey', 'authenticator', 'card network'] as const;

const text = (about: string) => z.string().max(200).optional().describe(about);

export const play = tool(
  'play',
  {
    title: 'Play the other side',
    answers: () => ({ ...things('session', 'quote', 'payment'), ...texts('mnemonic', 'code') }),
    destroys: true,
    about:
      'Act as somebody outside the platform, with real cryptography: the owner of an embedded wallet (log_in, pay, call, export, sessions, log_out), a passkey (register, log_in), the phone of a customer under strong authentication (enrol, authorize, log_in, code), or the card network (authorize, take, give, clear, resize, expire, refund, reverse_refund). Keys are kept for the next call.',
  },
  () => ({
    as: z.enum(WHO).describe('Who'),
    act: z.string().max(50).describe('What they do, as above'),
    of: text('Whose: a customer, wallet account or card; optional if there is only one'),
    with: z
      .enum(['email', 'sms', 'oidc', 'passkey', 'app'])
      .optional()
      .describe('log_in: wallet email, sms, oidc, passkey; authenticator sms, app, passkey. enrol: app, passkey'),
    code: text('A code other than the one that was sent'),
    quote: text('pay, authorize: a quote'),
    payment: text('clear, refund, ...: a card payment; default: the last, or the only one'),
    amount: z.int().optional().describe('card network: minor units'),
    merchant: text('card network: its name'),
    call: z
      .looseObject({ id: z.string() })
      .optional()
      .describe(
        'wallet call: {id, params?, query?, body?} of an operation that its owner signs, such as refreshAuthSession',
      ),
  }),
  async (client, input) => {
    const acts = PEOPLE[input.as] ?? {};
    const act = Object.hasOwn(acts, input.act) ? acts[input.act] : undefined;
    if (!act) throw new Error(`a ${input.as} cannot ${input.act}; it can ${Object.keys(acts).join(', ')}`);
    try {
      return await act(await playerOf(client), input);
    } catch (error) {
      throw explained(error, input.with);
    }
  },
);

/** Returns a refusal by the API with the way on, and any other error as it is. */
function explained(error: unknown, how: string | undefined): unknown {
  const { name, status, message } = error as { name?: string; status?: number; message?: string };
  if (name !== 'WalletError') return error;
  const again = status === 401 ? '; if the session is over, log_in begins another' : '';
  const next =
    how === 'app' ? '; each code of an app works once, clock {act: "advance", by: "30s"} brings the next' : '';
  return new Error(`${message}: why says which rule and what was expected${again}${next}`);
}
