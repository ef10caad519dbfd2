#!/usr/bin/env node
const { calmHeap, keepCompiled, running } = await import('../dist/cli.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.url?.endsWith('/dist/cli.js')) throw error;
  console.error('sandbox-emulator is not built in this checkout: run npm ci && npm start');
  process.exit(1);
});
// A scenario or a state may be large; anything else needs little memory until it answers.
if (process.argv.some((arg) => /^(?:-s|--s[ct])/.test(arg))) calmHeap();
await running;
// Written once it runs, not at its end: a test run that kills it would never get a quick start.
keepCompiled();
// The first answer need not wait for it.
setTimeout(calmHeap, 100).unref();
