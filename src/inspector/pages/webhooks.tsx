import type { PageParts } from '../parts.tsx';
import type { Visit } from '../visit.ts';
export function webhooks(_visit: Visit, _params: readonly string[]): PageParts {
  return { title: 'webhooks', body: null };
}
