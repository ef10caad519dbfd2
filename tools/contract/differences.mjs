// What one set of facts says and another does not, each as one line that can be triaged.

/** Keywords of a value that are compared as they stand. */
const PLAIN = [
  'type',
  'format',
  'const',
  'pattern',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
];
const SIZES = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'additionalProperties'];

/** Adds the facts of a shape to a map, by place: a line of the map is one thing that a client can rely on. */
function shapeInto(facts, place, shape) {
  if (!shape) return;
  if (shape.$ref) {
    facts.set(`${place}: is`, shape.$ref.split('/').at(-1));
    return;
  }
  for (const keyword of [...PLAIN, ...SIZES])
    if (keyword in shape && typeof shape[keyword] !== 'object')
      facts.set(`${place}: ${keyword}`, String(shape[keyword]));
  for (const word of shape.enum ?? []) facts.set(`${place}: value ${word}`, 'there');
  for (const name of shape.required ?? []) facts.set(`${place}.${name}: required`, 'yes');
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    facts.set(`${place}.${name}: member`, 'there');
    shapeInto(facts, `${place}.${name}`, member);
  }
  if (shape.items) shapeInto(facts, `${place}[]`, shape.items);
  if (typeof shape.additionalProperties === 'object') shapeInto(facts, `${place}.*`, shape.additionalProperties);
  for (const key of ['oneOf', 'anyOf'])
    for (const [index, part] of (shape[key] ?? []).entries()) {
      const name = part.$ref?.split('/').at(-1);
      if (name) facts.set(`${place}: may be ${name}`, 'there');
      else shapeInto(facts, `${place}: choice ${index + 1}`, part);
    }
}

/** Returns the facts of a contract as a map from place to value. */
export function flatFacts({ operations, events, $defs }) {
  const facts = new Map();
  for (const [id, { method, path, query, headers, body, replies }] of Object.entries(operations)) {
    const place = `operation ${id}`;
    facts.set(place, `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    for (const [kind, parameters] of Object.entries({ query, header: headers }))
      for (const [name, { required, ...shape }] of Object.entries(parameters)) {
        facts.set(`${place} ${kind} ${name}: parameter`, required ? 'required' : 'optional');
        shapeInto(facts, `${place} ${kind} ${name}`, shape);
      }
    if (body) {
      facts.set(`${place} body: ${body.type}`, body.required ? 'required' : 'optional');
      shapeInto(facts, `${place} body`, body.shape);
    }
    for (const [status, shape] of Object.entries(replies)) {
      facts.set(`${place} reply ${status}: status`, 'there');
      shapeInto(facts, `${place} reply ${status}`, shape);
    }
  }
  for (const [type, shape] of Object.entries(events)) {
    facts.set(`event ${type}`, 'there');
    shapeInto(facts, `event ${type} data`, shape);
  }
  for (const [name, shape] of Object.entries($defs)) shapeInto(facts, `shape ${name}`, shape);
  return facts;
}

/** Returns what changed between two maps: `+` was added, `-` was dropped, `~` is another. What lies within an added or dropped whole is left out. */
function changesOf(before, after) {
  const lines = [];
  for (const [place, value] of after)
    if (!before.has(place))
      lines.push({ sign: '+', place, line: `+ ${place}${value === 'there' ? '' : ` (${value})`}` });
    else if (before.get(place) !== value)
      lines.push({ sign: '~', place, line: `~ ${place}: ${before.get(place)} -> ${value}` });
  for (const place of before.keys()) if (!after.has(place)) lines.push({ sign: '-', place, line: `- ${place}` });
  const wholes = lines.filter(({ sign, place }) => sign !== '~' && /^(?:operation|event) \S+$|: member$/.test(place));
  const isWithin = ({ sign, place }) =>
    wholes.some((whole) => {
      const root = whole.place.replace(/: member$/, '');
      return (
        whole.sign === sign &&
        whole.place !== place &&
        /^[ .:[]/.test(place.slice(root.length)) &&
        place.startsWith(root)
      );
    });
  return lines.filter((line) => !isWithin(line)).map(({ line }) => line);
}

/** Returns what another contract adds, changes and drops, a line each. `texts` are digests of what is written for people. */
export function differences(before, after) {
  const shapes = changesOf(flatFacts(before.facts), flatFacts(after.facts));
  const changed = (kind, name) =>
    Object.entries(after.texts[name] ?? {})
      .filter(([key, digest]) => key in (before.texts[name] ?? {}) && before.texts[name][key] !== digest)
      .map(([key, digest]) => `~ ${kind} ${key}: its text is another (${digest})`);
  return [
    ...shapes,
    ...changed('operation', 'operations'),
    ...changed('webhook', 'webhooks'),
    ...changed('shape', '$defs'),
  ].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
}
