// npm run owner -- --owner acme --repository sandbox-emulator: who publishes this. Writes the names to tools/owner.json, to every document
// in place of those before, and to package.json, whose repository npm compares with the run that publishes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const NAME = /^[\w.-]+$/;

/** Returns the documents that may name the owner, below a checkout. */
export const documents = (root) => [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'AGENTS.md',
  'llms.txt',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Returns each place in a text that names the repository of this project, or its image: the owner and, but for the image, the repository. */
export const placesIn = (text) =>
  [
    ...text.matchAll(/github\.com\/([^/\s]+)\/([^/\s]+)\/releases/g),
    ...text.matchAll(/uses: ([^/\s]+)\/([^@\s]+)@v0/g),
    ...text.matchAll(/--repo ([^/\s]+)\/([^`\s]+)/g),
    ...text.matchAll(/ghcr\.io\/([^/\s]+)\/sandbox-emulator/g),
  ].map(([, owner, repository]) => ({ owner, repository }));

/** Sets owner and repository in a checkout, in place of those that are set. */
export function setOwner(root, { owner, repository }) {
  for (const name of [owner, repository])
    if (!NAME.test(name ?? '')) throw new Error(`--owner and --repository are names of GitHub's, not ${name}`);
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const write = (file, text) => writeFileSync(join(root, file), text);
  const before = JSON.parse(read('tools/owner.json'));
  for (const file of documents(root))
    write(
      file,
      read(file)
        .replaceAll(`${before.owner}/${before.repository}`, `${owner}/${repository}`)
        .replaceAll(`ghcr.io/${before.owner.toLowerCase()}/`, `ghcr.io/${owner.toLowerCase()}/`),
    );
  const { repository: _, ...rest } = JSON.parse(read('package.json'));
  const url = `git+https://github.com/${owner}/${repository}.git`;
  write('package.json', `${JSON.stringify({ ...rest, repository: { type: 'git', url } }, null, 2)}\n`);
  write('tools/owner.json', `${JSON.stringify({ owner, repository })}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  setOwner(
    resolve(import.meta.dirname, '..'),
    parseArgs({ options: { owner: { type: 'string' }, repository: { type: 'string' } } }).values,
  );
