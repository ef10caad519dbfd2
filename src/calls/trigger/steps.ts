/** The results of steps, by the names that the steps gave them. */
export type Results = Readonly<Record<string, unknown>>;

/** Returns a value with its references to former results replaced. */
export function referred(value: unknown, results: Results): unknown {
  if (typeof value === 'string') return reference(value, results);
  if (Array.isArray(value)) return value.map((one) => referred(one, results));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, referred(one, results)]));
}

/** Resolves a reference. UMA addresses begin with the same character, so a text that names no result stays as it is. */
function reference(text: string, results: Results): unknown {
  const path = text.slice(1).split('.');
  if (text.startsWith('$') && path[0] !== undefined && path[0] in results)
    return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], results);
  return text;
}

/** Returns a value with some members replaced, by their paths. */
export function withSet(value: unknown, set: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(set).reduce((whole, [path, member]) => put(whole, path.split('.'), member), value);
}

function put(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  if (Array.isArray(value) && /^\d{1,3}$/.test(name)) {
    const list = [...value];
    list[Number(name)] = put(list[Number(name)], rest, member);
    return list;
  }
  const object = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const before = object.find(([one]) => one === name)?.[1];
  return Object.fromEntries([...object.filter(([one]) => one !== name), [name, put(before, rest, member)]]);
}
