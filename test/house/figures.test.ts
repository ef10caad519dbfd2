import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Figures {
  measured: string;
  machine: string;
  node: string;
  by: string;
  groups: { title: string; figures: { what: string; is: string; beside?: string }[] }[];
}

const FIGURES: Figures = JSON.parse(readFileSync('bench/figures.json', 'utf8'));
const [OPEN, CLOSE] = ['<!-- figures -->', '<!-- end of figures -->'];

/** The section of docs/scale.md, made from the report. */
function section({ measured, machine, node, by, groups }: Figures): string {
  const parts = groups.map(({ title, figures }) => {
    const lines = figures.map(({ what, is, beside }) => `| ${what} | ${is} | ${beside ?? ''} |`);
    return [`| ${title} | Figure | Beside |`, '|---|---|---|', ...lines].join('\n');
  });
  return `${OPEN}\nMeasured in ${measured} by \`${by}\` on ${machine}, with ${node}. Run it in a checkout to measure yours.\n\n${parts.join('\n\n')}\n${CLOSE}`;
}

test('docs/scale.md has every figure of bench/figures.json, which npm run docs writes there (W21)', () => {
  const before = readFileSync('docs/scale.md', 'utf8');
  const [head = '', rest = ''] = before.split(OPEN);
  const made = `${head}${section(FIGURES)}${rest.split(CLOSE)[1] ?? ''}`;
  if (process.env['WRITE_DOCS'] === '1') writeFileSync('docs/scale.md', made);
  expect(readFileSync('docs/scale.md', 'utf8'), 'docs/scale.md is old: npm run docs').toBe(made);
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
const RECORDS = ['architecture.md'];

test('no page has a figure of speed or size that is not in bench/figures.json, word for word (W21)', () => {
  const known = FIGURES.groups
    .flatMap(({ figures }) => figures.map(({ is, beside = '' }) => `${is} ${beside}`))
    .join(' | ');
  const docs = readdirSync('docs').filter((file) => file.endsWith('.md') && !RECORDS.includes(file));
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
