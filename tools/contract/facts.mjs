// What a description of the contract says of shapes, as data: types, formats, bounds, enums, what is required, by operation,
// status and event. No text of the description is kept.
import { isDeepStrictEqual } from 'node:util';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Keywords that say something of a value; all others are for people. */
const FACTS = new Set(
  `type format enum const pattern minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems
  minProperties required default`.split(/\s+/),
);

/** Returns the facts of a description in OpenAPI: operations and events by name, and the shapes that they refer to. */
export function factsOf(document) {
  const shapes = {};

  const at = (ref) =>
    ref
      .slice(2)
      .split('/')
      .reduce((node, key) => node[key], document);
  const nameOf = (ref) => ref.split('/').at(-1);
  const resolved = (node) => (node?.$ref ? resolved(at(node.$ref)) : node);

  /** A shape under its name, written down once. */
  function named(ref) {
    const name = nameOf(ref);
    if (!(name in shapes)) {
      shapes[name] = null;
      shapes[name] = shapeOf(at(ref));
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** A schema without what is said for people; the parts of an object are put together. */
  function shapeOf(schema) {
    if (schema.$ref) return named(schema.$ref);
    if (schema.allOf) return merged(schema);
    const shape = {};
    for (const [key, value] of Object.entries(schema)) if (FACTS.has(key)) shape[key] = value;
    if (schema.properties)
      shape.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([key, value]) => [key, shapeOf(value)]),
      );
    if (schema.items) shape.items = shapeOf(schema.items);
    if (schema.additionalProperties !== undefined)
      shape.additionalProperties =
        typeof schema.additionalProperties === 'object'
          ? shapeOf(schema.additionalProperties)
          : schema.additionalProperties;
    if (schema.anyOf) shape.anyOf = schema.anyOf.map(shapeOf);
    if (schema.oneOf) Object.assign(shape, oneOf(schema));
    return shape;
  }

  /** A choice; each part says itself which words of the deciding member are its own, as the mapping has them. */
  function oneOf({ oneOf: parts, discriminator }) {
    if (!discriminator) return { oneOf: parts.map(shapeOf) };
    const { propertyName, mapping } = discriminator;
    const taken = new Set(Object.keys(mapping));
    return {
      oneOf: parts.map((part) => {
        const reference = shapeOf(part);
        const shape = flat(reference);
        const told = wordsOf(shape.properties[propertyName]);
        // A word that the mapping forgot is the first part's that knows it.
        const own = told.filter((word) => mapping[word] === part.$ref || !taken.has(word));
        for (const word of own) taken.add(word);
        if (own.length === 0) throw new Error(`${part.$ref} is never chosen`);
        if (shape.properties[propertyName].enum && own.length === told.length) return reference;
        return { ...shape, properties: { ...shape.properties, [propertyName]: { type: 'string', enum: own } } };
      }),
      discriminator: { propertyName },
    };
  }

  const wordsOf = (shape) =>
    shape?.$ref
      ? wordsOf(shapes[nameOf(shape.$ref)])
      : (shape?.enum ?? (shape && 'const' in shape ? [shape.const] : undefined));

  /** Parts that hold all at once, as one object. */
  function merged({ allOf, unevaluatedProperties }) {
    const parts = allOf.filter(
      (part) => part.$ref || Object.keys(part).some((key) => FACTS.has(key) || key === 'properties'),
    );
    if (parts.length === 1) return shapeOf(parts[0]);
    const out = mergedShapes(parts.map((part) => flat(shapeOf(part))));
    if (unevaluatedProperties === false) out.additionalProperties = false;
    return out;
  }

  function mergedShapes(parts) {
    const out = { type: 'object', properties: {} };
    const required = new Set();
    for (const { type, properties = {}, required: more = [], additionalProperties, ...rest } of parts) {
      if (type !== 'object' || Object.keys(rest).length > 0) throw new Error(`no object: ${type} ${Object.keys(rest)}`);
      for (const name of more) required.add(name);
      for (const [name, value] of Object.entries(properties)) out.properties[name] = both(out.properties[name], value);
      if (additionalProperties !== undefined) out.additionalProperties = additionalProperties;
    }
    if (required.size > 0) out.required = [...required];
    return out;
  }
  const flat = (shape) => (shape.$ref ? flat(shapes[nameOf(shape.$ref)]) : shape);

  /** A member that two parts describe: the narrower one where one of them is plain. */
  function both(before, after) {
    if (before === undefined || JSON.stringify(before) === JSON.stringify(after)) return after;
    const [a, b] = [wordsOf(before), wordsOf(after)];
    if (a && b) {
      if (b.every((word) => a.includes(word))) return after;
      if (a.every((word) => b.includes(word))) return before;
      // Words that the shared part forgot: the narrower part knows better.
      if (!b.some((word) => a.includes(word))) return after;
    }
    const [wide, narrow] = [flat(before), flat(after)];
    if (Object.keys(wide).length === 1 && wide.type === narrow.type) return after;
    if (wide.type !== 'object') throw new Error(`two minds: ${JSON.stringify([wide, narrow])}`);
    const whole = mergedShapes([wide, narrow]);
    return isDeepStrictEqual(whole, mergedShapes([narrow])) ? after : whole;
  }

  const media = (node) => {
    const content = resolved(node)?.content ?? {};
    const type = Object.keys(content)[0];
    return type && { type, shape: shapeOf(content[type].schema) };
  };

  const operations = {};
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const op = item[method];
      if (!op) continue;
      const parameters = [...(item.parameters ?? []), ...(op.parameters ?? [])].map(resolved);
      const inPlace = (place) =>
        Object.fromEntries(
          parameters
            .filter((p) => p.in === place)
            .map((p) => [p.name, { ...(p.required ? { required: true } : {}), ...shapeOf(p.schema) }]),
        );
      const body = media(op.requestBody);
      operations[op.operationId] = {
        method: method.toUpperCase(),
        path,
        query: inPlace('query'),
        headers: inPlace('header'),
        ...(body ? { body: { required: resolved(op.requestBody).required ?? false, ...body } } : {}),
        replies: Object.fromEntries(
          Object.entries(op.responses).map(([status, reply]) => [status, media(reply)?.shape ?? null]),
        ),
      };
    }

  const events = {};
  for (const hook of Object.values(document.webhooks)) {
    const shape = media(hook.post.requestBody).shape;
    for (const type of wordsOf(flat(shape).properties.type)) {
      if (type in events) throw new Error(`${type} twice`);
      events[type] = shape;
    }
  }

  return { operations, events, $defs: shapes };
}
