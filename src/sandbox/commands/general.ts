import { OPERATIONS } from '../../areas.ts';
import { CATALOGUE } from '../../catalogue.ts';
import { VERSION } from '../../version.ts';
import { command } from './command.ts';

export const emulator = {
  health: command('Whether the emulator is up, seeded and warm', ({ host }) => ({
    status: 'ok',
    version: VERSION,
    profile: host.profile.name,
    uptimeMs: host.uptimeMs,
    sandboxes: host.count,
    ...(host.filling.length > 0 ? { filling: host.filling } : {}),
  })),
  operations: command('Every operation of the service: built or not, and how often called', ({ sandbox }) => {
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
  openApi: command(
    'The OpenAPI 3.1 document of what is built, as JSON text',
    ({ openApi }: { openApi: () => Promise<string> }) => openApi(),
  ),
};
