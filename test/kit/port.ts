import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/** Ports below those that the system lends to connections and to whoever listens on any. */
const [FIRST, END] = [20_000, 32_000];

/** A UDP socket on a port, which says to every other run of tests that the TCP port is lent; undefined where one says so. */
const marked = (port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const mark = createSocket('udp4').unref();
    mark.once('error', () => {
      mark.close();
      resolve(undefined);
    });
    mark.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(mark));
  });

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
};

/** A port that nobody listens on, and that no other test is lent until it is given back: its owner may come and go. */
export async function lentPort(): Promise<{ port: number; giveBack: () => void }> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const mark = await marked(port);
    if (!mark) continue;
    if (await isFree(port)) return { port, giveBack: () => mark.close() };
    mark.close();
  }
}

/** A port that nobody listens on, and that no other test is lent as long as this run of tests lasts. */
export const freePort = async (): Promise<number> => (await lentPort()).port;
