import { commands } from '../../sandbox/commands/index.ts';
import { VERSION } from '../../version.ts';
import { assets } from '../assets.ts';
import { SearchBox } from '../search/box.tsx';
import { Hint } from './act.tsx';
import { Submit } from './form.tsx';
import { Keys, Menu } from './menu.tsx';
import type { PageContext } from './page-context.ts';
import { Head, type PageParts } from './parts.tsx';
import { escapeControlChars } from './text.ts';

/** The most sandboxes in the switcher; others are reached by address. */
const LISTED = 200;

/** A whole page. */
export const Layout = ({ visit, page }: { visit: PageContext; page: PageParts }) => {
  const { style, script, icon } = assets();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} · sandbox-emulator`}</title>
        <link rel="icon" href={icon.url} type="image/svg+xml" />
        <link rel="stylesheet" href={style.url} />
        <script src={script.url} defer />
      </head>
      <body data-events={visit.call(commands.events.stream).url}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Side visit={visit} menu={page.status === undefined ? entryOf(visit) : undefined} />
        <main id="main" tabindex={-1}>
          <Head {...page} />
          <noscript>
            <p class="fine">
              Buttons need JavaScript. Without it, use the calls that pages show beside their actions; reading and
              filters work.
            </p>
          </noscript>
          {page.body}
          {page.call ? <Hint call={page.call} /> : null}
        </main>
        <p id="gone" role="alert" hidden />
        <div id="toast" role="status" aria-live="polite" />
        <Keys />
      </body>
    </html>
  );
};

/** Returns the menu entry of a page, by its address; a page that could not be shown has none. */
const entryOf = ({ path }: PageContext): string => path.split('/')[2] || 'overview';

const Side = ({ visit, menu }: { visit: PageContext; menu: string | undefined }) => (
  <header class="side">
    <div class="brand">
      <a href={visit.to('/')} class="brand-name">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M9 12.5 16 8l7 4.5v7L16 24l-7-4.5zM9 12.5l7 4.5 7-4.5M16 17v7" />
        </svg>
        <span>
          sandbox-emulator <small>{VERSION}</small>
        </span>
      </a>
      <Now visit={visit} />
    </div>
    <Switcher visit={visit} />
    <SearchBox visit={visit} />
    <Menu visit={visit} current={menu} />
    <div class="side-foot">
      <p class="live js" id="live" data-state="off">
        <span class="live-dot" aria-hidden="true" />
        <span id="live-text">Connecting</span>
      </p>
      <button type="button" class="quiet js" id="show-keys" aria-haspopup="dialog">
        Keys <kbd>?</kbd>
      </button>
      {visit.host.options.controlToken === undefined ? null : (
        <form method="post" action="/inspector/logout">
          <button type="submit" class="quiet">
            Sign out
          </button>
        </form>
      )}
    </div>
  </header>
);

/** The virtual clock in the corner of every page. */
const Now = ({ visit }: { visit: PageContext }) => {
  const { now, mode, speed } = visit.world.clock.state();
  return (
    <a
      class="now"
      id="now"
      data-live="clock reset"
      href={visit.to('/inspector/clock')}
      title={`Virtual time ${now}, ${mode}`}
    >
      <time datetime={now} data-now={now} data-speed={mode === 'live' ? String(speed) : '0'}>
        {now.slice(0, 10)} <b>{now.slice(11, 19)}</b>
      </time>
      <span class={`mode ${mode}`}>{mode === 'live' && speed !== 1 ? `×${speed}` : mode}</span>
    </a>
  );
};

/** Returns the list to which the page of one row belongs, because another sandbox has other rows; else the same path. */
const listAbove = (path: string): string =>
  /^(\/inspector\/(?:requests|webhooks|ledger|scenario|state\/[^/]+))\/[^/]+$/.exec(path)?.[1] ??
  (path.startsWith('/inspector/id/') ? '/' : path);

const Switcher = ({ visit }: { visit: PageContext }) => {
  const { host, sandbox } = visit;
  if (host.count < 2)
    return (
      <p class="switcher one">
        <span>Sandbox</span> <b>{escapeControlChars(sandbox.id)}</b>
      </p>
    );
  const ids: string[] = [];
  for (const { id } of host.sandboxes) {
    if (ids.length === LISTED) break;
    ids.push(id);
  }
  if (!ids.includes(sandbox.id)) ids.push(sandbox.id);
  return (
    <form class="switcher" method="get" action={listAbove(visit.path)}>
      <label for="sandbox">Sandbox</label>
      <select id="sandbox" name="sandbox" data-submit>
        {ids.map((id) => (
          <option value={id} selected={id === sandbox.id}>
            {escapeControlChars(id)}
          </option>
        ))}
      </select>
      <noscript>
        <Submit label="Switch" small />
      </noscript>
    </form>
  );
};
