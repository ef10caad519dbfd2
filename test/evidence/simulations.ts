import type { TestProject } from 'vitest/node';
import { openNotes, takeNotes } from '../kit/seen.ts';
import { settle } from './store.ts';

/** When every simulation has run, the operations that took part are compared with docs/evidence.json, or written there. */
export default function setup(project: TestProject): () => Promise<void> {
  openNotes();
  return async () => {
    const { evidence } = takeNotes();
    const { testFiles } = await project.globTestFiles();
    const ran = new Set(project.vitest.state.getTestModules().map(({ moduleId }) => moduleId));
    const simulations = testFiles.filter((file) => file.endsWith('/simulation.test.ts'));
    if (project.vitest.getGlobalTestNamePattern() || !simulations.every((file) => ran.has(file))) return;
    const unsettled = settle(evidence, 'simulations', project);
    if (unsettled === undefined) return;
    console.error(unsettled);
    process.exitCode = 1;
  };
}
