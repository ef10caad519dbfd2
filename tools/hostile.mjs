// npm run hostile [-- --inputs 20000 --seed 1 --only n], of a seed of its own unless told: valid requests made wrong, against everything that is answered.
import { runBundled } from './bundle.mjs';

await runBundled('test/hostile/main.ts', 'hostile');
