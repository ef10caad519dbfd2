import { CHAPTER, Chapter } from './chapter.ts';
import { type Watch, WatchedHost } from './host.ts';
import { longTexts } from './long-texts.ts';
import { randomOf } from './random.ts';
import { RawEmulator } from './raw.ts';
import { receivers } from './receivers.ts';
import { Report } from './report.ts';
import { tour } from './tour.ts';

export interface RunOptions {
  inputs: number;
  seed: number;
  /** Slow calls are findings. */
  timings: boolean;
  /** Long and deep texts go to everything that parses one, before the inputs. */
  long?: boolean;
  /** Replay this input alone: what led up to it is done again, and not looked at. */
  only?: number | undefined;
  /** Hears how far the run is. */
  progress?: ((report: Report) => void) | undefined;
}

/** One input in so many goes over a raw socket. */
const RAW_EVERY = 100;

/** Ask the emulator all kinds of things, and report whatever it should not have done. */
export async function hostile({ inputs, seed, timings, long, only, progress }: RunOptions): Promise<Report> {
  const report = new Report(seed);
  const watch: Watch = { report, timings, only, input: 0 };
  const raw = new RawEmulator(watch);
  const hooks = await receivers();
  await warm(seed);
  if (only === undefined) {
    await tour(seed, watch, hooks.urls.healthy);
    if (long) await longTexts(seed, watch);
  }
  const first = only === undefined ? 0 : Math.floor(only / CHAPTER);
  const last = only === undefined ? Math.ceil(inputs / CHAPTER) : first + 1;
  try {
    for (let number = first; number < last; number += 1) {
      await chapterOf(seed, number, only === undefined ? inputs : only + 1, watch, raw, hooks.urls.answering);
      progress?.(report);
    }
  } finally {
    await raw.close();
    hooks.close();
  }
  return report;
}

async function chapterOf(
  seed: number,
  number: number,
  end: number,
  watch: Watch,
  raw: RawEmulator,
  webhookUrl: string,
): Promise<void> {
  watch.input = number * CHAPTER;
  const chapter = await Chapter.open(seed, number, watch, webhookUrl);
  await chapter.begin(seed);
  for (let n = number * CHAPTER; n < Math.min(end, (number + 1) * CHAPTER); n += 1) {
    watch.input = n;
    watch.report.inputs += 1;
    const random = randomOf(seed, n);
    if (n % RAW_EVERY === RAW_EVERY - 1) await raw.input(random);
    else await chapter.input(random);
  }
  chapter.end();
}

/** Make what the package brings ready-made: the documents that pages are drawn from. */
async function warm(seed: number): Promise<void> {
  const watch: Watch = { report: new Report(seed), timings: false, only: undefined, input: 0 };
  for (const profile of ['spec', 'grid'] as const) {
    const watched = await WatchedHost.open({ profile, seed }, watch);
    for (const path of ['/openapi.json', '/inspector/api/listCustomers', '/inspector/state'])
      await watched.ask(
        {
          target: 'page',
          kind: 'page',
          method: 'GET',
          path,
          query: '',
          headers: { accept: 'text/html' },
          mutations: [],
        },
        watched.host.default,
      );
    watched.end();
  }
}
