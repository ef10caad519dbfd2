// What the executable runs: the command line as one script, with the code that a start needs compiled already. The same
// file, run by Node with a folder to write to, makes that code: it starts an emulator, asks it once, and keeps what was compiled.
const vm = require('node:vm');

const sea = require('node:sea');
const folder = sea.isSea() ? undefined : process.argv.splice(2, 1)[0];
const read = (name) =>
  folder === undefined ? Buffer.from(sea.getRawAsset(name)) : require('node:fs').readFileSync(`${folder}/${name}`);

// Empty where it was built on a machine that cannot run it.
const compiled = folder === undefined ? read('code.cache') : '';
const script = new vm.Script(read('code.js').latin1Slice(), {
  filename: 'sandbox-emulator.js',
  ...(compiled.length > 0 ? { cachedData: compiled } : {}),
});
script.runInThisContext()(require, sea);
if (folder !== undefined) globalThis.keepCompiled = () => script.createCachedData();
else {
  // As bin/sandbox-emulator.js does it.
  const calm = () => {
    const v8 = require('node:v8');
    v8.setFlagsFromString('--heap-growing-percent=100');
    v8.setFlagsFromString('--minor-gc-task-trigger=10');
  };
  if (process.argv.some((arg) => /^(?:-s|--s[ct])/.test(arg))) calm();
  else setTimeout(calm, 100).unref();
}
