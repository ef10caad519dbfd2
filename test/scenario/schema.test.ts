import { describe, expect, test } from 'vitest';
import { scenarioJsonSchema } from '../../src/scenario/publish.ts';

interface Node {
  description?: string;
  pattern?: string;
  $ref?: string;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
}

const SCHEMA = scenarioJsonSchema() as Node & { $defs?: Record<string, Node> };

/** Every property that the schema names, with the path to it. */
function* properties(node: Node, path = ''): Generator<readonly [path: string, node: Node]> {
  const whole = node.$ref ? (SCHEMA.$defs?.[node.$ref.split('/').at(-1) ?? ''] ?? node) : node;
  for (const [name, member] of Object.entries(whole.properties ?? {})) {
    yield [`${path}${name}`, member];
    yield* properties(member, `${path}${name}.`);
  }
  for (const part of [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.items ? [whole.items] : [])])
    yield* properties(part, path);
  if (typeof whole.additionalProperties === 'object') yield* properties(whole.additionalProperties, `${path}*.`);
}

describe('the JSON schema of a scenario, as editors read it', () => {
  test('every property has a description (U20)', () => {
    const all = [...properties(SCHEMA)];
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  });

  test('a policy that no start would take is refused by the pattern of the schema, too (U20, U15)', () => {
    const kinds = [...properties(SCHEMA)].filter(([path]) => path.startsWith('policies.'));
    expect(kinds.length).toBeGreaterThan(10);
    for (const [, { pattern = '' }] of kinds) {
      const taken = (text: string) => new RegExp(pattern).test(text);
      expect(['at once', 'hold', 'after 2s', 'after PT2S', 'after 1h30m', 'after 500ms'].every(taken)).toBe(true);
      expect(['later', 'after', 'after 2', 'after two hours', 'now', '', 'at once '].some(taken)).toBe(false);
    }
  });
});
