import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { commandLine } from '../kit/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The document as the code makes it, with the version that the build writes in. */
const made = (profile: (typeof PROFILES)['spec'], servers: string[] = []) => {
  const document = JSON.parse(JSON.stringify(openApiDocument(profile, servers)));
  document.info.version = version;
  return document;
};

describe('the OpenAPI document', () => {
  test.each(Object.values(PROFILES).map((profile) => [profile.name, profile] as const))(
    'the OpenAPI document that the build ships for profile %s is the one that the code makes (R6)',
    (name, profile) => {
      const built = brotliDecompressSync(readFileSync(join(ROOT, `dist/openapi/${name}.json.br`))).toString('utf8');
      expect(JSON.parse(built)).toEqual(made(profile));
    },
  );

  test('the OpenAPI document of the built command line has its own address, and is otherwise that of the source (R6)', async () => {
    const { ready } = commandLine(['--json', '--port', '0', '--profile', 'grid', '--base-path', '/mine/v1']);
    const { url } = await ready();
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual(made(PROFILES.grid, [`${url}/mine/v1`]));
  });
});
