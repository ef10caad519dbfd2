import type { diff } from '../kernel/diff.ts';

const NAMES =
  'clientSecret|secret|identifier|otp|oidcToken|encryptedOtpBundle|encryptedSessionSigningKey|encryptedWalletCredentials';

/** The value of a member by name: a text, which a remembered body may have cut short, or a number. */
const member = (names: string) =>
  new RegExp(`("(?:${names})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$|…)|-?\\d[\\d.eE+-]*)`, 'g');

/** Members that are nobody's business in a log. In a request `code` is a one-time code, in a reply it names an error. */
const SENT = member(`${NAMES}|code`);
const ANSWERED = member(NAMES);

/** A request body with its secrets masked. */
export const maskSent = (text: string): string => text.replaceAll(SENT, '$1"•••"');

/** A reply with its secrets masked. */
export const maskAnswered = (text: string): string => text.replaceAll(ANSWERED, '$1"•••"');

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'service-wallet-signature',
  'grid-wallet-signature',
]);

/** Headers as an object, secrets masked. */
export function maskHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    headers[name] = SECRET_HEADERS.has(name) ? '•••' : (raw[i + 1] as string);
  }
  return headers;
}

const SECRET_MEMBER = new RegExp(`(?:^|\\.)(?:${NAMES}|code|secretHash|privateKey)$`);

/** What differs between two states, values of secret members masked. */
export const maskChanges = ({ tables, ...whole }: ReturnType<typeof diff>): ReturnType<typeof diff> => ({
  ...whole,
  tables: tables.map((table) => ({
    ...table,
    changed: table.changed.map(({ id, fields }) => ({
      id,
      fields: fields.map((field) =>
        SECRET_MEMBER.test(field.path)
          ? {
              path: field.path,
              ...('before' in field ? { before: '•••' } : {}),
              ...('after' in field ? { after: '•••' } : {}),
            }
          : field,
      ),
    })),
  })),
});
