import { jsonIn } from '../../contract/json.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|:/g;

/**
 * Returns a body as JSON. Undefined unless serializing it again preserves it: every number as it was sent, and no
 * duplicate member.
 */
export function losslessJson(body: string): unknown {
  const json = jsonIn(body);
  if (json === undefined) return undefined;
  let members = 0;
  for (const [token] of body.matchAll(TOKEN)) {
    if (token === ':') members += 1;
    else if (!token.startsWith('"') && String(Number(token)) !== token) return undefined;
  }
  return members === membersIn(json) ? json : undefined;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, one) => sum + membersIn(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}
