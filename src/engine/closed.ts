import { Failure } from '../contract/errors.ts';

/** Returns the 409 CONFLICT for work that the emulator's end has cut off. */
export const closed = (): Failure =>
  new Failure('CONFLICT', 'the emulator was closed while this was under way', {
    passes: true,
    why: { rule: 'nothing is left under way when the emulator closes (docs/state.md)' },
  });
