// npm run operations: how many operations each area has, as the emulator itself says it; -- --list names them.
import { startEmulator } from '../dist/index.js';

const emulator = await startEmulator({ port: 0 });
const { data, built, total } = await (await emulator.fetch(new Request(`${emulator.url}/_emulator/operations`))).json();
await emulator.close();
const areas = new Map();
for (const operation of data) areas.set(operation.area, [...(areas.get(operation.area) ?? []), operation]);
for (const [area, operations] of areas) {
  console.log(`${area.padEnd(32)} ${String(operations.length).padStart(3)}`);
  if (process.argv.includes('--list'))
    for (const { method, path } of operations) console.log(`    ${method.padEnd(6)} ${path}`);
}
console.log(`${'all'.padEnd(32)} ${String(built).padStart(3)} of ${total}`);
