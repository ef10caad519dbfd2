import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function scenario(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'scenario', body: null };
}
