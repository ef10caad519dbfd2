#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later keep the compiled code between starts; Node 20 has no such thing.
module.enableCompileCache?.();
await import('../dist/cli.js');
