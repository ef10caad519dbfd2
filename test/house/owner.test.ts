import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { documents, placesIn, setOwner } = await import(new URL('../../tools/owner.mjs', import.meta.url).href);

interface Place {
  owner: string;
  repository?: string;
}
const ownerIn = (root: string): { owner: string; repository: string } =>
  JSON.parse(readFileSync(join(root, 'tools/owner.json'), 'utf8'));
const places = (root: string): [string, Place][] =>
  documents(root).flatMap((file: string) =>
    placesIn(readFileSync(join(root, file), 'utf8')).map((place: Place) => [file, place]),
  );

/** A copy of the documents, to set another owner in. */
function copy(): string {
  const at = mkdtempSync(join(tmpdir(), 'sandbox-emulator-owner-'));
  onTestFinished(() => rmSync(at, { recursive: true }));
  for (const file of [...documents(ROOT), 'package.json', 'tools/owner.json']) {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    cpSync(join(ROOT, file), join(at, file));
  }
  return at;
}

test('every document that names the repository or the image has the names of tools/owner.json', () => {
  const { owner, repository } = ownerIn(ROOT);
  const found = places(ROOT);
  expect(found.length).toBeGreaterThan(6);
  for (const [file, place] of found) {
    expect([file, place.owner.toLowerCase()]).toEqual([file, owner.toLowerCase()]);
    if (place.repository) expect([file, place.repository]).toEqual([file, repository]);
  }
  // npm compares it with the run that publishes: it is set as soon as there is an owner.
  const declared = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).repository?.url;
  expect(declared).toBe(owner.startsWith('<') ? undefined : `git+https://github.com/${owner}/${repository}.git`);
});

test('the owner of the repository can be set in every place, and set again', () => {
  const at = copy();
  const before = places(at).length;
  for (const names of [
    { owner: 'Acme-Pay', repository: 'sandbox' },
    { owner: 'other', repository: 'emulator.js' },
  ]) {
    setOwner(at, names);
    expect(ownerIn(at)).toEqual(names);
    expect(places(at)).toHaveLength(before);
    for (const [, place] of places(at)) {
      expect(place.owner.toLowerCase()).toBe(names.owner.toLowerCase());
      if (place.repository) expect(place.repository).toBe(names.repository);
    }
    for (const file of documents(at)) expect(readFileSync(join(at, file), 'utf8')).not.toMatch(/<owner>|<repository>/);
    expect(JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).repository.url).toBe(
      `git+https://github.com/${names.owner}/${names.repository}.git`,
    );
  }
});

test('an owner whose name GitHub would not take is refused, and nothing is written', () => {
  const at = copy();
  expect(() => setOwner(at, { owner: 'a b', repository: 'x' })).toThrow("are names of GitHub's, not a b");
  expect(ownerIn(at)).toEqual(ownerIn(ROOT));
});
