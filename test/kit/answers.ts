import type { TestProject } from 'vitest/node';
import { settle } from '../evidence/store.ts';
import { judge, openNotes, takeNotes } from './seen.ts';

/** Whether a run was one of every test of its project, each of them. */
async function isWhole(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const ran = new Set(project.vitest.state.getTestModules().map(({ moduleId }) => moduleId));
  return !project.vitest.getGlobalTestNamePattern() && testFiles.every((file) => ran.has(file));
}

/**
 * When a whole run is over, declared answers that no test has seen are printed. It fails for one of them, and where
 * docs/evidence.json says anything else than the run has seen.
 */
export default function setup(project: TestProject): () => Promise<void> {
  openNotes();
  return async () => {
    const whole = await isWhole(project);
    const { answers, evidence } = takeNotes();
    const { missing, text } = judge(answers, whole);
    // A run of some files lists nothing: 401 of every operation, for one, is tested elsewhere.
    console.log(`\n${whole ? text : text.split('\n', 1)[0]}`);
    if (!whole) return;
    const unsettled = settle(evidence, 'all else', project);
    if (missing > 0) console.error('an answer that is declared has to be seen by a test: this run fails');
    if (unsettled !== undefined) console.error(unsettled);
    if (missing > 0 || unsettled !== undefined) process.exitCode = 1;
  };
}
