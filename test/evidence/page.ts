import { headingAnchor } from './proofs.ts';
import type { Evidence } from './record.ts';
import { GROUPS, type Proof, type Row } from './rows.ts';

const MADE = '<!-- Made by `npm run evidence`; a test compares it. -->';

/** The words that rows leave open, filled from the record. */
function wordsOf({ operations, events, service }: Evidence): Readonly<Record<string, string>> {
  const verified = Object.values(events).filter((cell) => Array.isArray((cell as { verified?: unknown }).verified));
  return {
    operations: String(Object.keys(operations).length),
    signed: String(verified.length),
    service:
      typeof service === 'string'
        ? 'the repository has no recording of it, and no shapes'
        : `compared so far: ${(service as string[]).join(', ')}`,
  };
}

const answerOf = ({ answer }: Row): string =>
  typeof answer === 'string' ? `**${answer}**` : `**yes**, with \`${answer.with}\``;

/** A link to a proof; what is not in the package is in the repository. */
function linkTo(proof: Proof): string {
  if ('page' in proof) {
    const file = proof.page.replace('docs/', '');
    return `[${file.replace('.md', '')}](${file}#${headingAnchor(proof.heading)})`;
  }
  const name = proof.file.replace(/^.*\//, '').replace('.test.ts', '');
  return `[${name}](../${proof.file})`;
}

/** Returns docs/reliance.md. */
export function pageOf(record: Evidence): string {
  const words = wordsOf(record);
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
      const known = words[word];
      if (known === undefined) throw new Error(`no word of the record is called ${word}`);
      return known;
    });
  const groups = GROUPS.map(({ title, rows }) => {
    const lines = rows.map(
      (row) =>
        `| ${row.that} | ${answerOf(row)} | ${filled(row.because)} | ${[...new Set(row.proofs.map(linkTo))].join(', ')} |`,
    );
    return [
      `## ${title}`,
      '',
      '| May I rely on it that ...? | Answer | What was looked at | Proof |',
      '|---|---|---|---|',
      ...lines,
    ].join('\n');
  });
  return `${[
    '# What you may rely on',
    MADE,
    'Each answer holds for every state of the emulator, or says with which flag it does. A proof is a test of the repository, or the section of\na page. `docs/evidence.json` has details for each operation.',
    '**Nothing on this page was compared with the service itself.** It says what the emulator does; the contract is the public description.',
    ...groups,
  ].join('\n\n')}\n`;
}
