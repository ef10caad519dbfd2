import type { Resource } from '../../engine/resource.ts';
import { Choice, Filter } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Id } from '../frame/parts.tsx';
import type { ColumnFilter, ListRequest } from './list-request.ts';

interface Parts {
  visit: PageContext;
  kind: Resource;
  path: string;
  list: ListRequest;
}

/** The filters of a list (W13): a text, a choice for each column of few values, and under "More filters" names, days, amounts. */
export const ListForm = ({ visit, kind, path, list }: Parts) => (
  <>
    <Filter
      visit={visit}
      path={path}
      narrows="rows"
      label="Filter by name, status or id"
      placeholder="Filter by name, status or id"
    >
      {list.filters.map((filter) => (filter.choices ? <OneOf filter={filter} list={list} /> : null))}
      <MoreFilters visit={visit} kind={kind} path={path} list={list} />
      {['by', 'is', 'sort'].map((name) =>
        visit.query(name) === undefined ? null : <input type="hidden" name={name} value={visit.query(name)} />,
      )}
    </Filter>
    {list.by && list.is ? (
      <p class="sieve">
        Only of <Id visit={visit} id={list.is} /> · <a href={visit.to(path)}>show all</a>
      </p>
    ) : null}
    {list.ignored.length > 0 ? <p class="sieve wrong">Not applied: {list.ignored.join('; ')}.</p> : null}
  </>
);

const OneOf = ({ filter: { key, label, choices = [] }, list }: { filter: ColumnFilter; list: ListRequest }) => (
  <Choice name={key} label={label} any={`Any ${label.toLowerCase()}`} options={choices} value={list.picked.get(key)} />
);

const MoreFilters = ({ visit, list }: Parts) => {
  const texts = list.filters.filter(({ choices }) => choices === undefined);
  if (texts.length === 0 && !list.days && !list.amounts) return null;
  const keys = [...texts.map(({ key }) => key), 'startDate', 'endDate', 'minAmount', 'maxAmount'];
  const used = keys.filter((key) => visit.query(key) !== undefined).length;
  return (
    <details class="more-filters" open={used > 0}>
      <summary>More filters{used > 0 ? ` (${used})` : ''}</summary>
      <div class="form">
        {texts.map(({ key, label }) => (
          <FilterField visit={visit} name={key} label={label} type="search" />
        ))}
        {list.days ? <FilterField visit={visit} name="startDate" label="From day" type="date" /> : null}
        {list.days ? <FilterField visit={visit} name="endDate" label="To day" type="date" /> : null}
        {list.amounts ? <FilterField visit={visit} name="minAmount" label="Amount from" type="number" /> : null}
        {list.amounts ? <FilterField visit={visit} name="maxAmount" label="Amount to" type="number" /> : null}
      </div>
    </details>
  );
};

const FilterField = (p: { visit: PageContext; name: string; label: string; type: 'search' | 'date' | 'number' }) => (
  <label class="field">
    <span>{p.label}</span>
    <input
      name={p.name}
      type={p.type}
      value={p.visit.query(p.name)}
      step={p.type === 'number' ? 'any' : undefined}
      size={p.type === 'search' ? 18 : undefined}
      autocomplete="off"
      spellcheck={false}
    />
  </label>
);
