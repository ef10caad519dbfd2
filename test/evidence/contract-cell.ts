import { BEYOND, BEYOND_REQUESTS } from '../kit/beyond-contract.ts';
import { CONTRACT, type ContractShape } from '../kit/contract.ts';

/** What a shape says, counted over everything in it once. */
interface Extent {
  members: number;
  /** Members with a list of values. */
  enums: number;
  /** Members by format. */
  formats: Record<string, number>;
}

const NAMED = '#/$defs/';

/** Counts what some shapes and those that they name say, each named shape once; `named` gathers the names. */
function extentOf(shapes: readonly ContractShape[], named: Set<string>): Extent {
  const extent: Extent = { members: 0, enums: 0, formats: {} };
  const visit = (shape: ContractShape): void => {
    if (shape.$ref !== undefined) {
      const name = shape.$ref.slice(NAMED.length);
      if (named.has(name)) return;
      named.add(name);
      visit(CONTRACT.$defs[name] as ContractShape);
    }
    const { format } = shape as { format?: string };
    if (shape.enum) extent.enums += 1;
    if (format !== undefined) extent.formats[format] = (extent.formats[format] ?? 0) + 1;
    for (const member of Object.values(shape.properties ?? {})) {
      extent.members += 1;
      visit(member);
    }
    if (shape.items) visit(shape.items);
    for (const part of [...(shape.oneOf ?? []), ...(shape.anyOf ?? [])]) visit(part);
    if (typeof shape.additionalProperties === 'object') visit(shape.additionalProperties);
  };
  for (const shape of shapes) visit(shape);
  const formats = Object.entries(extent.formats).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...extent, formats: Object.fromEntries(formats) };
}

/** Returns what the public contract declares of an operation, and the rows of docs/profiles.md where its shapes differ here. */
export function contractCell(id: string) {
  const declared = CONTRACT.operations[id];
  if (!declared) throw new Error(`the public contract has no ${id}`);
  const { query, headers, body, replies } = declared;
  const named = new Set<string>();
  const successes = Object.entries(replies).filter(([status]) => Number(status) < 400);
  const reply = extentOf(
    successes.flatMap(([, shape]) => shape ?? []),
    named,
  );
  const asked = [...Object.values(query), ...Object.values(headers), ...(body ? [body.shape] : [])];
  const request = extentOf(asked, named);
  request.members += Object.keys(query).length + Object.keys(headers).length;
  const differs = [
    ...BEYOND.filter(({ shapes }) => shapes.some((name) => named.has(name))),
    ...BEYOND_REQUESTS.filter(({ operations }) => operations.includes(id)),
  ];
  return {
    request: asked.length > 0 ? request : 'it takes no query, header or body',
    reply: reply.members > 0 ? reply : 'its success has no body',
    differs: differs.length > 0 ? [...new Set(differs.map(({ row }) => row))].sort() : 'in nothing',
  };
}
