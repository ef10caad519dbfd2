#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later keep the compiled code between starts; Node 20 has no such thing.
module.enableCompileCache?.();
await import('../dist/cli.js');
// Written once it runs, not at its end: a test run that kills it would never get a quick start.
module.flushCompileCache?.();
