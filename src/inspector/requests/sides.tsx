import type { Child } from 'hono/jsx';
import { linked } from '../frame/json.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Panel, Status } from '../frame/parts.tsx';
import { pairs } from './lines.ts';

/** A reply to compare. */
export interface Answer {
  /** The call to which it belongs. */
  readonly title: Child;
  readonly status: number;
  readonly body: unknown;
}

/** The most lines that are shown. */
const SHOWN = 2000;

/** Two replies side by side; differing lines are marked, for screen readers in words. */
export const Sides = (p: { visit: PageContext; left: Answer; right: Answer; same: boolean }) => {
  const { visit, left, right, same } = p;
  const lines = pairs(textOf(left.body), textOf(right.body)).slice(0, SHOWN);
  return (
    <Panel
      id="answer"
      title="Both responses"
      flush
      tools={<Badge of={same ? 'the same' : 'they differ'} tone={same ? 'good' : 'warn'} />}
    >
      <div class="sides">
        <div class="sides-head">
          <SideHead side={left} />
          <SideHead side={right} />
        </div>
        <section class="sides-body" tabindex={0} aria-label="Lines of both responses">
          {lines.map((pair) => (
            <div class={pair.same ? 'pair' : 'pair differs'}>
              <Line visit={visit} text={pair.left} said={pair.same ? '' : 'before: '} side="was" />
              <Line visit={visit} text={pair.right} said={pair.same ? '' : 'after: '} side="is" hear={!pair.same} />
            </div>
          ))}
        </section>
      </div>
    </Panel>
  );
};

const SideHead = ({ side }: { side: Answer }) => (
  <p>
    <Status of={side.status} /> {side.title}
  </p>
);

const Line = (p: { visit: PageContext; text: string | undefined; said: string; side: string; hear?: boolean }) => (
  <code class={p.text === undefined ? `${p.side} nothing` : p.side} aria-hidden={p.hear === false ? 'true' : undefined}>
    {p.said && p.text !== undefined ? <span class="visually-hidden">{p.said}</span> : null}
    {p.text === undefined ? '' : linked(p.visit, p.text)}
  </code>
);

function textOf(body: unknown): string {
  if (body === null || body === undefined) return '(no body)';
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
