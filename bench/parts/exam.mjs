// The exam of the backend that the package has, which answers at once and passes.
import { join } from 'node:path';
import { build } from 'esbuild';
import { BASE, binOf, emulator, THIS } from '../kit.mjs';
import { fileName, freePort, launch, output } from '../processes.mjs';

export async function exam(report) {
  const outfile = fileName('exam-backend.mjs');
  const entry = join(THIS, 'fixtures/exam-backend.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
  const port = await freePort();
  const backend = `http://127.0.0.1:${port}`;
  const server = await emulator(['--webhook-url', `${backend}/hooks`]);
  const env = { API: `${server.url}${BASE}`, PORT: String(port) };
  const its = await launch(process.execPath, [outfile], { env });
  const began = performance.now();
  const flags = ['--url', server.url, '--pay', `${backend}/payments`, '--ask', `${backend}/payments/{reference}`];
  await output(process.execPath, [binOf(), 'exam', ...flags]);
  report('exam', { value: (performance.now() - began) / 1000 });
  await Promise.all([its.stop(), server.stop()]);
}
