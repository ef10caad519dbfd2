import type { ExamVerdict as Verdict } from '../public.ts';

/** The control API of an emulator, as one sandbox of it sees it. */
export interface Control {
  /** Calls it; `path` is below `/_emulator`. Throws where nothing answers, or with its `status` where the call is refused. */
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
}

/** The outcome of a call of the backend under test: whether it worked, and what it answered. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
  /** Nothing listens there. */
  readonly isDown?: boolean;
}

/** The backend under test. */
export interface Backend {
  /** Starts one payment; may answer before it has paid. */
  pay(reference: string, check: string): Promise<Reply>;
  /** Returns what it believes of a payment; absent where nobody can know. */
  readonly ask?: ((reference: string, check: string) => Promise<Reply>) | undefined;
  /** Ends what it still runs. */
  end(): void;
}

export interface ExamOptions {
  readonly control: Control;
  readonly backend: Backend;
  /** Names of checks; all of them without. */
  readonly only?: readonly string[] | undefined;
  readonly saysPaid?: RegExp | undefined;
  readonly saysFailed?: RegExp | undefined;
  /** Events may be posted to a receiver beyond this machine. */
  readonly allowsRemote?: boolean | undefined;
  /** Real milliseconds that are waited for what a check wants; 10,000. */
  readonly patienceMs?: number | undefined;
  /** Ends the exam early; it cleans up all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each check, with its place. */
  readonly began?: ((check: string, place: number, of: number) => void) | undefined;
  /** Called with each verdict. */
  readonly judged?: ((verdict: Verdict) => void) | undefined;
  /** Called once with those of the checks that were not begun, because nothing can be judged. */
  readonly left?: ((verdicts: readonly Verdict[]) => void) | undefined;
}

/** The exam cannot be run, or cannot go on: one sentence. */
export class Unable extends Error {}

/** A failure of the backend: what was expected, what was seen instead, where to look and what to change. */
export class Failed extends Error {
  readonly expected: string;
  readonly lookAt: readonly string[];
  readonly hint: string | undefined;

  constructor(expected: string, seen: string, lookAt: readonly string[] = [], hint?: string) {
    super(seen);
    this.expected = expected;
    this.lookAt = lookAt;
    this.hint = hint;
  }
}

/** A check says nothing about this backend. */
export class Skipped extends Error {}

export type { ExamReport as Report, ExamVerdict as Verdict } from '../public.ts';
