import * as fc from 'fast-check';

/** Property tests draw the same examples in every run, unless `SEED` names others: what lands depends on no luck. */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
