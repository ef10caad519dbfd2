import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { operationNamed } from '../../src/calls/operation.ts';

test('the beginning of an operation id suggests the shortest id that starts with it, not one a few letters away', () => {
  for (const { id } of OPERATIONS)
    for (let length = 4; length < id.length; length += 1) {
      const begun = id.slice(0, length);
      const ids = OPERATIONS.map((one) => one.id).filter((one) => one.startsWith(begun));
      const shortest = Math.min(...ids.map((one) => one.length));
      if (ids.includes(begun)) continue;
      const said = expect.stringMatching(
        new RegExp(`did you mean (?:${ids.filter((one) => one.length === shortest).join('|')})\\?`),
      );
      expect(() => operationNamed(begun), begun).toThrow(expect.objectContaining({ message: said }));
    }
});
