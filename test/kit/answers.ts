import { openNotes, report } from './seen.ts';

/** When the run is over, declared answers that no test has seen are printed. */
export default function setup(): () => void {
  openNotes();
  return () => {
    console.log(`\n${report()}`);
  };
}
