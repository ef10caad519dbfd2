import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { triggerable } from '../../src/calls/index.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { refusals } from '../../src/http/openapi.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';

// Pages that are made from the declarations. `npm run docs` writes them; here they are compared.
const WRITES = process.env['WRITE_DOCS'] === '1';

function held(file: string, text: string): void {
  if (WRITES) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8'), `${file} is old: npm run docs`).toBe(text);
}

const MADE = '<!-- Made from the declarations by `npm run docs`; a test compares it. -->';
type Json = unknown;
type Members = Readonly<Record<string, Json>>;
const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON text whose lists and objects stand on one line where they fit. */
function laidOut(value: Json, indent = ''): string {
  const flat = JSON.stringify(value) ?? 'null';
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= 118) return flat;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${laidOut(one, inner)}`)
    : Object.entries(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${laidOut(one, inner)}`);
  return Array.isArray(value) ? `[\n${lines.join(',\n')}\n${indent}]` : `{\n${lines.join(',\n')}\n${indent}}`;
}

/** Ids and moments differ in every run of a program. */
const varies = (value: Json): boolean =>
  typeof value === 'string' && (/^[A-Z]\w*:[0-9a-f-]{16,}$/.test(value) || /^\d{4}-\d{2}-\d{2}T/.test(value));

/** What has to be merged into one value to get another (RFC 7396), ids and moments left out; undefined for nothing. */
function patchOf(from: Json, to: Json): Json {
  if (varies(from) && varies(to)) return undefined;
  if (!isObject(from) || !isObject(to)) return JSON.stringify(from) === JSON.stringify(to) ? undefined : to;
  const patch: Record<string, Json> = {};
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const change = Object.hasOwn(from, name) ? patchOf(from[name], value) : value;
    if (change !== undefined) patch[name] = change;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** The first event whole, and of each of the others what differs from the one before it. */
function samplesIn([first = '', ...others]: readonly string[], samples: ReadonlyMap<string, Json>): string {
  const whole = samples.get(first);
  const rest = others.map((type, i) => laidOut(patchOf(samples.get(others[i - 1] ?? first), samples.get(type))));
  return `\`\`\`json\n${laidOut(whole)}\n${rest.join('\n')}${rest.length > 0 ? '\n' : ''}\`\`\``;
}

/** Members that have another name or do not exist in the other profile. */
function otherNames(spec: Json, other: Json, path = ''): string[] {
  if (!isObject(spec) || !isObject(other)) return [];
  const own = Object.keys(spec).filter((name) => !Object.hasOwn(other, name));
  const theirs = Object.keys(other).filter((name) => !Object.hasOwn(spec, name));
  const said = own.map((name) => {
    const same = theirs.find((one) => JSON.stringify(other[one]) === JSON.stringify(spec[name]));
    return same ? `\`${path}${name}\` is \`${same}\`` : `there is no \`${path}${name}\``;
  });
  const inner = Object.keys(spec).flatMap((name) => otherNames(spec[name], other[name], `${path}${name}.`));
  return [...said, ...inner];
}

const code = (text: string): string => `\`${text}\``;

/** A platform on which every event can happen. */
const SCENARIO = {
  platform: { counterpartyRules: true, sca: {}, currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })) },
};

/** The body of an event as its receiver got it, after a trigger in a new sandbox. */
async function sampleOf(event: string, profile: 'spec' | 'grid'): Promise<Json> {
  const hooks = await receiver();
  const scenario = ['default', SCENARIO];
  const it = await kit({
    profile,
    scenario,
    seed: 'docs',
    now: '2026-01-05T09:00:00Z',
    holdClock: true,
    webhookUrl: hooks.url,
  });
  const { status, text } = await it.control('POST', '/trigger', { event });
  expect(status, text).toBe(200);
  return hooks.received.findLast((one) => one.event.type === event)?.event;
}

test('docs/events.md lists every event of both profiles with what leads to it, and a sample of each (W19)', async () => {
  const own = triggerable(PROFILES.spec);
  const grid = new Set(triggerable(PROFILES.grid).map(({ type }) => type));
  const inSpec = new Set(own.map(({ type }) => type));
  const both = triggerable(PROFILES.grid).concat(own);
  const samples = new Map<string, Json>();
  for (const { type } of own) samples.set(type, await sampleOf(type, 'spec'));
  for (const { type } of both) if (!samples.has(type)) samples.set(type, await sampleOf(type, 'grid'));
  const groups: string[] = [];
  for (const about of new Set(own.map((one) => one.about))) {
    const rows = own.filter((one) => one.about === about);
    const lines = rows.map(({ type, calls }) => {
      const where = grid.has(type) ? 'both' : '`spec`';
      return `| ${code(type)} | ${calls.map(code).join(', ') || 'depends on what the sandbox has'} | ${where} |`;
    });
    const types = both.filter((one) => one.about === about).map(({ type }) => type);
    const shown = samplesIn([...new Set([...rows.map(({ type }) => type), ...types])], samples);
    const [first] = rows;
    const named =
      first && grid.has(first.type) ? otherNames(samples.get(first.type), await sampleOf(first.type, 'grid')) : [];
    const names = named.length > 0 ? `\n\nIn profile \`grid\`, ${named.join('; ')}.` : '';
    groups.push(
      `## ${about}\n\n| Event | Calls that lead to it | Profile |\n|---|---|---|\n${lines.join('\n')}\n\n${shown}${names}\n`,
    );
  }
  const more = [...grid].filter((type) => !inSpec.has(type));
  held(
    'docs/events.md',
    [
      '# Events',
      MADE,
      `Every event that the service emits, ${EVENTS.flatMap(({ types }) => types).length} in all. To see one, with its body and its delivery:\n\n\`\`\`sh\nnpx sandbox-emulator trigger OUTGOING_PAYMENT.COMPLETED\n\`\`\`\n\nIt makes the calls of the second column, by the usual rules, and lists them. \`trigger --list\` shows this page for the profile of the running\nemulator. The schema of each body stands in \`GET /openapi.json\` under \`webhooks\`; [webhooks](webhooks.md) has signatures, retries and order. Of each group the first event is shown whole, and of each of the others what differs\nfrom the one before it (RFC 7396: null is a member that it lacks), but for ids and times.`,
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
