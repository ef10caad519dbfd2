/** The parts of a JSON schema that an outline reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** The most choices that are shown whole; of more, only the names. */
const FEW = 3;
/** The most values of an enumeration that are shown. */
const VALUES = 30;

const choicesOf = ({ oneOf, anyOf }: Schema): readonly Schema[] => oneOf ?? anyOf ?? [];

/** Returns the name that distinguishes a choice: the value of its fixed member, otherwise its title or its type. */
function nameOf(schema: Schema): string {
  const fixed = Object.values(schema.properties ?? {}).find((member) => member.const !== undefined);
  return String(fixed?.const ?? schema.const ?? schema.title ?? schema.type ?? 'any');
}

function inWords({ type, description, const: fixed, enum: values, examples }: Schema): string {
  if (fixed !== undefined) return JSON.stringify(fixed);
  const more = values && values.length > VALUES ? ` | … ${values.length - VALUES} more` : '';
  const what = values ? `${values.slice(0, VALUES).join(' | ')}${more}` : [type ?? 'any'].flat().join(' | ');
  const example = examples?.[0] === undefined ? '' : ` e.g. ${JSON.stringify(examples[0])}`;
  return `${what}${example}${description ? ` (${description})` : ''}`;
}

/** Returns a schema in outline: members by name, `?` if they are optional, values in words. */
export function outline(schema: Schema, depth = 5): unknown {
  const choices = choicesOf(schema);
  if (choices.length > FEW) return `one of: ${choices.map(nameOf).join(', ')}`;
  if (choices.length > 0)
    return choices.length === 1
      ? outline(choices[0] as Schema, depth)
      : { oneOf: choices.map((one) => outline(one, depth - 1)) };
  if (schema.items) return depth <= 0 ? '[…]' : [outline(schema.items, depth - 1)];
  if (!schema.properties) return inWords(schema);
  if (depth <= 0) return `{ ${Object.keys(schema.properties).join(', ')} }`;
  const required = new Set(schema.required ?? []);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [
      required.has(name) ? name : `${name}?`,
      outline(member, depth - 1),
    ]),
  );
}

/**
 * Returns the schema at a path of members and names of choices, such as `accountInfo.EUR_ACCOUNT`; the path skips list
 * levels.
 */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  if (schema.items) return schemaAt(schema.items, path);
  const member = schema.properties?.[step];
  if (member) return schemaAt(member, rest);
  const choices = choicesOf(schema);
  const chosen = choices.find((one) => nameOf(one) === step);
  if (chosen) return schemaAt(chosen, rest);
  for (const one of choices) {
    const found = schemaAt(one, path);
    if (found) return found;
  }
  return undefined;
}

/** Returns the names with which a path can go on from a schema. */
export function stepsFrom(schema: Schema): string[] {
  if (schema.items) return stepsFrom(schema.items);
  return schema.properties ? Object.keys(schema.properties) : choicesOf(schema).map(nameOf);
}
