import MiniSearch from 'minisearch';
import { termsOf } from '../calls/terms.ts';
import { answersWholly, findTopics } from '../calls/topics/find.ts';
import type { Client } from './client.ts';
import { type Document, documents } from './resources.ts';

/** A part of a page, under one heading. */
export interface Section {
  readonly page: string;
  readonly title: string;
  /** The line in its page, counted from 0. */
  readonly line: number;
  readonly text: string;
}

const isPage = ({ mimeType }: Document): boolean => mimeType === 'text/markdown';

/** Returns the pages of the documentation, in the order of their names. */
export const pages = async (): Promise<readonly Document[]> => (await documents()).filter(isPage);

/** The delimiter of a code block, in which a `#` begins a shell comment, not a heading. */
const FENCE = /^```/;
const HEADING = /^#{1,3} (.+)$/;

function sectionsOf(page: string, text: string): Section[] {
  const sections: { page: string; title: string; line: number; lines: string[] }[] = [];
  let isCode = false;
  for (const [line, each] of text.split('\n').entries()) {
    if (FENCE.test(each)) isCode = !isCode;
    const title = isCode ? undefined : HEADING.exec(each)?.[1];
    if (title !== undefined || sections.length === 0)
      sections.push({ page, title: (title ?? page).replaceAll('`', ''), line, lines: [] });
    sections.at(-1)?.lines.push(each);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }));
}

/** Search words for a page that are not in its name. */
const SYNONYMS: Readonly<Record<string, string>> = {
  'docs/bulk': 'upload customers csv import columns',
  'docs/control-api': 'record export test calls replay why request refused explain',
  'docs/faults': 'fail failure error outage timeout unavailable inject 429 500 503',
  'docs/time': 'clock wait later future advance',
  'docs/webhooks': 'event delivery notification callback signature verify',
  'docs/magic-values': 'test amount suffix otp simulate fail outcome decline',
  'docs/scenarios': 'seed data start fixture yaml',
  'docs/fixtures': 'test suite vitest pytest junit',
};

/** The weights of the pages to which the first matching topics lead. */
const LED = [3, 1.5, 1.2];

interface Searchable {
  readonly sections: readonly Section[];
  readonly index: MiniSearch;
}
let known: Promise<Searchable> | undefined;

async function read(client: Client): Promise<Searchable> {
  const all = await Promise.all((await pages()).map(async (page) => sectionsOf(page.name, await page.read(client))));
  const sections = all.flat();
  const index = new MiniSearch({
    fields: ['page', 'title', 'text', 'synonyms'],
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  index.addAll(
    sections.map(({ page, title, text }, id) => ({ id, page, title, text, synonyms: SYNONYMS[page] ?? '' })),
  );
  return { sections, index };
}

/** Returns the sections of the documentation that match some words, best first; none if no word occurs in them. */
export async function findSections(client: Client, words: string): Promise<Section[]> {
  known ??= read(client);
  const { sections, index } = await known;
  const topics = findTopics(words).slice(0, LED.length);
  const led = topics.map(({ docs }) => docs.split('#'));
  const found = index.search(words, {
    boost: { title: 4, page: 2, synonyms: 4 },
    boostDocument: (id) => {
      const { page, title } = sections[id as number] as Section;
      const at = led.findIndex(([file]) => file === `${page}.md`);
      if (at < 0) return 1;
      return (LED[at] ?? 1) * (led[at]?.[1] === title ? 2 : 1);
    },
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
  });
  const [first] = topics;
  const [file, section] = first && answersWholly(first, words) ? (led[0] ?? []) : [];
  const meant = sections.filter(
    ({ page, title }) => section !== undefined && `${page}.md` === file && title === section,
  );
  return [...new Set([...meant, ...found.map(({ id }) => sections[id as number] as Section)])];
}
