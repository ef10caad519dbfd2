import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function record(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'record', body: null };
}
