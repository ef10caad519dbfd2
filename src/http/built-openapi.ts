import type { Profile } from '../contract/profile.ts';

/** Set by the build, which makes the documents with the same code that makes them without a build. */
declare const __OPENAPI_BUILT__: boolean | undefined;

/** Returns the document of a profile, without servers. In a built package it is a file beside it, read on demand. */
async function documentText(profile: Profile): Promise<string> {
  if (typeof __OPENAPI_BUILT__ === 'boolean') {
    const [{ readFile }, { brotliDecompressSync }] = await Promise.all([
      import('node:fs/promises'),
      import('node:zlib'),
    ]);
    const file = await readFile(new URL(`../openapi/${profile.name}.json.br`, import.meta.url));
    return brotliDecompressSync(file).toString('utf8');
  }
  const { openApiDocument } = await import('./openapi.ts');
  return JSON.stringify(openApiDocument(profile, []));
}

const texts = new Map<Profile, Promise<string>>();

/** Returns the OpenAPI document as JSON text, with the addresses of the API. */
export async function openApiText(profile: Profile, servers: readonly string[]): Promise<string> {
  let text = texts.get(profile);
  if (!text) {
    text = documentText(profile);
    texts.set(profile, text);
    // A failed read may succeed the next time.
    text.catch(() => texts.delete(profile));
  }
  const named = JSON.stringify(servers.map((url) => ({ url })));
  // The first match is the one at the top: the others are empty defaults, and no schema has this name.
  return (await text).replace('"servers":[]', () => `"servers":${named}`);
}
