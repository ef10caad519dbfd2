// Digests of the texts for people, so that a changed rule is noticed although no text of the contract is kept here.
import { createHash } from 'node:crypto';

const TEXTS = new Set(['description', 'summary', 'title']);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every text within a part of the description, but for those of shapes that it only refers to. */
function textsIn(node, at = '') {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    TEXTS.has(key) && typeof value === 'string'
      ? [`${at}: ${value.replace(/\s+/g, ' ').trim()}`]
      : key === 'example' || key === 'examples'
        ? []
        : textsIn(value, `${at}/${key}`),
  );
}

/** The digest of a part's texts; nothing where it has none. */
function digestOf(node) {
  const texts = textsIn(node).sort();
  return texts.length === 0 ? undefined : createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
}

const record = (entries) =>
  Object.fromEntries(entries.map(([name, node]) => [name, digestOf(node)]).filter(([, digest]) => digest));

/** Returns the digests of a description in OpenAPI: of its operations, its webhooks and its shapes, by name. */
export const digestsOf = ({ paths = {}, webhooks = {}, components = {} }) => ({
  operations: record(
    Object.values(paths).flatMap((item) =>
      METHODS.flatMap((method) => (item[method] ? [[item[method].operationId, item[method]]] : [])),
    ),
  ),
  webhooks: record(Object.entries(webhooks)),
  $defs: record(Object.entries(components.schemas ?? {})),
});
