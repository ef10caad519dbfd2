import * as z from 'zod';
import type { Client } from '../client.ts';
import { linesThatFit } from '../fit.ts';
import { type ToolAnswer, texts, things, tool } from '../tool.ts';

/** The most characters of a page in one result; `EXCERPT` is the limit for each section that a search finds. */
const PIECE = 6500;
const EXCERPT = 1400;
const FOUND = 4;

async function pageOf(client: Client, name: string, line: number): Promise<ToolAnswer> {
  const { pages } = await import('../sections.ts');
  const all = await pages();
  const page = all.find((one) => [one.name, one.name.replace('docs/', '')].includes(name.replace(/\.(?:md|txt)$/, '')));
  if (!page) throw new Error(`there is no page ${name}; read_docs without input lists them`);
  const lines = (await page.read(client)).split('\n');
  const piece = linesThatFit(lines, line, PIECE);
  const more = lines.length - line - piece.length;
  return {
    page: page.name,
    text: piece.join('\n'),
    lines: lines.length,
    ...(more > 0 ? { next: `line: ${line + piece.length} shows the remaining ${more} lines` } : {}),
  };
}

async function found(client: Client, query: string): Promise<ToolAnswer> {
  const { findSections } = await import('../sections.ts');
  const sections = await findSections(client, query);
  if (sections.length === 0)
    return { sections: [], next: 'no section has these words: try others, or read_docs without input for the pages' };
  return {
    sections: sections.slice(0, FOUND).map(({ page, title, line, text }) => ({
      page,
      section: title,
      line,
      text: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text,
    })),
    next: 'page and line show a section in full',
  };
}

export const readDocs = tool(
  'read_docs',
  {
    title: 'Read the documentation',
    answers: () => ({ ...things('pages', 'sections'), ...texts('page', 'text') }),
    about:
      'Documentation of the emulator and the service: find sections by words (query), or read a page (page). It has magic values, event types, error codes, signatures, wallets, cards, faults, time and scenarios. Without input: the pages.',
    reads: true,
  },
  () => ({
    query: z.string().max(200).optional().describe('Words, such as magic amounts, or verify a webhook signature'),
    page: z.string().max(200).optional().describe('A page by its name, such as magic-values'),
    line: z.int().min(0).default(0).describe('Begin at this line of the page'),
  }),
  async (client, { query, page, line }): Promise<ToolAnswer> => {
    if (page !== undefined) return pageOf(client, page, line);
    if (query !== undefined) return found(client, query);
    const { pages } = await import('../sections.ts');
    return {
      pages: Object.fromEntries((await pages()).map(({ name, title }) => [name, title])),
      next: 'page reads one; query searches all of them',
    };
  },
);
