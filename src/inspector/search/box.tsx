import type { PageContext } from '../frame/page-context.ts';

/** Keeps a form that is sent by GET in the sandbox that is looked at. */
export const SandboxField = ({ visit }: { visit: PageContext }) =>
  visit.sandbox === visit.host.default ? null : <input type="hidden" name="sandbox" value={visit.sandbox.id} />;

/** The box on every page: a form like any other, that needs no script. */
export const SearchBox = ({ visit }: { visit: PageContext }) => (
  <search aria-label="Everything">
    <form class="find search" method="get" action="/inspector/search">
      <SandboxField visit={visit} />
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
