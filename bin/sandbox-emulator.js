#!/usr/bin/env node
// Left alone, the heap grows to four times what is alive before it is swept: under load that is most of the process's memory.
const { setFlagsFromString } = process.getBuiltinModule('node:v8');
setFlagsFromString('--heap-growing-percent=50');
// New objects are swept by the few megabytes, not by the dozens: a request that waits for a sweep waits a fifth as long.
setFlagsFromString('--minor-gc-task-trigger=10');
const { keepCompiled, running } = await import('../dist/cli.js');
await running;
// Written once it runs, not at its end: a test run that kills it would never get a quick start.
keepCompiled();
// For pages and subcommands, which are modules. Node 20 has no such thing.
process.getBuiltinModule('node:module').enableCompileCache?.();
