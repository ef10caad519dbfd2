import { main } from './main.ts';

/** The command line at work; whoever loads this waits for it. */
export const running = main(process.argv);
