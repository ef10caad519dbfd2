import type { ListenFlags } from './options.ts';
import { tokenHeader } from './remote.ts';

/** Milliseconds an emulator has to answer. */
const ANSWER_MS = 5000;
/** Milliseconds between two looks at whether the emulator is still the one that knows the endpoint. */
const LOOK_MS = 1000;

/** The endpoint of a sandbox, as one emulator after the other at an address knows it. */
export class Registration {
  readonly emulator: string;
  readonly #url: string;
  readonly #sandbox: string;
  readonly #headers: Record<string, string>;
  /** Milliseconds that the emulator had run at the last look; unknown while none answers. */
  #uptime: number | undefined;

  /** Takes the URL of the receiver. */
  constructor(flags: ListenFlags, url: string) {
    this.emulator = flags.emulator ?? flags.url;
    this.#url = url;
    this.#sandbox = flags.sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(flags.sandbox)}`;
    this.#headers = tokenHeader(flags.controlToken);
  }

  /** Makes the receiver the webhook endpoint of the sandbox. Rejects with a sentence. */
  async register(): Promise<void> {
    const answer = await fetch(`${this.emulator}/_emulator/webhooks/endpoint${this.#sandbox}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...this.#headers },
      body: JSON.stringify({ url: this.#url }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => {
      throw new Error(`no emulator answers at ${this.emulator}; start one, or name it with --url`);
    });
    if (!answer.ok) {
      const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
      throw new Error(
        `the emulator at ${this.emulator} did not take the endpoint: ${message ?? `status ${answer.status}`}`,
      );
    }
    this.#uptime ??= (await this.#look()) ?? 0;
  }

  /** Registers again with each emulator that starts at the address later, and says when one ends and when one has the endpoint. */
  keep(changed: (what: 'ended' | 'registered') => void): void {
    const look = async (): Promise<void> => {
      const uptime = await this.#look();
      if (this.#uptime !== undefined && (uptime === undefined || uptime < this.#uptime)) {
        this.#uptime = undefined;
        changed('ended');
      }
      if (uptime === undefined) return;
      if (this.#uptime !== undefined) this.#uptime = uptime;
      // A sandbox that nobody has used since the start is not there yet: the next look tries again.
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

  /** Milliseconds that the emulator has run; nothing where none answers. */
  async #look(): Promise<number | undefined> {
    try {
      const answer = await fetch(`${this.emulator}/_emulator/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
      const { uptimeMs } = (await answer.json()) as { uptimeMs?: unknown };
      return typeof uptimeMs === 'number' ? uptimeMs : undefined;
    } catch {
      return undefined;
    }
  }
}
