import { existsSync, rmSync, statSync } from 'node:fs';
import { binOf, child, emulator } from '../kit.mjs';
import { file, fileName, output, untilFirst200 } from '../processes.mjs';
import { startOf } from './start.mjs';

const HEAP = '--max-old-space-size=8192';
const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Seconds to save and to load the state of so many customers; the file is left at `path`. */
export async function stateOf(build, customers, path) {
  const scenario = file(`state-${customers}.yaml`, `generate: { customers: ${customers} }\n`);
  rmSync(path, { force: true });
  const flags = ['--scenario', 'default', '--scenario', scenario, '--state', path];
  const server = await emulator(flags, { nodeFlags: [HEAP], build });
  const began = performance.now();
  const busy = server.cpuMs();
  server.signal('SIGUSR2');
  while (!existsSync(path)) await pause();
  const save = (performance.now() - began) / 1000;
  const saveCpu = (server.cpuMs() - busy) / 1000;
  // Its end saves once more: not of the measurement.
  server.signal('SIGKILL');
  await server.stop();
  const start = await startOf(undefined, build);
  const args = (port) => [HEAP, binOf(build), '--port', String(port), '--log', 'off', '--state', path];
  const loaded = await untilFirst200(process.execPath, args, '/_emulator/health');
  return {
    save,
    saveCpu,
    load: (loaded.ms - start.ms) / 1000,
    loadCpu: (loaded.cpuMs - start.cpuMs) / 1000,
    bytes: statSync(path).size,
  };
}

export async function state(report) {
  const path = fileName('state.json');
  const ours = await stateOf(undefined, 450_000, path);
  const lines = await output(process.execPath, [HEAP, child('state-lines'), path, fileName('copy.json')]);
  const { saveMs, loadMs } = JSON.parse(lines);
  const note = `${Math.round(ours.bytes / 1e6)} MB`;
  const row = (value, reference) => ({ value, reference, ratio: value / reference, note });
  report('save', row(ours.save, saveMs / 1000));
  report('load', row(ours.load, loadMs / 1000));
  rmSync(path);
  rmSync(fileName('copy.json'));
}
