import * as z from 'zod';
import type { Row, TableToken } from './table.ts';

/** Members that are nobody's business in a log, declared where the member is. */
const DECLARED = z.registry<{ secret: true }>();

/** Declare a member secret: nothing that is shown of a call has its value, whatever comes of the call. */
export function secret<T extends z.ZodType>(shape: T): T {
  DECLARED.add(shape, { secret: true });
  return shape;
}

const found = new WeakMap<object, ReadonlySet<string>>();

/** The plain names of the members that a schema declares secret, however deep they lie. */
export function secretsIn(shape: z.ZodType): ReadonlySet<string> {
  const known = found.get(shape);
  if (known) return known;
  const names = new Set<string>();
  collect(shape, undefined, { secret: names, open: new Set() }, new Set());
  found.set(shape, names);
  return names;
}

/** Returns whether a schema declares members of a plain name, and none of them secret. */
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
  // The same schema may stand under two names.
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

/** A name as it is compared: `tax_id`, `Tax-Id`, `taxId` and `t\u0061xId` are one. */
export function plainName(name: string): string {
  let text = name;
  try {
    if (text.includes('\\')) text = JSON.parse(`"${text}"`);
    if (text.includes('%')) text = decodeURIComponent(text);
  } catch {
    // What is badly escaped is compared as it stands.
  }
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The second net: what secrets are called anywhere, whether a schema knows the member or not. */
const CALLED =
  /secret|password|passwd|passphrase|passcode|privatekey|signingkey|mnemonic|(?:(?<!issuertransaction)token|apikey|otp|otpcode|ssn|taxid|accesskey|otpbundle|walletcredentials|authorization|cookie)$|^(?:pin|cvv|cvc|cvv2|itin|ein|tin|identifier|taxidentificationnumber|nationalid|idnumber|socialsecuritynumber|otpcode)$/;

/** Returns whether a plain name is one that secrets have. */
export const isSecretName = (plain: string): boolean => CALLED.test(plain);

/** Returns whether a member of a table's rows is secret: declared so, or called as secrets are. */
export const isSecretOf =
  (table: TableToken<Row> | undefined): ((plain: string) => boolean) =>
  (plain) =>
    (table !== undefined && secretsIn(table.row()).has(plain)) || isSecretName(plain);
