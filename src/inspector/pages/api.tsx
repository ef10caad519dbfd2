import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function api(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'api', body: null };
}
