#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// Left alone, the heap grows to four times what is alive before it is swept: under load that is most of the process's memory.
v8.setFlagsFromString('--heap-growing-percent=50');
// Node 22 and later keep the compiled code between starts; Node 20 has no such thing.
module.enableCompileCache?.();
const { running } = await import('../dist/cli.js');
await running;
// Written once it runs, not at its end: a test run that kills it would never get a quick start.
module.flushCompileCache?.();
