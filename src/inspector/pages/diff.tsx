import { kindOf } from '../kinds.ts';
import { Act, Empty, Head, Hint, Id, type PageParts, Panel, Resource, Time, times } from '../parts.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** What the control API says of two states. */
interface Diff {
  clock: { before: string; after: string };
  tables: {
    name: string;
    added: string[];
    removed: string[];
    changed: { id: string; fields: { path: string; before?: unknown; after?: unknown }[] }[];
  }[];
}

const MOST = 40;

/** What changed since a snapshot. */
export async function diff(visit: Visit, [name = '']: readonly string[]): Promise<PageParts> {
  const { tables, clock } = await visit.ask<Diff>('GET', '/snapshots/:name/diff', { name });
  return {
    title: `Since ${name}`,
    menu: 'scenario',
    body: (
      <>
        <Head
          up={{ href: visit.to('/inspector/scenario'), label: 'Scenario' }}
          title={`Since ${plain(name)}`}
          lead={
            <>
              From <Time visit={visit} at={clock.before} /> to <Time visit={visit} at={clock.after} />
            </>
          }
        >
          <Act
            visit={visit}
            sure="Really restore?"
            call={{ method: 'POST', path: `/snapshots/${name}/restore` }}
            then="reload"
          >
            Restore it
          </Act>
        </Head>
        {tables.length === 0 ? (
          <div class="panel">
            <Empty title="Nothing differs" />
          </div>
        ) : (
          <div class="stack">
            {tables.map((table) => (
              <Panel
                id={`diff-${table.name}`}
                title={kindOf(table.name).title}
                tools={<span class="none">{summary(table)}</span>}
              >
                <ul class="diff">
                  {table.added.slice(0, MOST).map((id) => (
                    <li class="added">
                      <b>added</b> <Resource visit={visit} id={id} />
                    </li>
                  ))}
                  {table.removed.slice(0, MOST).map((id) => (
                    <li class="removed">
                      <b>removed</b> <Id visit={visit} id={id} long />
                    </li>
                  ))}
                  {table.changed.slice(0, MOST).map(({ id, fields }) => (
                    <li class="changed">
                      <b>changed</b> <Resource visit={visit} id={id} />
                      <ul>
                        {fields.slice(0, 20).map(({ path, before, after }) => (
                          <li>
                            <code>{plain(path)}</code> <del>{said(before)}</del> <span aria-hidden="true">→</span>{' '}
                            <ins>{said(after)}</ins>
                          </li>
                        ))}
                      </ul>
                    </li>
                  ))}
                </ul>
              </Panel>
            ))}
          </div>
        )}
        <Hint visit={visit} call={{ method: 'GET', path: `/snapshots/${name}/diff` }} />
      </>
    ),
  };
}

const summary = ({ added, removed, changed }: Diff['tables'][number]): string =>
  [
    added.length > 0 ? times(added.length, 'added', 'added') : '',
    removed.length > 0 ? times(removed.length, 'removed', 'removed') : '',
    changed.length > 0 ? times(changed.length, 'changed', 'changed') : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

function said(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return plain(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
