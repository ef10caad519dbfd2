// npm run soak [-- --minutes 1]: a real process under load, with receivers that fail, and what it holds afterwards.
import { runBundled } from './bundle.mjs';

await runBundled('test/hostile/soak-main.ts', 'soak');
