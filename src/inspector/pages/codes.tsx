import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function codes(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'codes', body: null };
}
