import type { Child } from 'hono/jsx';

/** A value at a moment; `part` is the share of it that is set aside. */
export interface Point {
  readonly at: string;
  readonly value: number;
  readonly part: number;
}

const [WIDTH, HEIGHT, AIR] = [600, 160, 8];

const near = (n: number): string => String(Math.round(n * 10) / 10);

/**
 * A balance over time as steps, from the left to now. It is an image by itself: its title and description tell what it
 * shows, and the table beside it has every number.
 */
export const BalanceChart = (p: {
  id: string;
  points: readonly Point[];
  title: string;
  says: string;
  /** A value in words, for the axis. */
  label: (value: number) => Child;
  /** A moment in words. */
  when: (at: string) => Child;
}) => {
  const [first, last] = [p.points[0], p.points.at(-1)];
  if (!first || !last) return null;
  const values = p.points.flatMap(({ value, part }) => [value, part]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [start, end] = [Date.parse(first.at), Date.parse(last.at)];
  const x = ({ at }: Point, i: number): number =>
    end > start
      ? ((Date.parse(at) - start) / (end - start)) * WIDTH
      : p.points.length > 1
        ? (i / (p.points.length - 1)) * WIDTH
        : WIDTH;
  const y = (value: number): number =>
    high > low ? AIR + ((high - value) / (high - low)) * (HEIGHT - 2 * AIR) : HEIGHT / 2;
  const steps = (of: (point: Point) => number): string =>
    p.points
      .map((point, i) => `${i === 0 ? `M0 ${near(y(0))}` : ''}H${near(x(point, i))}V${near(y(of(point)))}`)
      .join('');
  const line = `${steps(({ value }) => value)}H${WIDTH}`;
  const base = near(y(0));
  const held = p.points.some(({ part }) => part > 0);
  return (
    <figure class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>{p.label(high)}</span>
        <span>{p.label(low)}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${p.id}-title ${p.id}-says`}
      >
        <title id={`${p.id}-title`}>{p.title}</title>
        <desc id={`${p.id}-says`}>{p.says}</desc>
        <path class="chart-area" d={`${line}V${base}H0Z`} />
        {held ? <path class="chart-held" d={`${steps(({ part }) => part)}H${WIDTH}V${base}H0Z`} /> : null}
        <path class="chart-zero" d={`M0 ${base}H${WIDTH}`} />
        <path class="chart-line" d={line} />
      </svg>
      <figcaption class="chart-span">
        <span>{p.when(first.at)}</span>
        {held ? <span class="chart-key">held</span> : null}
        <span>{p.when(last.at)}</span>
      </figcaption>
    </figure>
  );
};
