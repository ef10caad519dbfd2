// npm run operations [-- --missing]: what is built and what is not, an area, as the emulator itself says it.
import { startEmulator } from '../dist/index.js';

const emulator = await startEmulator({ port: 0 });
const { data, built, total } = await (await emulator.fetch(new Request(`${emulator.url}/_emulator/operations`))).json();
await emulator.close();
const areas = new Map();
for (const operation of data) areas.set(operation.area, [...(areas.get(operation.area) ?? []), operation]);
for (const [area, operations] of areas) {
  const missing = operations.filter((operation) => !operation.built);
  console.log(`${area.padEnd(32)} ${String(operations.length - missing.length).padStart(3)} of ${operations.length}`);
  if (process.argv.includes('--missing'))
    for (const { method, path } of missing) console.log(`    ${method.padEnd(6)} ${path}`);
}
console.log(`${'all'.padEnd(32)} ${String(built).padStart(3)} of ${total}`);
