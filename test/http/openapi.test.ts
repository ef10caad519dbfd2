import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { VERIFICATION_STATUSES } from '../../src/areas/onboarding/verifications/schema.ts';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { kit } from '../kit/sandbox.ts';

const document = async (options: Parameters<typeof kit>[0] = {}) => {
  const { control } = await kit(options);
  return (await control('GET', '/openapi.json')).body;
};

/** Every value of a key anywhere in a document. */
function* every(node: unknown, key: string): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === key) yield value;
    yield* every(value, key);
  }
}

/** The descriptions of a schema's members, by their place, of a schema as JSON. */
const descriptions = (node: unknown, at = ''): string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([name, value]) =>
        name === 'description' && typeof value === 'string'
          ? [`${at}: ${value}`]
          : descriptions(value, `${at}/${name}`),
      );

/** What is said of a member once it stands for one side of a payment. */
const ONE_SIDE = /\b(?:arrives?|leaves?|pays?|payer|sends?|sender|receives?|receiver|collected|comes|goes)\b/i;

describe('shared shapes', () => {
  test('a shared shape has the same descriptions wherever it is used (G9)', () => {
    const said = new Map<string, Set<string>>();
    const note = (id: string, made: object) =>
      said.set(id, (said.get(id) ?? new Set()).add(descriptions(made).sort().join('; ')));
    const shapes = [
      ...OPERATIONS.flatMap(({ body, query, replies }) => [body, query, ...Object.values(replies)]),
      ...EVENTS.map(({ data }) => data),
    ];
    for (const shape of shapes) {
      if (!shape) continue;
      const { $defs = {}, id, ...top } = z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' });
      for (const [name, made] of Object.entries($defs)) note(name, made);
      if (typeof id === 'string') note(id, top);
    }
    expect(said.size).toBeGreaterThan(100);
    expect([...said].filter(([, texts]) => texts.size > 1)).toEqual([]);
  });

  test('a shape for both sides of a payment describes neither side alone (G9)', async () => {
    const { components } = await document();
    const sides = new Map<string, Set<string>>();
    for (const { properties = {} } of Object.values<{ properties?: Record<string, { $ref?: string }> }>(
      components.schemas,
    ))
      for (const side of ['source', 'destination']) {
        const name = properties[side]?.$ref?.split('/').at(-1);
        if (name) sides.set(name, (sides.get(name) ?? new Set()).add(side));
      }
    const shared = [...sides].filter(([, of]) => of.size > 1).map(([name]) => name);
    expect(shared).toContain('InternalAccountReference');
    for (const name of shared)
      expect(
        descriptions(components.schemas[name]).filter((text) => ONE_SIDE.test(text)),
        name,
      ).toEqual([]);
    expect(components.schemas.TransferInRequest.properties.destination.description).toBe('Where the money arrives');
    expect(components.schemas.TransferOutRequest.properties.source.description).toBe('Where the money leaves');
  });
});

describe('the OpenAPI document', () => {
  test('the OpenAPI document has every built operation once, with its declared replies', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe('3.1.0');
    for (const op of OPERATIONS) {
      const described = paths[op.path]?.[op.method.toLowerCase()];
      expect(described?.operationId, op.id).toBe(op.id);
      for (const status of Object.keys(op.replies)) expect(described.responses, op.id).toHaveProperty(status);
      expect('401' in described.responses, op.id).toBe(op.auth !== 'none');
      const inPath = (described.parameters ?? [])
        .filter((p: { in: string }) => p.in === 'path')
        .map((p: { name: string }) => p.name);
      expect(inPath, op.id).toEqual([...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    }
    const ids = [...every(paths, 'operationId')];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(OPERATIONS.length);
  });

  test('the OpenAPI document has every event under webhooks', async () => {
    const { webhooks } = await document();
    expect(Object.keys(webhooks).sort()).toEqual(EVENTS.map((group) => group.name).sort());
  });

  test.each(['spec', 'grid'] as const)(
    'every reference in the OpenAPI document leads to a schema (profile %s)',
    async (profile) => {
      const whole = await document({ profile });
      for (const ref of every(whole, '$ref')) {
        expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
        expect(whole.components.schemas).toHaveProperty(String(ref).split('/').at(-1) as string);
      }
    },
  );

  test.each([
    ['spec', ['PENDING', 'APPROVED', 'REJECTED'], ['IN_PROGRESS', 'RESOLVE_ERRORS']],
    ['grid', ['PENDING', 'APPROVED', 'REJECTED', 'UNVERIFIED', 'HOLD'], [...VERIFICATION_STATUSES]],
  ] as const)(
    'the OpenAPI document lists only statuses and events that can occur (S4, profile %s)',
    async (profile, kyc, verification) => {
      const whole = await document({ profile });
      expect(whole.components.schemas.KycStatus.enum).toEqual(kyc);
      expect(whole.components.schemas.VerificationStatus.enum).toEqual(verification);
      const events = Object.values(whole.webhooks)
        .map((hook) => JSON.stringify(hook))
        .join();
      for (const type of PROFILES[profile].absent['events'] ?? []) expect(events).not.toContain(`"${type}"`);
    },
  );

  test('the OpenAPI document is served at the root too, and names the address of the API as its server', async () => {
    const { host, control } = await kit();
    const whole = await document();
    const root = await host.fetch(new Request('http://127.0.0.1:4010/openapi.json'));
    expect([root.status, await root.json()]).toEqual([200, whole]);
    expect((await control('GET', '/openapi.json')).body.servers).toEqual([
      { url: `http://127.0.0.1:4010${host.basePath}` },
    ]);
  });
});
