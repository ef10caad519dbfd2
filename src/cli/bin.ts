import { main } from './main.ts';

/** The command line at work; anyone who loads this waits for it. */
export const running = main(process.argv);
