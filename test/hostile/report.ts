import { OPERATIONS } from '../../src/areas.ts';
import { asCurl, isChallenge, type Plan, type Reply } from './plan.ts';

/** Something that must not be. */
export interface Finding {
  /** Operation id, control, or what else was asked. */
  readonly target: string;
  readonly expected: string;
  readonly seen: string;
  /** The request, to be sent again by hand. */
  readonly request: string;
  /** Which input of the seed. */
  readonly input: number;
}

/** Findings and figures of a run. */
export class Report {
  readonly seed: number;
  /** The first of each kind, with how often it was seen. */
  readonly findings = new Map<string, Finding & { count: number }>();
  readonly done = new Set<string>();
  readonly statuses = new Map<number, number>();
  inputs = 0;
  requests = 0;
  raw = 0;
  slowest = { ms: 0, request: '' };

  constructor(seed: number) {
    this.seed = seed;
  }

  add(finding: Finding): void {
    const key = `${finding.target} ${finding.expected} ${finding.seen
      .split('\n', 2)
      .join(' ')
      .replaceAll(/[0-9a-f-]{30,}|req_\d+|\d+/g, '*')
      .slice(0, 160)}`;
    const known = this.findings.get(key);
    if (known) known.count += 1;
    else this.findings.set(key, { ...finding, count: 1 });
  }

  /** A reply that only asks for a signature has done nothing yet. */
  note(target: string, reply: Pick<Reply, 'status'> & Partial<Reply>): void {
    const { status, json } = reply;
    this.requests += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 200 && status < 300 && !isChallenge({ status, json })) this.done.add(target);
  }

  /** Operations of the contract that were not done once. */
  never(): string[] {
    return OPERATIONS.filter(({ id }) => !this.done.has(id)).map(({ id }) => id);
  }

  /** The findings, in lines for a person. */
  told(): string {
    return [...this.findings.values()]
      .map(
        ({ target, expected, seen, request, input, count }, i) =>
          `${i + 1}. ${target}${count > 1 ? ` (${count} times)` : ''}, ${this.#place(input)}\n` +
          `   expected: ${expected}\n   seen: ${seen.replaceAll('\n', '\n         ')}\n   ${request}`,
      )
      .join('\n\n');
  }

  /** Where a finding is met again; what comes before all inputs has the number -1. */
  #place(input: number): string {
    return input < 0
      ? `before the inputs (--seed ${this.seed} --inputs 0)`
      : `input ${input} of seed ${this.seed} (--seed ${this.seed} --only ${input})`;
  }

  /** What was done and how fast. */
  figures(seconds: number): string {
    const never = this.never();
    const of = (low: number) =>
      [...this.statuses].reduce((sum, [status, count]) => (Math.floor(status / 100) === low ? sum + count : sum), 0);
    return [
      `${this.inputs} inputs (${this.requests} requests, ${this.raw} over raw sockets) in ${seconds.toFixed(1)} s: ${Math.round(this.inputs / seconds)} inputs a second`,
      `answers: ${of(2)} of 2xx, ${of(3)} of 3xx, ${of(4)} of 4xx, ${of(5)} of 5xx`,
      `${OPERATIONS.length - never.length} of ${OPERATIONS.length} operations succeeded${never.length > 0 ? `; never: ${never.join(', ')}` : ''}`,
      `slowest: ${this.slowest.ms.toFixed(0)} ms of CPU, ${this.slowest.request.slice(0, 200)}`,
      `findings: ${this.findings.size}`,
    ].join('\n');
  }
}

/** The text of a request for a finding, not longer than a screen. */
export const shown = (plan: Plan): string => {
  const text = asCurl(plan, 'http://127.0.0.1:4010');
  const why = plan.mutations.length > 0 ? ` # ${plan.mutations.join(', ')}` : '';
  return `${text.length > 3000 ? `${text.slice(0, 3000)}... (${text.length} characters)` : text}${why}`;
};
