import { Submit } from './form.tsx';
import type { PageContext } from './page-context.ts';

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly label: string;
  /** The key that, after `g`, opens the page. */
  readonly key: string;
}

const MENU: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'Watch',
    [
      { name: 'overview', path: '/', label: 'Overview', key: 'o' },
      { name: 'requests', path: '/inspector/requests', label: 'Requests', key: 'r' },
      { name: 'webhooks', path: '/inspector/webhooks', label: 'Webhooks', key: 'w' },
      { name: 'codes', path: '/inspector/codes', label: 'Sent codes', key: 'e' },
    ],
  ],
  [
    'Control',
    [
      { name: 'clock', path: '/inspector/clock', label: 'Clock', key: 'c' },
      { name: 'jobs', path: '/inspector/jobs', label: 'Scheduled jobs', key: 'j' },
      { name: 'faults', path: '/inspector/faults', label: 'Faults', key: 'f' },
    ],
  ],
  [
    'Know',
    [
      { name: 'ledger', path: '/inspector/ledger', label: 'Ledger', key: 'l' },
      { name: 'state', path: '/inspector/state', label: 'State', key: 's' },
      { name: 'scenario', path: '/inspector/scenario', label: 'Scenario', key: 'n' },
      { name: 'api', path: '/inspector/api', label: 'API reference', key: 'a' },
      { name: 'rules', path: '/inspector/rules', label: 'Rules', key: 'u' },
    ],
  ],
];

/** The links to all pages. */
export const Menu = ({ visit, current }: { visit: PageContext; current: string | undefined }) => (
  <nav class="menu" aria-label="Inspector">
    {MENU.map(([title, entries]) => (
      <div>
        <p class="menu-title">{title}</p>
        <ul>
          {entries.map(({ name, path, label, key }) => (
            <li>
              <a href={visit.to(path)} aria-current={name === current ? 'page' : undefined} data-go={key}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
);

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'Search everything'],
  [['f'], 'Filter the list'],
  [['j', 'k'], 'Next and previous line'],
  [['Enter'], 'Open the line'],
  [['u'], 'Back to the list'],
  [['c'], 'Copy as curl'],
  ...MENU.flatMap(([, entries]) => entries).map(({ key, label }) => [['g', key], label] as const),
  [['?'], 'Keyboard shortcuts'],
  [['Esc'], 'Leave a field or close'],
];

/** The list of keys, shown on demand. */
export const Keys = () => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl>
      {KEYS.map(([keys, does]) => (
        <div>
          <dt>
            {keys.map((key) => (
              <kbd>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <Submit label="Close" />
    </form>
  </dialog>
);
