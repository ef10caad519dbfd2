import type { FieldError } from '../../contract/errors.ts';
import type { AccountType, PayoutRoute } from './fields.ts';
import type { SentInfo } from './schema.ts';

/** Returns whether a member was given; a member that its schema refused counts, although it is left out. */
export type Given = (name: string) => boolean;

const given =
  (info: SentInfo): Given =>
  (name) =>
    info[name] !== undefined;

/** Returns what keeps a way from being usable with these details, worded for `details.errors[]`. */
function obstacles(route: PayoutRoute, info: SentInfo, has: Given): FieldError[] {
  const errors: FieldError[] = route.needs
    .filter((name) => !has(name))
    .map((name) => ({
      field: `accountInfo.${name}`,
      message: `required for ${route.rails.join(', ') || 'this type'}`,
    }));
  for (const [name, values] of Object.entries(route.only ?? {}))
    if (info[name] !== undefined && !values.includes(String(info[name])))
      errors.push({
        field: `accountInfo.${name}`,
        message: `not one of the allowed values for ${route.rails.join(', ')}`,
        constraint: { enum: values },
      });
  const who = info.beneficiary?.beneficiaryType;
  if (route.beneficiary && who !== undefined && who !== route.beneficiary)
    errors.push({
      field: 'accountInfo.beneficiary.beneficiaryType',
      message: `must be ${route.beneficiary} for ${route.rails.join(', ')}`,
      constraint: { enum: [route.beneficiary] },
    });
  return errors;
}

/** Returns how many of the members that a way needs are present: the way most likely meant has the most. */
const meant = (route: PayoutRoute, has: Given): number => route.needs.filter(has).length;

/**
 * Returns the rails that reach an account with these details, or what is missing for the way most likely meant. A type
 * without ways is a wallet: it needs nothing and has no rails.
 */
export function payoutRoutes(
  type: AccountType,
  info: SentInfo,
  has = given(info),
): { rails: string[]; errors: FieldError[] } {
  const { routes } = type;
  const open = routes.filter((route) => obstacles(route, info, has).length === 0);
  if (type.oneRoute && open.length > 1) {
    const [first, ...others] = open.map((route) => route.needs[0] as string) as [string, ...string[]];
    const errors = others.map((name) => ({ field: `accountInfo.${name}`, message: `not together with ${first}` }));
    return { rails: [], errors };
  }
  if (open.length > 0 || routes.length === 0) return { rails: [...new Set(open.flatMap((w) => w.rails))], errors: [] };
  const nearest = [...routes].sort(
    (a, b) => meant(b, has) - meant(a, has) || obstacles(a, info, has).length - obstacles(b, info, has).length,
  )[0] as PayoutRoute;
  return { rails: [], errors: obstacles(nearest, info, has) };
}
