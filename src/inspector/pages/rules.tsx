import { RULES } from '../../control/rules.ts';
import { Head, type PageParts, Panel } from '../parts.tsx';
import { anchorOf } from '../text.ts';
import type { Visit } from '../visit.ts';

/** What the rules say that refusals cite. */
export const rules = (_visit: Visit): PageParts => ({
  title: 'Rules',
  menu: 'rules',
  body: (
    <>
      <Head title="Rules" lead="What stands in the places that refusals cite, in a sentence each." />
      <Panel id="rules">
        <dl class="rules">
          {RULES.map(({ place, about, says }) => (
            <div id={anchorOf(place)}>
              <dt>
                <b>{about}</b> <code>{place}</code>
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  ),
});
