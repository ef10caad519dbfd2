import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { triggerable } from '../../src/calls/index.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { refusals } from '../../src/http/openapi.ts';

// Pages that are made from the declarations. `npm run docs` writes them; here they are compared.
const WRITES = process.env['WRITE_DOCS'] === '1';

function held(file: string, text: string): void {
  if (WRITES) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8'), `${file} is old: npm run docs`).toBe(text);
}

const MADE = '<!-- Made from the declarations by `npm run docs`; a test compares it. -->';
const code = (text: string): string => `\`${text}\``;

test('docs/events.md lists every event of both profiles with what leads to it (W19)', () => {
  const own = triggerable(PROFILES.spec);
  const grid = new Set(triggerable(PROFILES.grid).map(({ type }) => type));
  const inSpec = new Set(own.map(({ type }) => type));
  const groups = [...new Set(own.map(({ about }) => about))].map((about) => {
    const rows = own.filter((one) => one.about === about);
    const lines = rows.map(({ type, calls }) => {
      const where = grid.has(type) ? 'both' : '`spec`';
      return `| ${code(type)} | ${calls.map(code).join(', ') || 'depends on what the sandbox has'} | ${where} |`;
    });
    return `## ${about}\n\n| Event | Calls that lead to it | Profile |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  const more = [...grid].filter((type) => !inSpec.has(type));
  held(
    'docs/events.md',
    [
      '# Events',
      MADE,
      `Every event that the service emits, ${EVENTS.flatMap(({ types }) => types).length} in all. To see one, with its body and its delivery:\n\n\`\`\`sh\nnpx sandbox-emulator trigger OUTGOING_PAYMENT.COMPLETED\n\`\`\`\n\nIt makes the calls of the second column, by the usual rules, and lists them. \`trigger --list\` shows this page for the profile of the running\nemulator. The schema of each body stands in \`GET /openapi.json\` under \`webhooks\`; [webhooks](webhooks.md) has signatures, retries and order.`,
      ...groups.map((group) => group.trimEnd()),
      ...(more.length > 0 ? [`Only in profile \`grid\`: ${more.map(code).join(', ')}.`] : []),
      '',
    ]
      .join('\n\n')
      .replace(/\n+$/, '\n'),
  );
});

test('docs/errors.md lists every error code with its status and the operations that refuse with it (W19)', () => {
  const users = new Map<ErrorCode, string[]>();
  for (const op of OPERATIONS)
    for (const one of [...refusals(op).values()].flat()) users.set(one, [...(users.get(one) ?? []), op.id]);
  const statuses = [...new Set(Object.values(ERRORS))].sort((a, b) => a - b);
  const MOST = 6;
  const sections = statuses.map((status) => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((one) => ERRORS[one] === status);
    const lines = codes.map((one) => {
      const ids = users.get(one) ?? [];
      const named = ids.slice(0, MOST).map(code).join(', ');
      const rest = ids.length - MOST;
      const few = rest > 0 ? `${named} and ${rest} more` : named;
      const by =
        ids.length > 100 ? `${ids.length} of ${OPERATIONS.length} operations` : few || 'none; a fault can send it';
      return `| ${code(one)} | ${by} |`;
    });
    return `## ${status}\n\n| Code | Operations that declare it |\n|---|---|\n${lines.join('\n')}`;
  });
  held(
    'docs/errors.md',
    [
      '# Error codes',
      MADE,
      `Every code of a refusal, by its status, ${Object.keys(ERRORS).length} in all. A refusal is \`{status, code, message, details}\`; what decided it says\n\n\`\`\`sh\nnpx sandbox-emulator why last\n\`\`\`\n\nand the request's page in the inspector. To meet one on purpose: [magic values](magic-values.md), or a [fault](faults.md) with \`--status\` and \`--code\`.`,
      ...sections,
      '',
    ]
      .join('\n\n')
      .replace(/\n+$/, '\n'),
  );
});
