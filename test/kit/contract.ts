import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { PROFILES, type Profile, render } from '../../src/contract/profile.ts';
import contract from '../contract/public.json' with { type: 'json' };
import { BEYOND } from './beyond-contract.ts';

const { grid } = PROFILES;

/** A shape of the public contract: JSON Schema without texts, as `tools/contract.mjs` writes it down. */
export interface ContractShape {
  $ref?: string;
  title?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, ContractShape>;
  required?: string[];
  items?: ContractShape;
  oneOf?: ContractShape[];
  anyOf?: ContractShape[];
  additionalProperties?: ContractShape | boolean;
}

interface Contract {
  operations: Readonly<
    Record<
      string,
      {
        method: string;
        path: string;
        query: Readonly<Record<string, ContractShape>>;
        headers: Readonly<Record<string, ContractShape>>;
        body?: { required: boolean; type: string; shape: ContractShape };
        replies: Readonly<Record<string, ContractShape | null>>;
      }
    >
  >;
  /** What each type of event is sent with. */
  events: Readonly<Record<string, ContractShape>>;
  $defs: Readonly<Record<string, ContractShape>>;
}

/** The public contract, as data. */
export const CONTRACT = contract as unknown as Contract;

/** What stands for a member of which the contract says nothing. */
export const UNDECLARED: ContractShape = { title: 'undeclared' };

/** A named shape with what is beyond it here. */
export function withBeyond(shape: ContractShape, name: string, profile: Profile['name']): ContractShape {
  const more = BEYOND.filter(({ shapes, only = profile }) => shapes.includes(name) && only === profile);
  if (more.length === 0) return shape;
  const instead = more.find((beyond) => beyond.instead)?.instead;
  if (instead) return { $ref: `#/$defs/${instead}` };
  const properties = { ...shape.properties };
  let { required = [] } = shape;
  for (const one of more) {
    const { members = [], optional = [], fractions = [], values = {}, never = [], neverValues = {} } = one;
    for (const member of members) properties[member] = UNDECLARED;
    for (const member of never) delete properties[member];
    for (const member of fractions) properties[member] = { ...properties[member], type: 'number' };
    for (const [member, besides] of Object.entries(values))
      properties[member] = { ...properties[member], enum: [...(properties[member]?.enum ?? []), ...besides] };
    for (const [member, missing] of Object.entries(neverValues))
      properties[member] = {
        ...properties[member],
        enum: properties[member]?.enum?.filter((value) => !missing.includes(String(value))) ?? [],
      };
    required = [...new Set([...required.filter((member) => !optional.includes(member)), ...(one.required ?? [])])];
  }
  return { ...shape, properties, required };
}

/** Returns a shape that has no members but those it declares; one that says it is open stays so. */
function closed(shape: ContractShape): ContractShape {
  const { properties, items, oneOf, anyOf } = shape;
  return {
    ...shape,
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, closed(value)])),
          additionalProperties: shape.additionalProperties ?? false,
        }
      : {}),
    ...(items ? { items: closed(items) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(closed) } : {}),
    // Alternatives of what is required are not shapes of their own.
    ...(anyOf && !anyOf.some((part) => part.required) ? { anyOf: anyOf.map(closed) } : {}),
  };
}

/** What checks values of a profile against the contract: number formats and all others are checked, and objects closed. */
class Checker {
  readonly #ajv = new Ajv2020({ strict: false, discriminator: true, validateSchema: false, inlineRefs: false });
  readonly #compiled = new Map<ContractShape, ValidateFunction>();

  constructor(profile: Profile['name']) {
    formats.default(this.#ajv);
    const shapes = Object.entries(CONTRACT.$defs);
    const $defs = Object.fromEntries(shapes.map(([name, shape]) => [name, closed(withBeyond(shape, name, profile))]));
    this.#ajv.addSchema({ $id: 'contract', $defs });
  }

  /** Says what of a value a shape does not allow; nothing when it fits. */
  wrongWith(shape: ContractShape, value: unknown): string | undefined {
    let check = this.#compiled.get(shape);
    if (!check) {
      check = this.#ajv.compile(JSON.parse(JSON.stringify(closed(shape)).replaceAll('"#/$defs/', '"contract#/$defs/')));
      this.#compiled.set(shape, check);
    }
    if (check(value)) return undefined;
    const { errors = [] } = check;
    return errors
      ?.map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
      .join('; ');
  }
}

const checkers = new Map<Profile, Checker>();

/** Says what of a value a shape of the contract does not allow, in the profile whose rules made it; nothing when it fits. */
export function wrongWith(shape: ContractShape, value: unknown, profile: Profile = grid): string | undefined {
  let checker = checkers.get(profile);
  if (!checker) checkers.set(profile, (checker = new Checker(profile.name)));
  return checker.wrongWith(shape, value);
}

/** The value in the names of the public contract: names are exchanged at the edge only, so this is what `grid` sends. */
const inPublicNames = (profile: Profile, value: unknown): unknown =>
  profile.name === 'grid' ? value : JSON.parse(render(grid, value));

/** The shape of a refusal of this status that no operation narrows. */
const refusalOf = (status: number): ContractShape | undefined =>
  `Error${status}` in CONTRACT.$defs ? { $ref: `#/$defs/Error${status}` } : undefined;

/** Returns whether the contract has a shape for a reply, so that one without a difference says something. */
export const isHeldByContract = (operationId: string, status: number): boolean =>
  CONTRACT.operations[operationId]?.replies[status] !== undefined ||
  (operationId in CONTRACT.operations && refusalOf(status) !== undefined);

/** Says how a reply of an operation differs from the public contract; nothing when it is as the contract says. */
export function replyBeyondContract(
  profile: Profile,
  operationId: string,
  status: number,
  body: unknown,
): string | undefined {
  const replies = CONTRACT.operations[operationId]?.replies;
  // Tests add operations and events of their own; that no other is missing is a test beside the list of them.
  if (!replies) return undefined;
  const shape = replies[status] === undefined ? refusalOf(status) : replies[status];
  if (shape === null) return body === undefined ? undefined : 'the contract has no body here';
  // A status that the contract lacks is a row of docs/profiles.md, and the test of that page knows which.
  if (!shape) return undefined;
  return body === undefined ? 'no JSON' : wrongWith(shape, inPublicNames(profile, body), profile);
}

/** Says how the body of an event differs from the public contract; nothing when it is as the contract says. */
export function eventBeyondContract(profile: Profile, event: { type: string }): string | undefined {
  if (grid.absent['events']?.includes(event.type)) return undefined;
  const shape = CONTRACT.events[event.type];
  return shape && wrongWith(shape, inPublicNames(profile, event), profile);
}
