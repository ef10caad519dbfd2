// Writes the types of events, operations and scenarios (types/*.d.ts) from the code that describes them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Writes them into `types`, which lies where both `src` and `dist` find it as `../types`. */
export async function writeCatalogue() {
  const file = `.dist-catalogue-${process.pid}.mjs`;
  await build({
    stdin: {
      contents: `
        export { openApiDocument } from './http/openapi.ts';
        export { catalogueOf } from './http/catalogue.ts';
        export { PROFILES } from './contract/profile.ts';
        export { scenarioTypes } from './scenario/publish.ts';`,
      resolveDir: 'src',
    },
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    define: { __VERSION__: JSON.stringify(version) },
  });
  try {
    const { openApiDocument, catalogueOf, PROFILES, scenarioTypes } = await import(
      new URL(`../${file}`, import.meta.url).href
    );
    const files = catalogueOf({
      spec: openApiDocument(PROFILES.spec, []),
      grid: openApiDocument(PROFILES.grid, []),
      scenario: scenarioTypes(),
    });
    mkdirSync('types', { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(`types/${name}`, text);
  } finally {
    rmSync(file);
  }
}

if (process.argv[1] === import.meta.filename) await writeCatalogue();
