import { OPERATIONS } from '../../areas.ts';
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
  operations: command('Every operation of the service, and how often it was called', ({ sandbox }) => {
    const data = OPERATIONS.map(({ id, method, path, tag }) => ({
      id,
      method,
      path,
      area: tag,
      built: true,
      calls: sandbox.requestLog.calls.get(id) ?? 0,
    }));
    return { data, built: data.length, total: data.length };
  }),
  openApi: command('The OpenAPI 3.1 document, as JSON text', ({ openApi }: { openApi: () => Promise<string> }) =>
    openApi(),
  ),
};
