import { main } from './main.ts';

/** The running command line; a module that imports this one waits for it. */
export const running = main(process.argv);
