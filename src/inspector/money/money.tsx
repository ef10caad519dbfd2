import { moneyText as moneyOf } from '../../contract/money.ts';
import { find, nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Breakable, Id } from '../frame/parts.tsx';
import { capital, escapeControlChars } from '../frame/text.ts';

/** An amount in minor units as people write it, with a true minus sign and a muted currency. */
export const Amount = (p: { of: number; currency: string; signed?: boolean }) => {
  const [digits = '', code = ''] = moneyOf(p.of, p.currency).split(' ');
  const sign = p.of < 0 ? '−' : p.signed && p.of > 0 ? '+' : '';
  return (
    <span class={`amount${p.signed && p.of > 0 ? ' in' : ''}`}>
      {sign}
      {escapeControlChars(digits.replace('-', ''))} <span class="currency">{escapeControlChars(code)}</span>
    </span>
  );
};

/** Returns the name of an account of the world outside: `outside:service-fees:USD` is `Service fees`. */
export const outsideName = (id: string): string => {
  const what = (id.split(':')[1] ?? id).replaceAll('-', ' ');
  return escapeControlChars(capital(what));
};

/** Returns the owner of an account in words: the customer's name, or the platform. */
export function holderOf(visit: PageContext, id: string): string | undefined {
  const row = find(visit, id)?.row as { customerId?: string } | undefined;
  if (!row) return undefined;
  const owner = row.customerId === undefined ? undefined : find(visit, row.customerId);
  return owner ? (nameOf(visit, owner) ?? owner.kind.one) : 'The platform';
}

/** A ledger account by its owner and its name; it links to its statement. */
export const LedgerAccount = (p: { visit: PageContext; id: string; mark: string }) => {
  const { visit, id } = p;
  const found = find(visit, id);
  const holder = holderOf(visit, id);
  return (
    <a class="ledger-account" href={visit.at('ledger', id)} title={escapeControlChars(id)} data-key={`${p.mark} ${id}`}>
      {holder === undefined ? outsideName(id) : <Breakable text={holder} />}{' '}
      <small>{found ? escapeControlChars(nameOf(visit, found) ?? found.kind.one) : 'outside'}</small>
    </a>
  );
};

interface PostedProps {
  visit: PageContext;
  id: string;
  reason: string;
  cause: string;
  brief?: boolean;
}

/** The reason of a posting, as a link to it; also its cause, unless it is `brief`. */
export const Posted = ({ visit, id, reason, cause, brief }: PostedProps) => (
  <span class="posted">
    <a class="row-link" href={visit.at('state', 'postings', id)} title={escapeControlChars(id)} data-key={id}>
      {escapeControlChars(capital(reason))}
    </a>
    {brief ? null : (
      <small>
        <Id visit={visit} id={cause} mark={`${id} cause`} />
      </small>
    )}
  </span>
);
