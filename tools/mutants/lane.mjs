// One process that runs tests again and again, each time with another change put in: modules are compiled once.
import { createVitest } from 'vitest/node';

/** Keeps the order in which the files were given: the nearest first, and nothing after the first failure. */
class AsGiven {
  shard = (files) => files;
  sort = (files) => files;
}

process.env.MUTANT = '';
const reporters = [{ onTestCaseResult: () => process.send({ alive: true }) }];
const sequence = { sequencer: AsGiven };
const vitest = await createVitest('test', { watch: false, bail: 1, maxWorkers: 1, reporters, sequence, silent: true });
const specificationOf = (file) => {
  const projects = vitest.projects.filter((project) => project.matchesTestGlob(file));
  return projects.find(({ name }) => name === 'in-process' || name === 'sweep')?.createSpecification(file);
};

process.on('message', async ({ mutant, tests }) => {
  process.env.MUTANT = mutant ? JSON.stringify(mutant) : '';
  if (mutant) vitest.invalidateFile(`${process.cwd()}/${mutant.file}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    tests.map((file) => specificationOf(`${process.cwd()}/${file}`)),
  );
  if (mutant) vitest.invalidateFile(`${process.cwd()}/${mutant.file}`);
  const failed = testModules.find((one) => one.state() === 'failed');
  const test = failed && [...failed.children.allTests('failed')][0]?.fullName;
  const by = failed
    ? `${failed.relativeModuleId}: ${test ?? failed.errors()[0]?.message}`
    : unhandledErrors[0]?.message;
  process.send({ by });
});
process.send({ ready: true });
