import type { Report, Verdict } from './types.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text for XML, without the characters that XML cannot contain. */
const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string).replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '');

/** Returns the lines of a failure for people. */
export const failureLines = ({ expected = '', says, lookAt, hint }: Verdict): string[] => [
  `expected: ${expected}`,
  `seen:     ${says}`,
  ...(lookAt.length > 0 ? [`look at:  ${lookAt.map(lookOf).join(', ')}`] : []),
  ...(hint === undefined ? [] : [`change:   ${hint}`]),
];

/** Returns how to look at a request, the page of an event, or the id of a payment. */
const lookOf = (id: string): string =>
  id.startsWith('req_')
    ? `npx sandbox-emulator why ${id}`
    : id.startsWith('Webhook:')
      ? `/inspector/webhooks/${id}`
      : id;

/** Returns a report as a JUnit file, which every CI can show. */
export function junit({ checks, failed, skipped }: Report): string {
  const cases = checks.map((verdict) => {
    const { check, result, says, ms } = verdict;
    const inside =
      result === 'failed'
        ? `<failure message="${xml(says)}">${xml(failureLines(verdict).join('\n'))}</failure>`
        : result === 'skipped'
          ? `<skipped message="${xml(says)}"/>`
          : `<system-out>${xml(says)}</system-out>`;
    return `    <testcase classname="sandbox-emulator exam" name="${xml(check)}" time="${ms / 1000}">${inside}</testcase>`;
  });
  const head = `tests="${checks.length}" failures="${failed}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${head}>`,
    `  <testsuite name="sandbox-emulator exam" ${head}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
