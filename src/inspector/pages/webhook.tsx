import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function webhook(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'webhook', body: null };
}
