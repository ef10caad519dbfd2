import { anchorOf, RULES } from '../../sandbox/rules.ts';
import { type PageParts, Panel } from '../frame/parts.tsx';

/** Lists the rules that refusals cite, one sentence each. */
export const rules = (): PageParts => ({
  title: 'Rules',
  lead: 'The rules that error responses cite, one sentence each.',
  body: (
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
  ),
});
