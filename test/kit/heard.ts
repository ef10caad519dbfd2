import type { Socket } from 'node:net';

/** What came over a connection, byte for byte, and a wait for more of it. */
export interface Heard {
  text: string;
  readonly ended: boolean;
  /** Waits until something is found, or nothing more can come. */
  until(found: () => boolean): Promise<void>;
}

/** Listens to a connection from now on. */
export function heardOn(socket: Socket): Heard {
  let [ended, woken] = [false, (): void => {}];
  const heard = {
    text: '',
    get ended() {
      return ended;
    },
    until: async (found: () => boolean) => {
      while (!found() && !ended) await new Promise<void>((resolve) => (woken = resolve));
    },
  };
  socket.setEncoding('latin1').on('data', (part: string) => {
    heard.text += part;
    woken();
  });
  for (const event of ['end', 'error', 'close'])
    socket.on(event, () => {
      ended = true;
      woken();
    });
  return heard;
}
