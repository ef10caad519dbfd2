import type { CoverageReport, Never } from '../public.ts';

/** The most suggestions. */
const FEW = 5;

/** Something that a suite has not met yet, and a tool call that leads to it. */
interface Suggestion {
  readonly never: string;
  readonly example: string;
}

/** Returns the way to something that a suite has not met yet; undefined for a state, to which no single call leads. */
function suggestionOf({ kind, name, answers: [answer = ''] = [] }: Never): Suggestion | undefined {
  if (kind === 'failure' || kind === 'refusal') {
    const [status, code] = answer.split(' ');
    const fault = `{match: {operation: "${name}", times: 1}, then: {status: ${status}, code: "${code}"}}`;
    const never = kind === 'failure' ? `${name} was never seen to fail` : `${name} never answered ${answer}`;
    return { never, example: `faults {act: "add", fault: ${fault}}, then the call` };
  }
  if (kind === 'event') return { never: `the event ${name}`, example: `webhooks {act: "trigger", type: "${name}"}` };
  if (kind === 'magic') return { never: `the magic value ${name}`, example: 'read_docs {page: "magic-values"}' };
  if (kind === 'operation')
    return { never: `the operation ${name}`, example: `describe_operation {id: "${name}"}, then call_operation` };
  return undefined;
}

/**
 * Returns suggestions for the first things that a suite has not met; those of operations that it calls precede others.
 */
export const nearest = ({ never }: CoverageReport): Suggestion[] =>
  never.flatMap((one) => suggestionOf(one) ?? []).slice(0, FEW);
