import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { blocksOf, figuresOf } = await import(new URL('../../bench/figures.mjs', import.meta.url).href);
const [REPORT, RECORDS] = [read('bench/report.json'), read('bench/records.json')];
type Group = { title: string; figures: { what: string; is: string; beside: string }[] };
const GROUPS: Group[] = figuresOf(REPORT, RECORDS);
const BLOCKS: Record<string, Record<string, string>> = blocksOf(REPORT, RECORDS);

/** A page with its blocks, each between two markers, as the report and the records have them. */
function withBlocks(page: string, blocks: Record<string, string>): string {
  let text = page;
  for (const [name, block] of Object.entries(blocks)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
    const [head = '', rest = ''] = text.split(open);
    text = `${head}${open}\n${block}\n${close}${rest.split(close)[1] ?? ''}`;
  }
  return text;
}

test.each(Object.entries(BLOCKS))(
  '%s has every figure of bench/report.json and bench/records.json, which npm run docs writes there (W21)',
  (page, blocks) => {
    const before = readFileSync(page, 'utf8');
    for (const name of Object.keys(blocks)) expect(before.split(`<!-- ${name} -->`), name).toHaveLength(2);
    const made = withBlocks(before, blocks);
    if (process.env['WRITE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8'), `${page} is old: npm run docs`).toBe(made);
  },
);

test('a report names for each run its date, machine, Node and commit, and for each row its run', () => {
  for (const run of REPORT.runs)
    expect(run).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d{2}/),
      machine: expect.stringMatching(/./),
      node: expect.stringMatching(/\d/),
      commit: expect.stringMatching(/./),
    });
  for (const [id, row] of Object.entries<{ run: number }>(REPORT.rows)) expect(REPORT.runs[row.run], id).toBeDefined();
  for (const record of Object.values(RECORDS))
    expect(record).toMatchObject({
      measured: expect.stringMatching(/^\d{4}-\d{2}/),
      machine: expect.stringMatching(/./),
      versions: expect.stringMatching(/\d/),
      by: expect.stringMatching(/./),
    });
});

/** What reads as a figure of speed or size, in digits or in words. */
const FIGURE = new RegExp(
  [
    String.raw`\b\d[\d.,]*\s?(?:ms|µs|ns|[kKMG]i?B)\b`,
    String.raw`\b\d[\d.,]* times (?:a|an|the|as|faster|slower)\b`,
    String.raw`\b\d[\d.,]*(?: calls| requests)? per second\b`,
    String.raw`\b(?:a|an|one) (?:third|quarter|fifth|tenth|seventieth|hundredth)\b(?= (?:as|of a second|of a millisecond|less|more|faster|slower)\b)`,
    String.raw`\b(?:a|about a|one|half a) (?:milli|micro)second\b`,
  ].join('|'),
  'g',
);

/** Figures of a page that are none of performance, and why. */
const OTHERS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  'bulk.md': [[/^32 KiB$/, 'a limit of a piece']],
  'capsules.md': [[/^512 MiB$/, 'a limit of what is opened']],
  'cli.md': [
    [/^1 MiB$/, 'a limit of a body'],
    [/^(?:4\.1|3\.2|0\.6) ms$/, 'lines of a log, as an example'],
  ],
  'control-api.md': [[/^(?:128 KiB|64 MiB)$/, 'limits']],
  'executable.md': [[/^60 MB$/, 'a limit of the image']],
  'shared.md': [[/^512 MiB$/, 'a limit that a recipe sets']],
  'scale.md': [[/^4 GB$/, "Node's own limit"]],
  'time.md': [[/^500ms$/, 'a duration, as it is written']],
  'scenarios.md': [[/^32 MiB$/, 'a limit of a file']],
};
/** Of docs/architecture.md each figure is what one trade-off gave when it was made. */
const TRADES = ['architecture.md'];

test('no page has a figure of speed or size that is not in bench/report.json or bench/records.json, word for word (W21)', () => {
  const known = [
    ...GROUPS.flatMap(({ figures }) => figures.map(({ what, is, beside }) => `${what} ${is} ${beside}`)),
    ...Object.values(BLOCKS).flatMap((blocks) => Object.values(blocks)),
  ].join(' | ');
  const docs = readdirSync('docs').filter((file) => file.endsWith('.md') && !TRADES.includes(file));
  const pages = [...docs.map((file) => `docs/${file}`), 'README.md', 'llms.txt', 'AGENTS.md'];
  const strays: string[] = [];
  const used = new Set<RegExp>();
  for (const page of pages) {
    const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
    for (const [said] of text.matchAll(FIGURE)) {
      if (known.includes(said)) continue;
      const other = OTHERS[page.replace('docs/', '')]?.find(([form]) => form.test(said));
      if (other) used.add(other[0]);
      else strays.push(`${page}: ${said}`);
    }
  }
  expect(strays).toEqual([]);
  const idle = Object.entries(OTHERS).flatMap(([page, all]) =>
    all.filter(([form]) => !used.has(form)).map(([form]) => `${page}: ${form}`),
  );
  expect(idle, 'these have left their pages').toEqual([]);
});
