import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Waiting } from '../../src/engine/due-queue.ts';

const due = (order: number) => ({ at: order, id: 'Job:1', depth: 0, repeats: 0 });

test('waiting jobs are taken in the order of their arrival, in any mix of adds and takes', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (steps) => {
      const waiting = new Waiting();
      const model: number[] = [];
      steps.forEach((adds, order) => {
        if (adds) {
          waiting.add(due(order));
          model.push(order);
        } else expect(waiting.take()?.at).toBe(model.shift());
      });
      for (const order of [...model, undefined]) expect(waiting.take()?.at).toBe(order);
    }),
  );
});

test('a queue of waiting jobs is empty once it is cleared', () => {
  const waiting = new Waiting();
  for (let order = 0; order < 5; order += 1) waiting.add(due(order));
  waiting.take();
  waiting.clear();
  expect(waiting.take()).toBeUndefined();
});
