import { expect, test, vi } from 'vitest';
import { allowAnyNumber } from '../../src/engine/listeners.ts';
import { startEmulator } from '../../src/index.ts';

test('an emulator starts, answers and closes where AbortController is that of a page, as in jsdom', async () => {
  const { AbortController: Nodes } = globalThis;
  class Foreign {
    readonly #own = new Nodes();
    // Neither Node's EventTarget nor its EventEmitter.
    readonly signal = {
      aborted: false,
      addEventListener: (type: string, listener: () => void) => this.#own.signal.addEventListener(type, listener),
      removeEventListener: (type: string, listener: () => void) => this.#own.signal.removeEventListener(type, listener),
    };
    abort(): void {
      this.signal.aborted = true;
      this.#own.abort();
    }
  }
  vi.stubGlobal('AbortController', Foreign);
  expect(() => allowAnyNumber(new AbortController().signal)).not.toThrow();
  const emulator = await startEmulator({ port: 0 });
  vi.unstubAllGlobals();
  expect((await emulator.sandbox.fetch('/config')).status).toBe(200);
  await emulator.close();
});
