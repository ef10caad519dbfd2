import { Refused, Remote } from './remote.ts';

/** Milliseconds within which an emulator has to reply. */
const ANSWER_MS = 5000;
/** Milliseconds between two checks whether the same emulator still runs. */
const LOOK_MS = 1000;

/** The webhook endpoint of a sandbox, registered with each emulator that runs at an address, one after the other. */
export class Registration {
  readonly #emulator: Remote;
  /** The emulator's process, whether or not the sandbox exists. */
  readonly #process: Remote;
  readonly #url: string;
  /** Milliseconds for which the emulator had run at the last check; undefined while none replies. */
  #uptime: number | undefined;

  /** Takes the URL of the receiver. */
  constructor(emulator: Remote, url: string) {
    this.#emulator = emulator;
    this.#process = new Remote({ url: emulator.url });
    this.#url = url;
  }

  /** Makes the receiver the webhook endpoint of the sandbox. Rejects with a sentence. */
  async register(): Promise<void> {
    await within(this.#emulator, 'PUT', '/webhooks/endpoint', { url: this.#url }).catch((error: Error) => {
      const { url } = this.#emulator;
      if (error instanceof Refused)
        throw new Error(`the emulator at ${url} did not take the endpoint: ${error.message}`);
      throw error.name === 'AbortError'
        ? new Error(`no emulator answers at ${url} in ${ANSWER_MS / 1000} seconds`)
        : error;
    });
    this.#uptime ??= (await this.#look()) ?? 0;
  }

  /**
   * Registers again with each emulator that starts at the address later, and reports when one ends and when one has the
   * endpoint.
   */
  keep(changed: (what: 'ended' | 'registered') => void): void {
    const look = async (): Promise<void> => {
      const uptime = await this.#look();
      if (this.#uptime !== undefined && (uptime === undefined || uptime < this.#uptime)) {
        this.#uptime = undefined;
        changed('ended');
      }
      if (uptime === undefined) return;
      if (this.#uptime !== undefined) this.#uptime = uptime;
      // A sandbox without a call since the start does not exist yet: the next check tries again.
      else
        await this.register().then(
          () => changed('registered'),
          () => {},
        );
    };
    const again = (): void => {
      setTimeout(() => look().then(again, again), LOOK_MS).unref();
    };
    again();
  }

  /** Returns the milliseconds for which the emulator has run; undefined if none replies. */
  async #look(): Promise<number | undefined> {
    const health = await within<{ uptimeMs?: unknown }>(this.#process, 'GET', '/health').catch(() => undefined);
    return typeof health?.uptimeMs === 'number' ? health.uptimeMs : undefined;
  }
}

const within = <T>(emulator: Remote, method: string, path: string, body?: unknown): Promise<T> =>
  emulator.ask<T>(method, path, body, AbortSignal.timeout(ANSWER_MS));
