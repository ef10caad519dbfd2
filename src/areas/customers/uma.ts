import { fail } from '../../contract/errors.ts';
import { lowerCase } from '../../contract/lower-case.ts';
import type { World } from '../../engine/world.ts';
import { platformOf } from '../platform/index.ts';

const USERNAME = /^[a-z0-9\-_.+]+$/;
const LONGEST = 64;

const HOW_TO_SET = 'PATCH /config {"umaDomain"} or platform.umaDomain of the scenario sets another';

/**
 * Returns a customer's UMA address in its canonical, lower-case form (spec 2.8). 400 INVALID_UMA_ADDRESS names the rule
 * that it breaks.
 */
export function umaAddress(world: World, text: string): string {
  const address = lowerCase(text);
  const { umaDomain } = platformOf(world);
  const at = address.indexOf('@');
  const user = at < 0 ? address : address.slice(0, at);
  const bad =
    (!address.startsWith('$') && 'it must start with $') ||
    (at < 0 && 'it must have the form $username@domain') ||
    (user.length > LONGEST && `the username with its $ may have at most ${LONGEST} characters`) ||
    (!USERNAME.test(user.slice(1)) && 'the username may contain only a-z 0-9 - _ . +') ||
    (address.slice(at + 1) !== umaDomain && `its domain must be ${umaDomain}; ${HOW_TO_SET}`);
  if (bad)
    fail('INVALID_UMA_ADDRESS', `umaAddress: ${bad}`, {
      details: { errors: [{ field: 'umaAddress', message: bad }] },
      why: {
        rule: `spec 2.8: the domain is the platform's. ${HOW_TO_SET}`,
        expected: `$username@${umaDomain}`,
        seen: text,
      },
    });
  return address;
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a new address on the platform's domain, for a customer who brought none. */
export const generatedUma = (world: World): string => `$${world.ids.text(LETTERS, 12)}@${platformOf(world).umaDomain}`;
