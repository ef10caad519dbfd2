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
  openApi: command('The OpenAPI 3.1 document, as JSON text', ({ openApi }: { openApi: () => Promise<string> }) =>
    openApi(),
  ),
};
