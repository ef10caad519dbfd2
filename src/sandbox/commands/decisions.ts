import { DECISIONS } from '../../areas.ts';
import { byId, command, noted } from './command.ts';

/** A command for each decision that an area declares, in the same order. */
export const decisions = DECISIONS.map((decision) => {
  const { about, body, decide } = decision;
  return {
    ...decision,
    command: noted(
      command(
        about,
        () => ({ ...byId('resource to decide on')(), ...body().shape }),
        ({ sandbox: { world } }, { id, ...sent }) => world.transact(() => decide(world, id as string, sent)),
      ),
      (_, { id, ...sent }) => ({
        what: 'decided',
        path: [decision.table.name, id as string, decision.name],
        body: sent,
      }),
    ),
  };
});

/** A decision that is possible about a row in its present state. */
export interface Possible {
  readonly name: string;
  readonly label: string;
  readonly body: object;
}

/**
 * Returns the command that decides about a row of a table, and its input. The answer is the body of a decision, or one
 * value of a body that is possible now, such as `APPROVED`. `name` selects a decision if several are possible. Throws
 * if none fits.
 */
export function decisionFor(
  { table, decisions: possible }: { readonly table: string; readonly decisions: readonly Possible[] },
  answer: string | object,
  name?: string,
) {
  const named = possible.filter((one) => name === undefined || one.name === name);
  const matching =
    typeof answer === 'string' ? named.find(({ body }) => Object.values(body).includes(answer)) : named[0];
  const body = typeof answer === 'string' ? matching?.body : answer;
  const wanted = name ?? matching?.name;
  const ofTable = decisions.filter((one) => one.table.name === table);
  const chosen = wanted === undefined ? ofTable[0] : ofTable.find((one) => one.name === wanted);
  if (chosen && body) return { command: chosen.command, body };
  if (ofTable.length === 0) throw new Error(`nothing can be decided about ${table} by hand`);
  const choices = possible.map((one) => `${one.name} ${JSON.stringify(one.body)}`);
  throw new Error(
    `there is no decision ${name ?? JSON.stringify(answer)}; there is ${
      choices.length > 0 ? choices.join(', ') : ofTable.map((one) => one.name).join(', ')
    }`,
  );
}
