import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function jobs(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'jobs', body: null };
}
