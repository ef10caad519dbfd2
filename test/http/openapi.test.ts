import { describe, expect, test } from 'vitest';
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

describe('the OpenAPI document', () => {
  test('has every built operation once, with its declared answers', async () => {
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

  test('has every event under webhooks', async () => {
    const { webhooks } = await document();
    expect(Object.keys(webhooks).sort()).toEqual(EVENTS.map((group) => group.name).sort());
  });

  test.each(['spec', 'grid'] as const)('every reference leads somewhere (profile %s)', async (profile) => {
    const whole = await document({ profile });
    for (const ref of every(whole, '$ref')) {
      expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(whole.components.schemas).toHaveProperty(String(ref).split('/').at(-1) as string);
    }
  });

  test.each([
    ['spec', ['PENDING', 'APPROVED', 'REJECTED'], ['IN_PROGRESS', 'RESOLVE_ERRORS']],
    ['grid', ['PENDING', 'APPROVED', 'REJECTED', 'UNVERIFIED', 'HOLD'], [...VERIFICATION_STATUSES]],
  ] as const)('lists what can occur only (S4, profile %s)', async (profile, kyc, verification) => {
    const whole = await document({ profile });
    expect(whole.components.schemas.KycStatus.enum).toEqual(kyc);
    expect(whole.components.schemas.VerificationStatus.enum).toEqual(verification);
    const events = Object.values(whole.webhooks)
      .map((hook) => JSON.stringify(hook))
      .join();
    for (const type of PROFILES[profile].absent['events'] ?? []) expect(events).not.toContain(`"${type}"`);
  });

  test('is served at the root too, and names where the API answers', async () => {
    const { sandbox, host } = await kit();
    expect(sandbox.id).toBe('test');
    expect((await document()).servers).toEqual([{ url: `http://127.0.0.1:4010${host.basePath}` }]);
  });
});
