import { money } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import { decodeCursor, encodeCursor, type Page } from '../../engine/page.ts';
import { BANKS, type Bank, UMA_PROVIDERS, VASPS } from './data.ts';
import type { DiscoveryQuery, UmaProviderQuery, VaspQuery } from './schema.ts';

/** Returns a page of a list that never changes; the cursor is a position in the whole list. */
function pageOfList<T>(
  name: string,
  list: readonly T[],
  {
    limit,
    cursor,
    matches = () => true,
  }: { limit: number; cursor?: string | undefined; matches?: (item: T) => boolean },
): Page<T> {
  const from = cursor === undefined ? 0 : decodeCursor(name, cursor);
  const places = [...list.keys()].filter((i) => matches(list[i] as T));
  const rest = places.filter((i) => i >= from);
  const next = rest[limit];
  const page: Page<T> = {
    data: rest.slice(0, limit).map((i) => list[i] as T),
    hasMore: next !== undefined,
    totalCount: places.length,
  };
  if (next !== undefined) page.nextCursor = encodeCursor(name, next);
  return page;
}

const NEWEST_FIRST = [...UMA_PROVIDERS].reverse();

/** Returns UMA providers, by default those that joined last first (reference 16.1). */
export function umaProviders(query: Infer<typeof UmaProviderQuery>) {
  const { countryCode, currencyCode, hasBlockedProviders = true, sortOrder, limit, cursor } = query;
  const page = pageOfList(`uma-providers ${sortOrder}`, sortOrder === 'asc' ? UMA_PROVIDERS : NEWEST_FIRST, {
    limit,
    cursor,
    matches: (p) =>
      (countryCode === undefined || p.regions.includes(countryCode)) &&
      (currencyCode === undefined || p.currencies.includes(currencyCode)) &&
      (hasBlockedProviders || p.allowed),
  });
  return {
    ...page,
    data: page.data.map((p) => ({
      name: p.name,
      supportedRegions: p.regions,
      domain: p.domain,
      logoUrl: `https://${p.domain}/logo.png`,
      supportedCurrencies: p.currencies.map((code) => money(0, code).currency),
      lei: p.lei,
      allowListStatus: p.allowed,
    })),
  };
}

/** Returns custodians, by name (reference 16.2). This page has no total. */
export function vasps(query: Infer<typeof VaspQuery>) {
  const { totalCount, ...page } = pageOfList('vasps', VASPS, query);
  return page;
}

/**
 * Returns the banks that payouts can reach, in one country and one currency if the query names them (reference 16.3).
 */
export const banks = ({ country, currency }: Infer<typeof DiscoveryQuery>): Bank[] =>
  BANKS.filter(
    (bank) =>
      (country === undefined || bank.country === country) && (currency === undefined || bank.currency === currency),
  );
