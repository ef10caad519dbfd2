import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function table(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'table', body: null };
}
