import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function operation(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'operation', body: null };
}
