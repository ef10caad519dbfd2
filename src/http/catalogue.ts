import { STATUS_CODES } from 'node:http';
import { EVENTS } from '../areas.ts';
import { comment, key, literal, type Schema, typeOf, type Writing } from './typescript.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Body {
  required?: boolean;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: Body;
  responses: Readonly<Record<string, Body>>;
}

type Shapes = Readonly<Record<string, Schema>>;

/** The parts of an OpenAPI document from which types follow. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  webhooks: Readonly<Record<string, { post: Described }>>;
  components: { schemas: Shapes };
}

/** The sources of the types of programs: a document for each profile, and the schema of scenarios. */
export interface Sources {
  spec: Document;
  grid: Document;
  scenario: { $defs: Shapes };
}

/** One member of a table, with its comment. */
interface Member {
  name: string;
  text: string;
}

const HEAD = '/* Made by the build from the operations, the events and the schema of scenarios. */\n\n';

/** Returns the types of both profiles, by file name; shared ones are declared once. */
export function catalogueOf({ spec, grid, scenario }: Sources): Record<string, string> {
  const own = edition(grid, spec);
  const words = wordsOf(own);
  const differing = differingIn(spec, grid);
  const shared = Object.keys(spec.components.schemas).filter((name) => !differing.has(name));
  const imported = [...shared, 'OtherError', 'RequestHeaders', 'FilePart'].filter((name) => words.has(name));
  const renamed = Object.keys(TABLES).map((table) => `${table} as Spec${table}`);
  const types = new Set([spec, grid].flatMap((document) => events(document).map(({ name }) => literal(name))));
  return {
    'catalogue.d.ts': indented(
      [
        HEAD,
        edition(spec),
        ASIDE,
        scenarioTypes(scenario.$defs, spec),
        `\n${comment('A type of event, of any profile.')}export type AnyEventType = ${[...types].join(' | ')};\n`,
      ].join(''),
    ),
    'grid.d.ts': indented(
      `${HEAD}import type {\n${[...renamed, ...imported].map((name) => `  ${name},\n`).join('')}} from './catalogue.js';\n\n${own}`,
    ),
  };
}

/** Returns text indented with tabs: these files are a tenth of the package, and people read them in an editor. */
const indented = (text: string): string => text.replaceAll(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));

/** Types for which the document has no shape. */
const ASIDE = `
/** A refusal that no operation declares: a fault's, or one from before any operation. */
export interface OtherError {
  status: number;
  code: string;
  message: string;
  details?: { [name: string]: unknown };
  reason?: string;
}

/** Headers besides those that a call has by itself. */
export interface RequestHeaders {
  [name: string]: string | undefined;
}

/** A file of a form; \`name\` and \`type\` are its file name and its media type. */
export type FilePart = { name?: string; type?: string; text: string } | { name?: string; type?: string; base64: string };
`;

const TABLES: Readonly<Record<string, { about: string; membersOf: (document: Document) => Member[] }>> = {
  Events: { about: 'What each type of event holds.', membersOf: events },
  Refusals: { about: 'What any operation may be refused with, by status.', membersOf: refusals },
  Operations: { about: 'What each operation takes, and answers when it is not refused.', membersOf: operations },
};

/** Returns the types of a profile: its named shapes and its tables; beside another profile, only those that differ. */
function edition(document: Document, beside?: Document): string {
  const taken = takenBy(document);
  const differing = beside && differingIn(beside, document);
  const shapes = Object.entries(document.components.schemas)
    .filter(([name]) => differing?.has(name) ?? true)
    .map(([name, schema]) => declared(name, schema, taken.has(name) ? TAKEN : GIVEN));
  const tables = Object.entries(TABLES).map(([table, { about, membersOf }]) => {
    const before = new Map(beside && membersOf(beside).map(({ name, text }) => [name, text]));
    const isSame = ({ name, text }: Member): boolean =>
      before.get(name) === text && ![...wordsOf(text)].some((word) => differing?.has(word));
    const own = membersOf(document).filter((member) => !isSame(member));
    const same = new Set(
      membersOf(document)
        .filter(isSame)
        .map(({ name }) => name),
    );
    const gone = [...before.keys()].filter((name) => !same.has(name));
    const base = beside ? ` extends Omit<Spec${table}, ${gone.map(quoted).join(' | ')}>` : '';
    return `${comment(about)}export interface ${table}${base} {\n${own.map(({ text }) => text).join('')}}\n`;
  });
  return [...shapes, ...tables].join('\n');
}

/** Returns a key as a type. */
const quoted = (name: string): string => (/^\d+$/.test(name) ? name : literal(name));

/** Returns the names in a text of types, without comments. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(/\w+/g) ?? []);

const nameOf = (ref: string): string => ref.replace(/^#\/(?:components\/schemas|\$defs)\//, '');
const GIVEN: Writing = { taken: false, named: nameOf, aside: new Map() };
const TAKEN: Writing = { ...GIVEN, taken: true };

function declared(name: string, schema: Schema, writing: Writing): string {
  const type = typeOf(schema, writing);
  const isObject = schema.properties !== undefined && schema.$ref === undefined;
  return `${comment(schema.description)}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

/** Returns the schema of a request or reply body; undefined if there is none. */
const schemaOf = (body: Body | undefined): Schema | undefined => Object.values(body?.content ?? {})[0]?.schema;

/** The shape of the data of each type of event, if several are possible. */
const KINDS: Readonly<Record<string, string>> = Object.assign({}, ...EVENTS.map(({ kinds }) => kinds));

function events({ webhooks }: Document): Member[] {
  return Object.values(webhooks).flatMap(({ post }) => {
    const { type, data } = schemaOf(post.requestBody)?.properties ?? {};
    return (type?.enum ?? []).map(String).map((name) => {
      const held = KINDS[name] ?? typeOf(data ?? {}, GIVEN, '  ');
      return { name, text: `${comment(post.summary, '  ')}  ${key(name)}: ${held};\n` };
    });
  });
}

function refusals({ components }: Document): Member[] {
  const statuses = Object.keys(STATUS_CODES).filter((status) => Number(status) >= 400);
  const type = (status: string) => (`Error${status}` in components.schemas ? `Error${status}` : 'OtherError');
  return statuses.map((status) => ({ name: status, text: `  ${status}: ${type(status)};\n` }));
}

function operations({ paths }: Document): Member[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, op]) => {
      const about = [`${op.summary} (\`${method.toUpperCase()} ${path}\`).`, op.description].filter(Boolean);
      const type = `{\n    input: ${inputOf(op)};\n    replies: ${repliesOf(op)};\n  }`;
      const text = `${comment(about.join('\n\n'), '  ')}  ${key(op.operationId)}: ${type};\n`;
      return { name: op.operationId, text };
    }),
  );
}

/** Returns the type of an operation's input: an object, whose parts are optional if nothing in them is required. */
function inputOf({ parameters = [], requestBody }: Described): string {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [part, place] of Object.entries({ params: 'path', query: 'query', headers: 'header' })) {
    // A call adds a required key by itself.
    const those = parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({ ...parameter, required: parameter.required && place !== 'header' }));
    const needed = those.filter((parameter) => parameter.required).map(({ name }) => name);
    const described = those.map(({ name, description, schema }) => [name, { ...schema, description }]);
    const members = { type: 'object', properties: Object.fromEntries(described), required: needed };
    if (needed.length > 0) required.push(part);
    if (place !== 'header' && those.length > 0) properties[part] = members;
    if (place === 'header')
      properties[part] = those.length > 0 ? { ...members, tsRest: 'RequestHeaders' } : { tsType: 'RequestHeaders' };
  }
  const body = schemaOf(requestBody);
  if (body) properties['body'] = body;
  if (body && requestBody?.required) required.push('body');
  return typeOf({ type: 'object', properties, required }, TAKEN, '    ');
}

function repliesOf({ responses }: Described): string {
  const done = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const bodies = done.map(([status, reply]) => {
    const schema = schemaOf(reply);
    return `${status}: ${schema ? typeOf(schema, GIVEN, '    ') : 'null'}`;
  });
  return `{ ${bodies.join('; ')} }`;
}

/** Returns the types of scenarios. One that has the name of a different shape of the API gets a name of its own. */
function scenarioTypes(shapes: Shapes, { components }: Document): string {
  const isSame = (name: string): boolean => JSON.stringify(shapes[name]) === JSON.stringify(components.schemas[name]);
  const named = (ref: string): string => {
    const name = nameOf(ref);
    return name === 'Scenario' || isSame(name) ? name : `Scenario${name}`;
  };
  const aside = new Map<string, string>();
  const own = Object.entries(shapes).filter(([name]) => !isSame(name));
  const text = own.map(([name, schema]) => `\n${declared(named(name), schema, { taken: true, named, aside })}`);
  return [...text, ...aside.values()].join('');
}

/** Returns every shape that is referred to, directly or through others. */
function reached(from: unknown, shapes: Shapes, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(from) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g))
    if (!found.has(name)) reached(shapes[name], shapes, found.add(name));
  return found;
}

/** Returns the shapes that a caller sends. */
function takenBy({ paths, components }: Document): ReadonlySet<string> {
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  const sent = described.map(({ requestBody, parameters }) => [requestBody, parameters]);
  return reached(sent, components.schemas);
}

/** Returns the shapes of a document that differ in another one, or refer to one that does. */
function differingIn(other: Document, { components: { schemas } }: Document): ReadonlySet<string> {
  const isOwn = (name: string) => JSON.stringify(other.components.schemas[name]) !== JSON.stringify(schemas[name]);
  const differs = (name: string) => isOwn(name) || [...reached(schemas[name], schemas)].some(isOwn);
  return new Set(Object.keys(schemas).filter(differs));
}
