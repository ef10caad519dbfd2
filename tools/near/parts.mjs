// What of .ci/night a change asks for at once: node tools/near/parts.mjs prints the names, one a line, and why on stderr. It compares
// with LANDED, the last commit that passed; else with the last one that this clone saw pass; else with that of .ci/landed, which a
// person writes there when a CI has passed it; else with main. Without any of them, all.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { changedSince, git, testsNear } from './changed.mjs';

/** What decides how a program is put together and started. */
const BUILD =
  /^(?:package(?:-lock)?\.json|tsconfig.*\.json|build\.mjs|bin\/|tools\/core\/|scripts\/|src\/version\.ts|src\/cli\/(?:bin|start|first|main)|\.ci\/run|\.ci\/night|tools\/near\/)/;
/** Lines that depend on how the program was built, or on the Node that runs it. */
const BY_RUNTIME =
  /import\.meta|\bimport\(|['"]node:|createRequire|process\.(?:versions?|binding|execArgv|features)|\bWebAssembly\b|#.*\bv8\b/;

const PLANTED = ['test/planted/faults.ts', 'test/planted/operation.ts'];
/** Files in which something is planted, and the suites that have to find it. */
const planted = () =>
  PLANTED.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=')(?:src|test)\/[^']+(?=')/g) ?? []);

/** Each part: the files that it depends on, and lines of `src` that concern it wherever they stand. */
export const PARTS = {
  executable: {
    files: (file) =>
      BUILD.test(file) ||
      /^(?:tools\/executable\/|test\/executable\/|Dockerfile|\.dockerignore|action)/.test(file) ||
      file === '.ci/image',
    lines: BY_RUNTIME,
  },
  nodes: {
    files: (file) => BUILD.test(file) || /^(?:test\/journeys\/live\/|\.ci\/|src\/crypto\/)/.test(file),
    lines: BY_RUNTIME,
  },
  planted: {
    files: (file) =>
      // Falsifications are replayed at night: a rule that is added asks for nothing more.
      /^(?:test\/planted\/(?!falsif)|test\/parity\/|test\/hostile\/|src\/parity\/|vitest\.config\.ts)/.test(file) ||
      planted().includes(file),
  },
};

/** The parts that a change asks for: by the files that it touches, and by the lines of the product that it adds or takes away. */
export const partsOf = (files, lines) =>
  Object.entries(PARTS)
    .filter(([, part]) => files.some(part.files) || (part.lines && lines.some((line) => part.lines.test(line))))
    .map(([name]) => name);

/** Rooms whose random tests take a minute or two at length: they run with every change of what they test. */
const SOON = /^test\/(?:areas|crypto|engine|house|ledger|scenario)/;

/**
 * Folders whose random tests a change runs at length: those near to what it touches where that takes a minute, and any whose own
 * tests it touches. Every other change meets them at their ordinary length, and at full length in the night.
 */
export const thoroughOf = (files) => [
  ...new Set([
    ...files
      .map((file) => [file, testsNear(file)])
      .flatMap(([file, near]) =>
        near && (SOON.test(near) || file.startsWith('test/')) && !/^test\/(?:kit|planted)$/.test(near) ? [near] : [],
      ),
    ...(files.some((file) => file.startsWith('src/')) ? ['test/house'] : []),
  ]),
];

const known = (commit) => {
  try {
    return git('rev-parse', '--verify', `${commit}^{commit}`)[0];
  } catch {
    return undefined;
  }
};

/** The commit to compare with; nothing where none is known to have passed. */
function landed() {
  const head = known('HEAD');
  const given = process.env.LANDED;
  if (given) return known(given);
  const isBefore = (commit) => commit && commit !== head && git('merge-base', commit, 'HEAD')[0] === commit;
  for (const passed of [known('refs/ci/passed'), known(readFileSync('.ci/landed', 'utf8').trim())])
    if (isBefore(passed)) return passed;
  const main = known('origin/main') ?? known('main');
  const shared = main && git('merge-base', main, 'HEAD')[0];
  if (shared && shared !== head) return shared;
  // What a merge was merged into had landed before.
  return known('HEAD^2') ? known('HEAD^1') : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const base = process.env.EVERYTHING ? undefined : landed();
  const files = base ? changedSince(base) : [];
  const lines = base ? git('diff', '-U0', base, '--', 'src').filter((line) => /^[+-](?![+-]{2})/.test(line)) : [];
  console.error(base ? `compared with ${base}: ${files.length} files` : 'nothing to compare with: everything is run');
  if (process.argv[2] === 'thorough') console.log(base ? thoroughOf(files).join(' ') : 'test');
  else for (const part of base ? partsOf(files, lines) : Object.keys(PARTS)) console.log(part);
}
