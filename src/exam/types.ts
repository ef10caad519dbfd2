import type { ExamVerdict as Verdict } from '../public.ts';

/** The control API of an emulator, for one of its sandboxes. */
export interface Control {
  /** Calls it; `path` is below `/_emulator`. Throws if nothing replies, or with its `status` if the call is refused. */
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
}

/** The outcome of a call of the backend under test: whether it worked, and its reply. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
  /** True if nothing listens there. */
  readonly isDown?: boolean;
}

/** The backend under test. */
export interface Backend {
  /** Starts one payment; it may reply before it has paid. */
  pay(reference: string, check: string): Promise<Reply>;
  /** Returns its belief about a payment; absent if there is no way to ask. */
  readonly ask?: ((reference: string, check: string) => Promise<Reply>) | undefined;
  /** Ends its running calls. */
  end(): void;
}

export interface ExamOptions {
  readonly control: Control;
  readonly backend: Backend;
  /** The names of checks; all of them if absent. */
  readonly only?: readonly string[] | undefined;
  readonly saysPaid?: RegExp | undefined;
  readonly saysFailed?: RegExp | undefined;
  /** True if events may be posted to a receiver beyond this machine. */
  readonly allowsRemote?: boolean | undefined;
  /** The most real milliseconds to wait for an expected state; 10,000 by default. */
  readonly patienceMs?: number | undefined;
  /** Aborts the exam; it cleans up all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each check, with its position. */
  readonly began?: ((check: string, place: number, of: number) => void) | undefined;
  /** Called with each verdict. */
  readonly judged?: ((verdict: Verdict) => void) | undefined;
  /** Called once with the verdicts of the checks that did not begin, because nothing can be judged. */
  readonly left?: ((verdicts: readonly Verdict[]) => void) | undefined;
}

/** The error if the exam cannot run, or cannot go on: one sentence. */
export class Unable extends Error {}

/** A failure of the backend: the expectation, the observation, where to look and what to change. */
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

/** The error for a check that says nothing about this backend. */
export class Skipped extends Error {}

export type { ExamReport as Report, ExamVerdict as Verdict } from '../public.ts';
