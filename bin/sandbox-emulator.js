#!/usr/bin/env node
// Left alone, the heap grows to four times what is alive before it is swept: under load that is most of the process's memory.
process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=50');
const { keepCompiled, running } = await import('../dist/cli.js');
await running;
// Written once it runs, not at its end: a test run that kills it would never get a quick start.
keepCompiled();
// For pages and subcommands, which are modules. Node 20 has no such thing.
process.getBuiltinModule('node:module').enableCompileCache?.();
