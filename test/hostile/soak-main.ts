import { parseArgs } from 'node:util';
import { receivers } from './receivers.ts';
import { soak } from './soak.ts';
import { Soaking } from './soak-process.ts';

/** `npm run soak -- --minutes N`: exit code 1 on a finding. */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`not a number of minutes: ${values.minutes}`);

const there = await receivers();
const soaking = await Soaking.start();
const { findings, figures } = await soak(soaking, there, minutes, (line) => console.error(line));
findings.push(...(await soaking.stop()));
there.close();
if (findings.length > 0) console.log(`${findings.map((finding, i) => `${i + 1}. ${finding}`).join('\n\n')}\n`);
console.log([...figures, `findings: ${findings.length}`].join('\n'));
process.exit(findings.length > 0 ? 1 : 0);
