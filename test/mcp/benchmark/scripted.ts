import type { Agent } from '../agent.ts';

// biome-ignore lint/suspicious/noExplicitAny: a task reads of an answer what it needs
type Answer = any;

/** Words of a sentence that tell an agent what to change: a member, a choice, or the next tool. */
const TELLS = /\b(?:needs|did you mean|there is|there are|it can|first|unknown key)\b|\{act|: \w/;

/**
 * An agent without a mind: it searches in the words of its task, takes what the tools put first, and calls by the example that
 * it is shown. It counts its calls, and the answers that lead nowhere.
 */
export class Scripted {
  calls = 0;
  readonly deadEnds: string[] = [];
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** Uses a tool; the sentence of one that could not is thrown, and a dead end if it says nothing that helps. */
  async use(tool: string, asked: Record<string, unknown> = {}): Promise<Answer> {
    this.calls += 1;
    try {
      return await this.#agent.use(tool, asked);
    } catch (error) {
      const { message } = error as Error;
      if (!TELLS.test(message)) this.deadEnds.push(`${tool} said only: ${message}`);
      throw error;
    }
  }

  /** The operation that a search puts first. */
  async find(words: string): Promise<string> {
    const { operations } = await this.use('find_operation', { query: words });
    if (operations.length === 0) {
      this.deadEnds.push(`find_operation knows nothing of "${words}"`);
      throw new Error(`nothing answers to ${words}`);
    }
    return operations[0].id;
  }

  /** Makes the call that some words ask for, by its example; `set` has what the task says of it, by its place. */
  async do(words: string, set: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const id = await this.find(words);
    const { example, body: takes, parameters } = await this.#ready(id);
    const sent = structuredClone(example);
    for (const [place, value] of Object.entries(set)) this.#put(sent, place, value, { takes, parameters });
    const answer = await this.use('call_operation', { id, ...sent });
    if (answer.status >= 400) await this.#refused(answer);
    return answer;
  }

  /** What an operation takes, once the sandbox has what its example is made of. */
  async #ready(id: string, tries = 5): Promise<Answer> {
    const described = await this.use('describe_operation', { id });
    if (described.needs === undefined) return described;
    if (tries === 0) this.deadEnds.push(`${id} needs ${described.needs}, however often that is called`);
    if (tries === 0) throw new Error(`${id} is never ready`);
    const { example } = await this.#ready(described.needs, tries - 1);
    const answer = await this.use('call_operation', { id: described.needs, ...example });
    if (answer.status >= 400) await this.#refused(answer);
    return this.#ready(id, tries - 1);
  }

  /** A refusal is explained; it is a dead end if the explanation says neither what was expected nor which field is bad. */
  async #refused({ requestId, status, body }: Answer): Promise<never> {
    const { why } = await this.use('why', { request: requestId });
    if (why.expected === undefined && !why.fields?.length)
      this.deadEnds.push(`why ${requestId} explains nothing of ${status} ${body?.code}`);
    throw new Error(`${status} ${JSON.stringify(body)}`);
  }

  /** Puts a value in its place, if the description of the operation has that place. */
  #put(sent: Answer, place: string, value: unknown, { takes, parameters }: Answer): void {
    const [part = '', ...steps] = place.split('.');
    const known: readonly string[] =
      part === 'body'
        ? Object.keys(takes ?? {}).map((name) => name.replace('?', ''))
        : parameters.map(({ name }: { name: string }) => name);
    const isChoice = typeof takes === 'string' || Object.keys(takes ?? {}).includes('one of');
    if (!isChoice && !known.includes(steps[0] ?? '') && sent[part]?.[steps[0] ?? ''] === undefined)
      this.deadEnds.push(`the description has no ${place}`);
    let inner = (sent[part] ??= {});
    for (const step of steps.slice(0, -1)) inner = inner[step] ??= {};
    inner[steps.at(-1) ?? ''] = value;
  }

  /** The newest row of a table that has some words in it. */
  async row(table: string, ...words: readonly string[]): Promise<Answer> {
    const { rows } = await this.use('read_state', { table, limit: 50 });
    const found = rows.find((one: object) => words.every((word) => JSON.stringify(one).includes(word)));
    if (!found) {
      this.deadEnds.push(`read_state shows no ${words.join(' ')} among ${table}`);
      throw new Error(`no ${words.join(' ')} in ${table}`);
    }
    return found;
  }

  /** Waits for an event about something. */
  wait(type: string, subject: string): Promise<Answer> {
    return this.use('webhooks', { act: 'wait', type, subject, within: 'P7D' });
  }
}
