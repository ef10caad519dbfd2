/** The part of JSON Schema that the shapes of the contract use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  description?: string;
  format?: string;
  /** The type in TypeScript, if JSON Schema cannot express it. */
  tsType?: string;
  /** The name under which the type is declared, for one that is used more than once and is not a component. */
  tsName?: string;
  /** The type of the further members of an object that is open in JSON Schema. */
  tsRest?: string;
}

/** Keywords that decide on the type, and those that only narrow its values. */
const KNOWN = new Set(
  `$ref type const enum anyOf oneOf items properties required additionalProperties propertyNames description format
  tsType tsName tsRest title default examples readOnly writeOnly pattern minimum maximum exclusiveMinimum minLength maxLength minItems maxItems`.split(
    /\s+/,
  ),
);

/** The state of a schema's conversion. */
export interface Writing {
  /**
   * True if users create such values, rather than receive them: lists may be readonly, and members explicitly
   * undefined.
   */
  readonly taken: boolean;
  /** Returns the type for a reference. */
  readonly named: (ref: string) => string;
  /** Declarations of the types with a `tsName`, by name; filled while types are written. */
  readonly aside: Map<string, string>;
}

/**
 * Returns a JSON schema as a type of TypeScript, with its members' descriptions. Throws for a keyword that it cannot
 * convert.
 */
export function typeOf(schema: Schema, writing: Writing, pad = ''): string {
  for (const keyword of Object.keys(schema))
    if (!KNOWN.has(keyword)) throw new Error(`no type is known for ${keyword}: ${JSON.stringify(schema)}`);
  const inner = (part: Schema): string => typeOf(part, writing, pad);
  const { tsName, ...unnamed } = schema;
  if (tsName !== undefined) {
    const type = typeOf({ ...unnamed, description: '' }, writing);
    writing.aside.set(tsName, `\n${comment(schema.description)}export type ${tsName} = ${type};\n`);
    return tsName;
  }
  if (schema.tsType !== undefined) return schema.tsType;
  if (schema.$ref !== undefined) {
    const name = writing.named(schema.$ref);
    return schema.properties ? `${name} & ${objectOf(schema, writing, pad)}` : name;
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map(inner))].join(' | ');
  const { type } = schema;
  if (typeof type === 'object') return type.map((one) => inner({ ...schema, type: one })).join(' | ');
  switch (type) {
    case 'array':
      return `${writing.taken ? 'readonly ' : ''}${grouped(inner(schema.items ?? {}))}[]`;
    case 'object':
      return objectOf(schema, writing, pad);
    case 'integer':
      return 'number';
    case 'string':
      return schema.format === 'binary' ? 'FilePart' : 'string';
    default:
      return type ?? 'unknown';
  }
}

/** Returns a description as a comment in front of its subject; empty without one. */
export function comment(text: string | undefined, pad = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\u200b/').split('\n');
  if (lines.length === 1) return `${pad}/** ${lines[0]} */\n`;
  return `${pad}/**\n${lines.map((line) => `${pad} * ${line}`.trimEnd()).join('\n')}\n${pad} */\n`;
}

/** Returns the name of a member, in quotes if necessary. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** Returns a value as a type. */
export const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

const grouped = (type: string): string => (/ [|&] /.test(type) ? `(${type})` : type);

function objectOf(schema: Schema, writing: Writing, pad: string): string {
  const { properties = {}, required = [], propertyNames: names, tsRest } = schema;
  const rest = tsRest === undefined ? schema.additionalProperties : false;
  const members = Object.entries(properties);
  const further = typeof rest === 'object' ? typeOf(rest, writing, pad) : 'unknown';
  if (members.length === 0) {
    if (names?.enum)
      return `{ [name in ${typeOf(names, writing)}]?: ${further}${writing.taken ? ' | undefined' : ''} }`;
    return `{ [name: string]: ${rest === false ? 'never' : further} }`;
  }
  const deeper = `${pad}  `;
  const lines = members.map(([name, member]) => {
    const isRequired = required.includes(name);
    const open = !isRequired && writing.taken ? ' | undefined' : '';
    return `${comment(member.description, deeper)}${deeper}${key(name)}${isRequired ? '' : '?'}: ${typeOf(member, writing, deeper)}${open};\n`;
  });
  if (rest !== undefined && rest !== false) lines.push(`${deeper}[name: string]: ${further};\n`);
  return `{\n${lines.join('')}${pad}}${tsRest === undefined ? '' : ` & ${tsRest}`}`;
}
