import { moneyText } from '../../contract/money.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Cell, count, DataTable, Line, Panel, times } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { DAYS, type Day, type Volume, type Volumes } from './volume.ts';

/** The most currencies with a chart; the table has all of them. */
const CHARTED = 4;
/** The size of a chart: units per day across, and the height. */
const ACROSS = 8;
const BAR = 6;
const UP = 60;

/** The volume by day and currency; nothing if no money moved. */
export const VolumePanel = ({ visit, volumes: { of, total } }: { visit: PageContext; volumes: Volumes }) => {
  if (total === 0) return null;
  const rest = of.slice(CHARTED).map(({ currency }) => escapeControlChars(currency));
  return (
    <Panel
      id="volume"
      title={`Volume, the last ${DAYS} days`}
      tools={<a href={visit.to('/inspector/state/transactions')}>{times(total, 'payment')}</a>}
    >
      {of.length === 0 ? (
        <p class="none">No money moved in this period of virtual time.</p>
      ) : (
        <>
          <div class="volumes">
            {of.slice(0, CHARTED).map((volume) => (
              <Chart volume={volume} />
            ))}
          </div>
          <Days of={of} />
        </>
      )}
      {rest.length > 0 ? <p class="fine">{`Also ${rest.join(', ')}, in the table.`}</p> : null}
    </Panel>
  );
};

const amountOf = (volume: Volume, minor: number): string => escapeControlChars(moneyText(minor, volume.currency));

/** The days of one currency as bars: outgoing stacked on incoming. */
const Chart = ({ volume }: { volume: Volume }) => {
  const { days, payments, failed } = volume;
  const most = Math.max(1, ...days.map((day) => day.in + day.out));
  const said = `${amountOf(volume, volume.in)} in, ${amountOf(volume, volume.out)} out`;
  return (
    <figure class="volume">
      <figcaption>
        <b>{amountOf(volume, volume.in + volume.out)}</b>
        <span class="volume-sums">
          <span class="key in">{shortly(volume, volume.in)} in</span>
          <span class="key out">{shortly(volume, volume.out)} out</span>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${DAYS * ACROSS} ${UP + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${said}, in ${times(payments, 'payment')} by day`}
      >
        {days.map((day, i) => (
          <Bars volume={volume} day={day} x={i * ACROSS} most={most} />
        ))}
      </svg>
      <p class="volume-foot">
        <span>{dayName(days[0])}</span>
        <span>
          {times(payments, 'payment')}
          {failed > 0 ? `, ${count(failed)} failed` : ''}
        </span>
        <span>{dayName(days.at(-1))}</span>
      </p>
    </figure>
  );
};

/** Returns an amount without its currency, which the total above it names. */
const shortly = (volume: Volume, minor: number): string => amountOf(volume, minor).replace(/ \S+$/, '');

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dayName = (day: Day | undefined): string =>
  day ? `${Number(day.date.slice(8))} ${MONTHS[Number(day.date.slice(5, 7)) - 1]}` : '';

const Bars = ({ volume, day, x, most }: { volume: Volume; day: Day; x: number; most: number }) => {
  const tall = (minor: number): number => Math.round((minor / most) * UP * 10) / 10;
  const [comes, goes] = [tall(day.in), tall(day.out)];
  return (
    <g>
      <title>
        {`${dayName(day)}: ${amountOf(volume, day.in)} in, ${amountOf(volume, day.out)} out, ${times(day.payments, 'payment')}`}
      </title>
      <rect class="whole" x={x} y={0} width={ACROSS} height={UP + 2} />
      <rect class="floor" x={x + 1} y={UP + 1} width={BAR} height={1} />
      {comes > 0 ? <rect class="in" x={x + 1} y={UP - comes} width={BAR} height={comes} rx={1} /> : null}
      {goes > 0 ? <rect class="out" x={x + 1} y={UP - comes - goes} width={BAR} height={goes} rx={1} /> : null}
    </g>
  );
};

const COLUMNS = [
  { name: 'Day' },
  { name: 'Currency' },
  { name: 'In', number: true },
  { name: 'Out', number: true },
  { name: 'Payments', number: true },
];

/** The same figures as a table, newest day first. */
const Days = ({ of }: { of: readonly Volume[] }) => (
  <details id="volume-days">
    <summary>Show as a table</summary>
    <DataTable columns={COLUMNS}>
      {of
        .flatMap((volume) => volume.days.filter(({ payments }) => payments > 0).map((day) => ({ volume, day })))
        .sort((a, b) => (a.day.date < b.day.date ? 1 : a.day.date > b.day.date ? -1 : 0))
        .map(({ volume, day }) => (
          <Line of={`${day.date} ${escapeControlChars(volume.currency)}`}>
            <Cell of={day.date} />
            <Cell name="Currency" of={escapeControlChars(volume.currency)} />
            <Cell name="In" number of={shortly(volume, day.in)} />
            <Cell name="Out" number of={shortly(volume, day.out)} />
            <Cell name="Payments" number of={count(day.payments)} />
          </Line>
        ))}
    </DataTable>
  </details>
);
