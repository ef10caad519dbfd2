import * as z from 'zod';
import { CustomerCreate } from '../areas/customers/index.ts';
import { ExternalAccountCreate } from '../areas/external-accounts/index.ts';
import { definitionOf } from '../contract/shape-check.ts';
import { OF_A_CALL } from './of-a-call.ts';
import { Scenario } from './schema.ts';

type Json = Record<string, unknown>;

const written = (schema: z.ZodType, override: (schema: Json) => void): Json =>
  z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => override(jsonSchema as Json),
  });

/** Keywords that are not of JSON Schema: for types, and for the OpenAPI document. */
const FOREIGN = ['tsType', 'tsName', 'tsRest', 'wire'];

/** Returns the JSON schema of a scenario file, for editors and validators; the build writes it beside the package. */
export function scenarioJsonSchema(): Json {
  const schema = written(whole(), (part) => {
    for (const keyword of FOREIGN) delete part[keyword];
    // A file is refused for an unknown member, at any depth.
    if ('properties' in part) part['additionalProperties'] ??= false;
  });
  const { Scenario: root } = schema['$defs'] as { Scenario: { properties: Record<string, Json> } };
  for (const [list, { own, call }] of Object.entries(OF_A_CALL))
    describe(root.properties[list] as Json, `As in ${call}`, new Set(own), schema['$defs'] as Json);
  shareParts(schema['$defs'] as Json);
  return { $id: 'https://sandbox-emulator.example/scenario.schema.json', ...schema };
}

/**
 * Returns the same schema with keywords for types (`tsType`, `tsName`, `tsRest`); the build derives the types of
 * programs from it.
 */
export const scenarioTypes = (): Json => written(Scenario(), () => {});

/** Returns a built-in scenario with its defaults filled in, so that a start need not build the schema to read it. */
export const parsedScenario = (data: unknown): Scenario => Scenario().parse(data);

type Members = Record<string, z.ZodType>;
const membersOf = (schema: z.ZodType): Members => definitionOf(schema).shape ?? {};

/** Returns the schema of a scenario in which the entries of its lists have every member of their calls. */
function whole(): z.ZodType {
  const { customers, externalAccounts, ...others } = Scenario().shape;
  const [customer, account] = [customers, externalAccounts].map((list) => {
    const { element } = definitionOf(definitionOf(list).innerType as z.ZodType);
    return membersOf(element as z.ZodType);
  }) as [Members, Members];
  const { customerType: _, ...ofCustomer } = customer;
  const { customerId: __, ...ofAccount } = membersOf(ExternalAccountCreate());
  const infos = (definitionOf(ofAccount['accountInfo'] as z.ZodType).options ?? []).map((info) =>
    z.strictObject({ ...membersOf(info), paymentRails: z.array(z.string()).optional() }),
  );
  const kinds = CustomerCreate().options.map((kind) => z.strictObject({ ...membersOf(kind), ...ofCustomer }));
  return z
    .strictObject({
      ...others,
      customers: listOf(z.union(kinds), customers),
      externalAccounts: listOf(
        z.strictObject({ ...ofAccount, ...account, accountInfo: z.union(infos).describe('The account itself') }),
        externalAccounts,
      ),
    })
    .meta({ id: 'Scenario', title: 'sandbox-emulator scenario' });
}

const listOf = (entry: z.ZodType, { description = '' }: z.ZodType): z.ZodType =>
  z.array(entry).default([]).describe(description);

/** Describes the members without a description of their own, except for those that the list itself has. */
function describe(node: Json, text: string, own: ReadonlySet<string>, defs: Json): void {
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
    items,
    $ref,
  } = node as {
    properties?: Record<string, Json>;
    anyOf?: Json[];
    oneOf?: Json[];
    items?: Json;
    $ref?: string;
  };
  for (const [name, member] of Object.entries(properties)) {
    if (own.has(name)) continue;
    member['description'] ??= text;
    describe(member, 'As in the API', NONE, defs);
  }
  const inner = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  const named = $ref === undefined ? undefined : defs[$ref.slice('#/$defs/'.length)];
  for (const each of named ? [...inner, named as Json] : inner) describe(each, text, own, defs);
}

const NONE: ReadonlySet<string> = new Set();

/** The length in characters from which on a part is declared only once: a reference has half as many. */
const LARGE = 50;

/** Declares each large part only once that a schema repeats, as beneficiaries of account types and policies do. */
function shareParts(defs: Json): void {
  const texts = new Map<string, number>();
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (typeof (part as Json)['type'] === 'string') {
      const text = JSON.stringify(part);
      texts.set(text, (texts.get(text) ?? 0) + 1);
    }
    for (const each of Object.values(part)) count(each);
  };
  count(defs);
  const shared = [...texts].flatMap(([text, times]) => (times > 1 && text.length > LARGE ? [text] : []));
  const replace = (part: object): void => {
    for (const [key, each] of Object.entries(part)) {
      if (typeof each !== 'object' || each === null) continue;
      const at = shared.indexOf(JSON.stringify(each));
      if (at >= 0) Object.assign(part, { [key]: { $ref: `#/$defs/s${at + 1}` } });
      else replace(each);
    }
  };
  for (const part of Object.values(defs)) replace(part as object);
  for (const [i, text] of shared.entries()) {
    const part = JSON.parse(text) as object;
    replace(part);
    defs[`s${i + 1}`] = part;
  }
}
