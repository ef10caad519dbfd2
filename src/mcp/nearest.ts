import type { CoverageReport, Never } from '../public.ts';

/** Encounters that are suggested. */
const FEW = 5;

/** Something that a suite has never met, and a tool call that leads to it. */
interface Suggestion {
  readonly never: string;
  readonly example: string;
}

/** Returns how an agent gets to what was never met; nothing for a state, to which no one call leads. */
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

/** Returns the nearest things that a suite has never met, those of the operations that it calls first. */
export const nearest = ({ never }: CoverageReport): Suggestion[] =>
  never.flatMap((one) => suggestionOf(one) ?? []).slice(0, FEW);
