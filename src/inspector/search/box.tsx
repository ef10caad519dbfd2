import type { PageContext } from '../page-context.ts';

/** The box on every page: a form like any other, that needs no script. */
export const SearchBox = ({ visit }: { visit: PageContext }) => (
  <search aria-label="Everything">
    <form class="find search" method="get" action="/inspector/search">
      {visit.sandbox === visit.host.default ? null : <input type="hidden" name="sandbox" value={visit.sandbox.id} />}
      <label for="find" class="visually-hidden">
        Search everything
      </label>
      <input
        id="find"
        type="search"
        name="q"
        value={visit.path === '/inspector/search' ? visit.query('q') : undefined}
        placeholder="Search"
        data-slash
        autocomplete="off"
        spellcheck={false}
      />
      <kbd class="js">/</kbd>
    </form>
  </search>
);
