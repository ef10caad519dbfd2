import { SAID } from '../print.ts';
import type { ShapeDifference, ShapesResult, Unseen } from './compare.ts';

/** The most unseen things that people see; programs get all of them. */
const SHOWN = 20;

const whereOf = ({ operation, reply, path }: ShapeDifference | Unseen): string =>
  [[operation, reply].filter(Boolean).join(' '), path].filter(Boolean).join(', ');

function lineOf(difference: ShapeDifference): string {
  const { kind, ours, theirs } = difference;
  const pair =
    kind === 'missing' ? `here ${ours}` : kind === 'added' ? `there ${theirs}` : `here ${ours}, there ${theirs}`;
  return `${whereOf(difference)}: ${SAID[kind]}: ${pair}`;
}

const unseenLine = (unseen: Unseen): string =>
  `  ${whereOf(unseen)}: ${unseen.what}, not seen ${unseen.by === 'ours' ? 'here' : 'there'}`;

/** Returns the report for a person after a comparison with a file of shapes. */
export function shapesText({ file, date, profile, calls, walks, seed, differences, unseen }: ShapesResult): string {
  const made = `${calls} calls in ${walks} walks (seed ${seed}) compared with ${file}, profile ${profile}, of ${date}`;
  const more = unseen.length - SHOWN;
  const chance = [
    'Seen on one side only; walks are random, so this is not a difference:',
    ...unseen.slice(0, SHOWN).map(unseenLine),
    ...(more > 0 ? [`  and ${more} more, which --json lists`] : []),
    '',
  ];
  const count = differences.length;
  return [
    ...differences.map(lineOf),
    ...(count > 0 ? ['', '"here" is this emulator, "there" the side whose replies the file describes.', ''] : []),
    ...(unseen.length > 0 ? chance : []),
    `${made}: ${count === 0 ? 'no difference' : `${count} ${count === 1 ? 'difference' : 'differences'}`}`,
    '',
  ].join('\n');
}

/** Returns the report for programs. */
export const shapesJson = ({ file, date, profile, calls, walks, seed, differences, unseen }: ShapesResult): object => ({
  seed,
  walks,
  calls,
  shapes: { file, date, profile },
  differences,
  unseen,
});
