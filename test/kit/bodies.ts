import { BEYOND_REQUESTS, type BeyondRequest } from './beyond-contract.ts';
import { CONTRACT, type ContractShape, withBeyond } from './contract.ts';

/** What a reference of OpenAPI begins with. */
export const REF = '#/components/schemas/';

/** The bodies and the named shapes of a document, as far as types follow from them. */
export interface Bodies {
  /** Bodies by what they are: `createQuote takes`, `createQuote answers 201`, `event CUSTOMER.KYC_APPROVED`. */
  readonly bodies: Record<string, ContractShape>;
  readonly schemas: Record<string, ContractShape>;
}

interface Content {
  content?: Readonly<Record<string, { schema: ContractShape }>>;
}

interface OpenApi {
  paths: Readonly<
    Record<string, Record<string, { operationId: string; requestBody?: Content; responses: Record<string, Content> }>>
  >;
  webhooks: Readonly<Record<string, { post: { requestBody: Content } }>>;
  components: { schemas: Record<string, ContractShape> };
}

const shapeOf = ({ content }: Content): ContractShape | undefined => Object.values(content ?? {})[0]?.schema;

/** What an event is sent with: a type of its own, and data; `type` names the one that is meant where a schema lists several. */
const eventOf = (shape: ContractShape, type: string): ContractShape => ({
  ...shape,
  properties: { ...shape.properties, type: { enum: [type] } },
});

/** The bodies of an OpenAPI document. */
function bodiesOf(document: object): Bodies {
  const { paths, webhooks, components } = JSON.parse(JSON.stringify(document)) as OpenApi;
  const bodies: Record<string, ContractShape> = {};
  for (const { operationId, requestBody, responses } of Object.values(paths).flatMap((item) => Object.values(item))) {
    const sent = requestBody && shapeOf(requestBody);
    if (sent) bodies[`${operationId} takes`] = sent;
    for (const [status, reply] of Object.entries(responses)) {
      const shape = shapeOf(reply);
      if (shape) bodies[`${operationId} answers ${status}`] = shape;
    }
  }
  for (const { post } of Object.values(webhooks)) {
    const shape = shapeOf(post.requestBody);
    for (const type of shape?.properties?.['type']?.enum ?? [])
      bodies[`event ${type}`] = eventOf(shape as ContractShape, String(type));
  }
  return { bodies, schemas: components.schemas };
}

/** The bodies of the public contract. */
function bodiesOfContract(): Bodies {
  const known = Object.entries(CONTRACT.$defs).map(([name, shape]) => [name, withBeyond(shape, name, 'grid')]);
  const { operations, events, $defs } = JSON.parse(
    JSON.stringify({ ...CONTRACT, $defs: Object.fromEntries(known) }).replaceAll('"#/$defs/', `"${REF}`),
  ) as typeof CONTRACT;
  const bodies: Record<string, ContractShape> = {};
  for (const [id, { body, replies }] of Object.entries(operations)) {
    if (body) bodies[`${id} takes`] = body.shape;
    for (const [status, shape] of Object.entries(replies)) if (shape) bodies[`${id} answers ${status}`] = shape;
  }
  for (const [type, shape] of Object.entries(events))
    bodies[`event ${type}`] = eventOf($defs[(shape.$ref ?? '').slice(REF.length)] ?? shape, type);
  return { bodies, schemas: $defs };
}

/** A schema without references. */
function inlined(node: ContractShape, schemas: Bodies['schemas']): ContractShape {
  return JSON.parse(
    JSON.stringify(node, (_, value) =>
      typeof value?.$ref === 'string' ? { ...value, ...schemas[value.$ref.slice(REF.length)], $ref: undefined } : value,
    ),
  );
}

/** Every part of a shape, itself the first. */
function* partsOf(node: unknown): Generator<ContractShape> {
  if (typeof node !== 'object' || node === null) return;
  yield node as ContractShape;
  for (const value of Object.values(node)) yield* partsOf(value);
}

const alternatives = ({ oneOf, anyOf }: ContractShape): ContractShape[] | undefined => oneOf ?? anyOf;

/** Takes `null` away wherever a shape allows it, and says how often it did. */
function withoutNulls(shape: ContractShape): number {
  let taken = 0;
  for (const part of partsOf(shape)) {
    const either = alternatives(part);
    const rest = either?.filter(({ type }) => type !== 'null');
    if (either && rest && rest.length < either.length) {
      taken += 1;
      const [only] = rest;
      const { oneOf: _, anyOf: __, ...own } = part;
      for (const key of Object.keys(part)) delete part[key as keyof ContractShape];
      Object.assign(part, own, rest.length === 1 ? only : { oneOf: rest });
    }
    if (Array.isArray(part.type) && part.type.includes('null')) {
      taken += 1;
      part.type = part.type.filter((type) => type !== 'null');
    }
  }
  return taken;
}

/** The objects that a way from the body leads to, and the member of them that is meant. */
function placesOf(shape: ContractShape, way: string): { owner: ContractShape; member: string }[] {
  const [head = '', ...rest] = way.split('.');
  return [shape, ...(alternatives(shape) ?? [])].flatMap((owner) => {
    const next = owner.properties?.[head];
    if (!next) return [];
    return rest.length === 0 ? [{ owner, member: head }] : placesOf(next.items ?? next, rest.join('.'));
  });
}

/** One object with the members of all alternatives; required is what all of them require. */
function mergedOf(shape: ContractShape): ContractShape {
  const either = alternatives(shape) ?? [];
  const properties: Record<string, ContractShape> = {};
  for (const { properties: more = {} } of either)
    for (const [name, member] of Object.entries(more)) {
      const known = properties[name];
      properties[name] = known?.enum && member.enum ? { enum: [...new Set([...known.enum, ...member.enum])] } : member;
    }
  const required = Object.keys(properties).filter((name) => either.every((one) => one.required?.includes(name)));
  return { type: 'object', properties, required };
}

/** What the contract would say of a request if it said what is beyond it here. Throws for what would change nothing. */
function asContract(ours: Bodies, theirs: Bodies, { operations, row, ...beyond }: BeyondRequest): void {
  for (const id of operations) {
    const name = `${id} takes`;
    const changes = (changed: boolean): void => {
      if (!changed) throw new Error(`${name}: nothing is beyond the contract any more of the row ${row}`);
    };
    const shape = inlined(ours.bodies[name] ?? {}, ours.schemas);
    if (beyond.merged) {
      const declared = inlined(theirs.bodies[name] ?? {}, theirs.schemas);
      changes(alternatives(declared) !== undefined && alternatives(shape) === undefined);
      theirs.bodies[name] = mergedOf(declared);
    }
    if (beyond.nulls) changes(withoutNulls(shape) > 0);
    const each = (ways: readonly string[] = [], change: (owner: ContractShape, member: string) => boolean): void => {
      for (const way of ways) {
        const places = placesOf(shape, way);
        changes(places.length > 0 && places.every(({ owner, member }) => change(owner, member)));
      }
    };
    each(beyond.members, ({ properties }, member) => delete properties?.[member]);
    each(beyond.optional, (owner, member) => {
      const { required = [] } = owner;
      owner.required = [...required, member];
      return !required.includes(member);
    });
    each(beyond.required, (owner, member) => {
      const { required = [] } = owner;
      owner.required = required.filter((one) => one !== member);
      return required.includes(member);
    });
    ours.bodies[name] = shape;
  }
}

/** The bodies of a document, and those of the public contract as it would be with what is beyond it here. */
export function bodiesOfBoth(document: object): { ours: Bodies; theirs: Bodies } {
  const ours = bodiesOf(document);
  const theirs = bodiesOfContract();
  for (const beyond of BEYOND_REQUESTS) asContract(ours, theirs, beyond);
  return { ours, theirs };
}
