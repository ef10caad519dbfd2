import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Webhook receivers as platforms have them on a bad day, by name. */
export interface Receivers {
  readonly urls: Readonly<Record<'healthy' | 'failing' | 'hanging' | 'dead' | 'answering', string>>;
  /** Deliveries that came, by name. */
  readonly came: Readonly<Record<string, number>>;
  close(): void;
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`));
  });

/** One that decides on payments now so, now otherwise: 202 leaves the decision for later. */
function answering(): Server {
  let turn = 0;
  return createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead([200, 202, 202, 200, 403, 500][turn++ % 6] as number).end('{}'));
  });
}

export async function receivers(): Promise<Receivers> {
  const came: Record<string, number> = { healthy: 0, failing: 0, hanging: 0 };
  const open = (name: string, status: number | undefined, body = '') => {
    const server = createServer((request, response) => {
      came[name] = (came[name] ?? 0) + 1;
      request.resume();
      if (status !== undefined) request.on('end', () => response.writeHead(status).end(body));
    });
    return server;
  };
  const servers = {
    healthy: open('healthy', 200),
    failing: open('failing', 500, `<html>${'Something went wrong. '.repeat(60)}</html>`),
    hanging: open('hanging', undefined),
    answering: answering(),
  };
  const urls = {
    healthy: await listen(servers.healthy),
    failing: await listen(servers.failing),
    hanging: await listen(servers.hanging),
    answering: await listen(servers.answering),
    dead: 'http://127.0.0.1:9/hooks',
  };
  const close = () => {
    for (const server of Object.values(servers)) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { urls, came, close };
}
