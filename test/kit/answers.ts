import type { TestProject } from 'vitest/node';
import { judgeNotes, openNotes } from './seen.ts';

/** Whether a run was one of every test of its project, each of them. */
async function isWhole(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const ran = new Set(project.vitest.state.getTestModules().map(({ moduleId }) => moduleId));
  return !project.vitest.getGlobalTestNamePattern() && testFiles.every((file) => ran.has(file));
}

/** When the run is over, declared answers that no test has seen are printed; a whole run fails for one of them. */
export default function setup(project: TestProject): () => Promise<void> {
  openNotes();
  return async () => {
    const whole = await isWhole(project);
    const { missing, text } = judgeNotes(whole);
    console.log(`\n${text}`);
    if (!whole || missing === 0) return;
    console.error('an answer that is declared has to be seen by a test: this run fails');
    process.exitCode = 1;
  };
}
