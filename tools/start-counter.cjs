// Loaded before the command line by start-count.mjs: asks the emulator once it is ready, prints the counts and ends the process.
const { Session } = require('node:inspector');
// What the first request of a client needs is loaded before anything is counted.
const { get } = require('node:http');

// What is left for later than the first answer comes before it on a machine that is slow enough.
const { setTimeout: timeout } = globalThis;
globalThis.setTimeout = (work, ms, ...rest) => timeout(work, ms < 100 ? ms : 3_600_000, ...rest);

const ours = new Map();
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { scriptId, url, length } }) => {
  if (/^(?:file:|\/|[A-Z]:)/.test(url) && !url.includes('start-counter')) ours.set(scriptId, { url, length });
});
session.post('Debugger.enable');
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const before = new Set(process.moduleLoadList);

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  if (String(text).startsWith('{"event":"ready"')) {
    const url = new URL(JSON.parse(text).url);
    get({ host: url.hostname, port: url.port, path: '/_emulator/health', agent: false }, (response) => {
      if (response.statusCode !== 200) throw new Error(`the first call was answered with ${response.statusCode}`);
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        const called = result
          .filter(({ scriptId }) => ours.has(scriptId))
          .flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0].count > 0));
        const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ') && !before.has(name));
        const files = [...ours.values()];
        const counts = {
          files: files.length,
          bytes: files.reduce((sum, { length }) => sum + length, 0),
          functions: called.length,
          builtins: builtins.length,
          loaded: files.map(({ url }) => url).sort(),
          builtinNames: builtins.map((name) => name.replace('NativeModule ', '')),
        };
        write(`${JSON.stringify(counts)}\n`, () => process.reallyExit(0));
      });
    });
    return true;
  }
  return write(text, ...rest);
};
