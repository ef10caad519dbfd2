import { fork } from 'node:child_process';

/** Real milliseconds without the end of a test after which a run counts as one without end. */
const ENDLESS = 900_000;

/** A process that tries one change after the other; one that does not come back is ended, and the next begins in another. */
export class Lane {
  #module;
  #child;

  constructor(module) {
    this.#module = module;
  }

  async #open() {
    this.#child = fork(this.#module, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await this.#next();
  }

  #next() {
    const child = this.#child;
    return new Promise((resolve) => {
      const done = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const timer = setTimeout(() => done({ by: `no test ended for ${ENDLESS / 1000} s`, over: true }), ENDLESS);
      child.on('message', (answer) => (answer.alive ? timer.refresh() : done(answer)));
      child.once('exit', (code) => done({ by: `the process ended with ${code}`, over: true }));
    });
  }

  /** Returns what the process says of a job; where it ended or hung instead, what became of it as `by`. */
  async try(job) {
    if (!this.#child) await this.#open();
    this.#child.send(job);
    const answer = await this.#next();
    if (answer.over) this.close();
    return answer;
  }

  close() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
