import * as z from 'zod';
import type { Row, TableToken } from './table.ts';

/** Members that no log may show, declared in their schema. */
const DECLARED = z.registry<{ secret: true }>();

/** Marks a member as secret: no record of a call shows its value, whatever the outcome of the call. */
export function secret<T extends z.ZodType>(shape: T): T {
  DECLARED.add(shape, { secret: true });
  return shape;
}

const found = new WeakMap<object, ReadonlySet<string>>();

/** Returns the normalised names of the members that a schema marks as secret, at any depth. */
export function secretsIn(shape: z.ZodType): ReadonlySet<string> {
  const known = found.get(shape);
  if (known) return known;
  const names = new Set<string>();
  collect(shape, undefined, { secret: names, open: new Set() }, new Set());
  found.set(shape, names);
  return names;
}

/** Returns whether a schema has members of a normalised name, and none of them is secret. */
export function isOpenIn(shape: z.ZodType, plain: string): boolean {
  const names = { secret: new Set<string>(), open: new Set<string>() };
  collect(shape, undefined, names, new Set());
  return names.open.has(plain) && !names.secret.has(plain);
}

interface Names {
  readonly secret: Set<string>;
  readonly open: Set<string>;
}

function collect(node: unknown, name: string | undefined, names: Names, seen: Set<unknown>): void {
  if (typeof node !== 'object' || node === null) return;
  const { _zod: inner } = node as { _zod?: { def: object & { shape?: Record<string, unknown> } } };
  const isSecret = inner && DECLARED.get(node as z.ZodType)?.secret;
  if (inner && name !== undefined) names[isSecret ? 'secret' : 'open'].add(plainName(name));
  // The same schema may be used under two names.
  const visit = inner ? inner.def : node;
  if (seen.has(visit) && name === undefined) return;
  seen.add(visit);
  for (const [key, part] of Object.entries(visit)) {
    if (key === 'shape' && inner) for (const [member, of] of Object.entries(part)) collect(of, member, names, seen);
    else if (isSchemaPart(part)) collect(part, name, names, seen);
  }
}

const isSchemaPart = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && ('_zod' in part || Array.isArray(part));

/** Returns the normalised form of a name: `tax_id`, `Tax-Id`, `taxId` and `t\u0061xId` are equal. */
export const plainName = (name: string): string =>
  unescaped(name)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns a text without the escapes of JSON and of addresses; as it is if they are invalid. */
export function unescaped(spelt: string): string {
  let text = spelt;
  try {
    if (text.includes('\\')) text = JSON.parse(`"${text}"`);
    if (text.includes('%')) text = decodeURIComponent(text);
  } catch {
    // Half of it may be valid.
  }
  return text;
}

/**
 * Returns whether a name as a client spells it is secret: the name itself, or a member of the path that forms and
 * queries write into it, as in `personalInfo[taxId]` and `personalInfo.taxId`.
 */
export const isSecretAs = (name: string, isSecret: (plain: string) => boolean): boolean =>
  isSecret(plainName(name)) ||
  unescaped(name)
    .split(/[[\].]+/)
    .some((member) => isSecret(plainName(member)));

/** A second safety net: usual names of secrets, whether a schema knows the member or not. */
const CALLED =
  /secret|password|passwd|passphrase|passcode|privatekey|signingkey|mnemonic|(?:(?<!issuertransaction)token|apikey|otp|otpcode|ssn|taxid|accesskey|otpbundle|walletcredentials|authorization|cookie)$|^(?:pin|cvv|cvc|cvv2|itin|ein|tin|identifier|taxidentificationnumber|nationalid|idnumber|socialsecuritynumber|otpcode)$/;

/** Returns whether a normalised name is a usual name of a secret. */
export const isSecretName = (plain: string): boolean => CALLED.test(plain);

/** Returns a function that says whether a member of a table's rows is secret: marked so, or named like a secret. */
export const isSecretOf =
  (table: TableToken<Row> | undefined): ((plain: string) => boolean) =>
  (plain) =>
    (table !== undefined && secretsIn(table.row()).has(plain)) || isSecretName(plain);
