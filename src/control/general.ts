import { OPERATIONS } from '../areas.ts';
import { CATALOGUE } from '../catalogue.ts';
import { VERSION } from '../version.ts';
import { control } from './control.ts';

export const generalControls = [
  control('GET', '/health', 'Whether the emulator is up, seeded and warm', ({ host }) => ({
    status: 'ok',
    version: VERSION,
    profile: host.profile.name,
    uptimeMs: host.uptimeMs,
    sandboxes: host.count,
    ...(host.filling.length > 0 ? { filling: host.filling } : {}),
  })),
  control('GET', '/operations', 'Every operation of the service: built or not, and how often called', ({ sandbox }) => {
    const built = new Set(OPERATIONS.map((op) => op.id));
    const data = CATALOGUE.map(({ id, method, path, tag }) => ({
      id,
      method,
      path,
      area: tag,
      built: built.has(id),
      calls: sandbox.requestLog.calls.get(id) ?? 0,
    }));
    return { data, built: built.size, total: data.length };
  }),
  control('GET', '/openapi.json', 'The OpenAPI 3.1 document of what is built', async ({ openApi }) => {
    const text = await openApi();
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    return new Response(text, { headers });
  }),
];
