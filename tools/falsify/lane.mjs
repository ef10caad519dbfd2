// One process that runs named tests again and again, each time with another change put in: modules are compiled once.
import { createVitest } from 'vitest/node';

process.env.MUTANT = '';
const reporters = [{ onTestCaseResult: () => process.send({ alive: true }) }];
const vitest = await createVitest('test', { watch: false, maxWorkers: 1, reporters, silent: true });

/** A file with those of its tests whose full names begin with one of some texts; all of them where none is given. */
function specificationOf({ suite, tests }) {
  const file = `${process.cwd()}/${suite}`;
  const projects = vitest.projects.filter((project) => project.matchesTestGlob(file));
  const project = projects.find(({ name }) => name === 'in-process' || name === 'sweep');
  if (!project) throw new Error(`${suite} is not a test file of in-process or sweep`);
  const names = tests?.map((test) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return project.createSpecification(file, names === undefined ? {} : { testNamePattern: new RegExp(`^(?:${names})`) });
}

/** The name of a test as `vitest -t` knows it. */
const fullName = ({ parent, name }) => (parent.type === 'suite' ? `${fullName(parent)} ${name}` : name);

process.on('message', async ({ mutant, suites }) => {
  process.env.MUTANT = mutant ? JSON.stringify(mutant) : '';
  const forget = () => mutant && vitest.invalidateFile(`${process.cwd()}/${mutant.file}`);
  forget();
  try {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(suites.map(specificationOf));
    const of = (state) =>
      testModules.flatMap((module) =>
        [...module.children.allTests(state)].map((test) => ({
          suite: module.relativeModuleId,
          test: fullName(test),
          ...(state === 'failed' ? { error: test.result().errors[0]?.message } : {}),
        })),
      );
    const unloaded = testModules.flatMap((module) => module.errors().map(({ message }) => message));
    process.send({
      failed: of('failed'),
      passed: of('passed'),
      broken: unloaded[0] ?? unhandledErrors[0]?.message,
    });
  } catch (error) {
    process.send({ failed: [], passed: [], broken: String(error) });
  } finally {
    forget();
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
