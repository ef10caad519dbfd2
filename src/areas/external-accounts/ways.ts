import type { FieldError } from '../../kernel/errors.ts';
import type { AccountType, Way } from './fields.ts';
import type { AccountInfo } from './schema.ts';

const has = (info: AccountInfo, name: string): boolean => info[name] !== undefined;

/** What keeps a way from being open to these details, worded for `details.errors[]`. */
function obstacles(way: Way, info: AccountInfo): FieldError[] {
  const errors: FieldError[] = way.needs
    .filter((name) => !has(info, name))
    .map((name) => ({ field: `accountInfo.${name}`, message: `required for ${way.rails.join(', ') || 'this type'}` }));
  for (const [name, values] of Object.entries(way.only ?? {}))
    if (has(info, name) && !values.includes(String(info[name])))
      errors.push({
        field: `accountInfo.${name}`,
        message: `not one of the allowed values for ${way.rails.join(', ')}`,
        constraint: { enum: values },
      });
  if (way.beneficiary && info.beneficiary && info.beneficiary.beneficiaryType !== way.beneficiary)
    errors.push({
      field: 'accountInfo.beneficiary.beneficiaryType',
      message: `must be ${way.beneficiary} for ${way.rails.join(', ')}`,
      constraint: { enum: [way.beneficiary] },
    });
  return errors;
}

/** How many members a way needs that are there: the way that was meant has the most. */
const meant = (way: Way, info: AccountInfo): number => way.needs.filter((name) => has(info, name)).length;

/**
 * The rails that reach an account with these details, or what is missing for the way that was most likely meant.
 * A type without ways is a wallet: nothing to need, no rails.
 */
export function waysIn(type: AccountType, info: AccountInfo): { rails: string[]; errors: FieldError[] } {
  const { ways } = type;
  const open = ways.filter((way) => obstacles(way, info).length === 0);
  if (type.oneWay && open.length > 1) {
    const [first, ...others] = open.map((way) => way.needs[0] as string) as [string, ...string[]];
    const errors = others.map((name) => ({ field: `accountInfo.${name}`, message: `not together with ${first}` }));
    return { rails: [], errors };
  }
  if (open.length > 0 || ways.length === 0) return { rails: [...new Set(open.flatMap((w) => w.rails))], errors: [] };
  const nearest = [...ways].sort(
    (a, b) => meant(b, info) - meant(a, info) || obstacles(a, info).length - obstacles(b, info).length,
  )[0] as Way;
  return { rails: [], errors: obstacles(nearest, info) };
}
