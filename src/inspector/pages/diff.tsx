import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function diff(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'diff', body: null };
}
