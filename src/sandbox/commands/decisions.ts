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
