import { describe, expect, test } from 'vitest';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { catalogueOf, type Document } from '../../src/http/catalogue.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { comment, type Schema, typeOf } from '../../src/http/typescript.ts';
import { scenarioJsonSchema, scenarioTypes } from '../../src/scenario/publish.ts';

const aside = new Map<string, string>();
const given = (schema: Schema) =>
  typeOf(schema, { taken: false, named: (ref) => ref.split('/').at(-1) as string, aside });
const taken = (schema: Schema) => typeOf(schema, { taken: true, named: (ref) => ref, aside });

describe('a JSON schema as a type', () => {
  test.each<[string, Schema, string]>([
    ['text', { type: 'string', format: 'email', description: 'where' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['a constant', { type: 'string', const: "it's" }, "'it\\'s'"],
    ['an enumeration', { enum: ['A', 2, null] }, "'A' | 2 | null"],
    ['a type or null', { type: ['string', 'null'] }, 'string | null'],
    ['alternatives', { oneOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'string | null'],
    ['a list of an enumeration', { type: 'array', items: { enum: ['A', 'B'] } }, "('A' | 'B')[]"],
    ['a reference', { $ref: '#/components/schemas/Card' }, 'Card'],
    ['anything', {}, 'unknown'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    ['an object with no member', { type: 'object', additionalProperties: false }, '{ [name: string]: never }'],
    [
      'a map with known names',
      { type: 'object', propertyNames: { enum: ['USD', 'EUR'] }, additionalProperties: { type: 'number' } },
      "{ [name in 'USD' | 'EUR']?: number }",
    ],
    [
      'required and optional members with descriptions',
      { type: 'object', properties: { id: { type: 'string', description: 'Its id' }, 'a-b': {} }, required: ['id'] },
      "{\n  /** Its id */\n  id: string;\n  'a-b'?: unknown;\n}",
    ],
    [
      'an open object',
      { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: {} },
      '{\n  id?: string;\n  [name: string]: unknown;\n}',
    ],
    [
      'a form',
      { $ref: 'Form', properties: { file: { format: 'binary', type: 'string' } } },
      'Form & {\n  file?: FilePart;\n}',
    ],
  ])('a JSON schema for %s becomes the matching TypeScript type', (_, schema, type) => {
    expect(given(schema)).toBe(type);
  });

  test('the type of an argument accepts a readonly list and an undefined member', () => {
    const schema: Schema = { type: 'object', properties: { ids: { type: 'array', items: { type: 'string' } } } };
    expect(taken(schema)).toBe('{\n  ids?: readonly string[] | undefined;\n}');
  });

  test('a schema with its own name is declared as a separate type', () => {
    expect(given({ tsName: 'Policy', enum: ['hold'], description: 'When' })).toBe('Policy');
    expect(aside.get('Policy')).toBe("\n/** When */\nexport type Policy = 'hold';\n");
  });

  test('a schema keyword without a known type is refused, so that a new one is not overlooked', () => {
    expect(() => given({ allOf: [{}] } as Schema)).toThrow('no type is known for allOf');
  });

  test('a description cannot end the comment that holds it', () => {
    expect(comment('a */ b')).toBe('/** a *\u200b/ b */\n');
    expect(comment('a\nb', '  ')).toBe('  /**\n   * a\n   * b\n   */\n');
  });
});

describe('the types of programs', () => {
  const documentOf = (name: 'spec' | 'grid') => openApiDocument(PROFILES[name], []) as unknown as Document;
  const scenario = scenarioTypes() as unknown as { $defs: Record<string, Schema> };
  const files = catalogueOf({ spec: documentOf('spec'), grid: documentOf('grid'), scenario });
  const [spec = '', grid = ''] = [files['catalogue.d.ts'], files['grid.d.ts']];

  test('the types of profile spec have every operation, and every event of the profile', () => {
    expect(OPERATIONS.filter(({ id }) => !spec.includes(`\n\t${id}: {\n\t\tinput: {`))).toEqual([]);
    const absent = PROFILES.spec.absent['events'] ?? [];
    const types = EVENTS.flatMap((group) => group.types).filter((type) => !absent.includes(type));
    const told = (type: string) => spec.includes(`\n\t${type.includes('.') ? `'${type}'` : type}: `);
    expect(types.filter((type) => !told(type))).toEqual([]);
    expect(absent.filter(told)).toEqual([]);
  });

  test('the types of profile grid declare only what differs from profile spec', () => {
    expect(grid).toContain("\n\t'VERIFICATION.APPROVED': Verification;\n");
    expect(grid).toContain("'Grid-Wallet-Signature'?: string | undefined;");
    expect(grid).toContain('export interface Refusals extends Omit<SpecRefusals, 500> {\n\t500: Error500;\n}');
    expect(grid).not.toContain('\tgetPlatformConfig: {');
  });

  test('the type of an event names the shape of its data where several are possible', () => {
    const shapes = documentOf('spec').components.schemas;
    const kinds = EVENTS.flatMap((group) => Object.values(group.kinds ?? {}));
    expect([...new Set(kinds)].filter((name) => !(name in shapes))).toEqual([]);
    expect(spec).toContain("\n\t'CUSTOMER.KYB_APPROVED': BusinessCustomer;\n");
  });

  test('the types of scenarios use hints that their JSON schema for editors leaves out', () => {
    expect(JSON.stringify(scenarioTypes())).toMatch(/"ts(?:Type|Name|Rest)"/);
    expect(JSON.stringify(scenarioJsonSchema())).not.toMatch(/"ts(?:Type|Name|Rest)"/);
    expect(spec).toMatch(/\nexport type Policy = 'at once' \| 'hold' \| `after \$\{string\}`;\n/);
  });
});
