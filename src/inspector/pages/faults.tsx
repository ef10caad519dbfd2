import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function faults(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'faults', body: null };
}
