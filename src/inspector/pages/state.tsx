import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function state(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'state', body: null };
}
