import type { Profile } from '../contract/profile.ts';

/** Set by the build, which makes the documents with the very code that makes them when nothing was built. */
declare const __OPENAPI_BUILT__: boolean | undefined;

/** The document of a profile, without servers. When the package was built it is a file beside it, read when requested. */
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

/** The OpenAPI document as JSON text, naming where the API answers. */
export async function openApiText(profile: Profile, servers: readonly string[]): Promise<string> {
  let text = texts.get(profile);
  if (!text) {
    text = documentText(profile);
    texts.set(profile, text);
    // What could not be read once may be readable the next time.
    text.catch(() => texts.delete(profile));
  }
  const named = JSON.stringify(servers.map((url) => ({ url })));
  // The only such member at the top: those of the document stand for nothing yet, and schemas know no such name.
  return (await text).replace('"servers":[]', () => `"servers":${named}`);
}
