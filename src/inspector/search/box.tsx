import type { PageContext } from '../frame/page-context.ts';

/** The hidden field that keeps a GET form in the present sandbox. */
export const SandboxField = ({ visit }: { visit: PageContext }) =>
  visit.sandbox === visit.host.default ? null : <input type="hidden" name="sandbox" value={visit.sandbox.id} />;

/** The search box on every page: an ordinary form, which needs no script. */
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
