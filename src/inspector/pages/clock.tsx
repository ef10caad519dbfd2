import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function clock(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'clock', body: null };
}
