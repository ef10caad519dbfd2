import { DECISIONS } from '../areas.ts';
import { control } from './control.ts';

/** A door for each decision that an area declares. */
export const decisionControls = DECISIONS.map(({ table, name, about, body, decide }) =>
  control(
    'POST',
    `/${table.name}/:id/${name}`,
    about,
    ({ sandbox: { world }, params, body: sent }) => world.transact(() => decide(world, params['id'] as string, sent)),
    { body },
  ),
);
