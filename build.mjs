// Builds dist: one bundle for the command line, one an entry for programs, types, and the scenario schema.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { build, context, transformSync } from 'esbuild';
import { parse } from 'yaml';
import { writeCatalogue } from './tools/catalogue.mjs';
import { joinCore } from './tools/core/build.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const watching = process.argv.includes('--watch');
// It takes seconds on a small machine, and `npm start` begins with it.
console.error(watching ? 'building, and again after each change' : 'building ...');
// Built beside and put in place at the end: a build that fails, or a second one, leaves a dist that works.
const out = watching ? 'dist' : `.dist-${process.pid}`;
mkdirSync(out, { recursive: true });
process.on('exit', () => !watching && rmSync(out, { recursive: true, force: true }));

// Scenarios are checked, and their schema is made, by the very code that will read them.
await build({
  entryPoints: ['src/scenario/publish.ts'],
  outfile: `${out}/publish.mjs`,
  bundle: true,
  platform: 'node',
  format: 'esm',
});
const { parsedScenario, scenarioJsonSchema } = await import(new URL(`${out}/publish.mjs`, import.meta.url).href);
rmSync(`${out}/publish.mjs`);
const scenarios = Object.fromEntries(
  readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const source = parse(readFileSync(`scenarios/${file}`, 'utf8'));
      return [file.replace('.yaml', ''), { source, parsed: parsedScenario(source) }];
    }),
);
// On one line: an editor reads it, and indented it is nearly twice as long.
writeFileSync('scenario.schema.json', `${JSON.stringify(scenarioJsonSchema())}\n`);

// The HTTP adapter asks node:http2 for a class to compare with and a number; loading the real one costs every start 7 ms.
const withoutHttp2 = {
  name: 'without-http2',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http2$/ }, () => ({ path: 'http2', namespace: 'names' }));
    onLoad({ filter: /.*/, namespace: 'names' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = { NGHTTP2_NO_ERROR: 0 };',
    }));
  },
};

// The Model Context Protocol's library brings a validator of what clients are asked, and this server asks its clients nothing.
const withoutValidator = {
  name: 'without-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajvProvider-\w+\.mjs$/ }, ({ path, importer }) =>
      /[\\/]@modelcontextprotocol[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: `export class n { constructor() { throw new Error('not in this build'); } }\nexport { n as t };`,
    }));
  },
};

// The library of passkeys knows certificates of makers, too, which nothing here asks for: no module of it acts when it is loaded.
const withoutCertificates = {
  name: 'without-certificates',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^/ }, async ({ path, pluginData, ...how }) => {
      const isIts = path.startsWith('@simplewebauthn/') || /[\\/]@simplewebauthn[\\/]/.test(how.importer);
      if (!isIts || pluginData === 'resolving') return undefined;
      return { ...(await resolve(path, { ...how, pluginData: 'resolving' })), sideEffects: false };
    });
  },
};

// What pages load or contain, read from src when nothing was built. The parts of the inspector's are joined when they are served.
const parts = ['inspector/look', 'inspector/login', 'inspector/client', 'hosted'].flatMap((room) =>
  readdirSync(`src/${room}`)
    .filter((file) => /\.(?:css|js|svg)$/.test(file))
    .map((file) => `${room}/${file}`),
);
const assets = Object.fromEntries(
  parts.map((file) => {
    const text = readFileSync(`src/${file}`, 'utf8');
    const loader = file.split('.').pop();
    return [
      file,
      loader === 'svg' ? text.trim() : transformSync(text, { loader, minify: true, target: 'es2022' }).code,
    ];
  }),
);

// The OpenAPI documents take a second to make and never change: made here, by the code that would make them later.
await build({
  stdin: {
    contents: "export { openApiDocument } from './http/openapi.ts';\nexport { PROFILES } from './contract/profile.ts';",
    resolveDir: 'src',
  },
  outfile: `${out}/openapi.mjs`,
  bundle: true,
  platform: 'node',
  format: 'esm',
  plugins: [withoutHttp2],
  define: { __VERSION__: JSON.stringify(version) },
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});
const { openApiDocument, PROFILES } = await import(new URL(`${out}/openapi.mjs`, import.meta.url).href);
rmSync(`${out}/openapi.mjs`);
mkdirSync(`${out}/openapi`, { recursive: true });
// As text for tools in a checkout; the package has them packed, for the two are a third of its size.
for (const profile of Object.values(PROFILES)) {
  const text = JSON.stringify(openApiDocument(profile, []));
  writeFileSync(`${out}/openapi/${profile.name}.json`, text);
  writeFileSync(`${out}/openapi/${profile.name}.json.br`, brotliCompressSync(text));
}

/** @type {import('esbuild').BuildOptions} */
const options = {
  plugins: [withoutHttp2, withoutValidator, withoutCertificates],
  entryPoints: {
    cli: 'src/cli/bin.ts',
    index: 'src/index.ts',
    testkit: 'src/testkit/index.ts',
    vitest: 'src/fixtures/vitest.ts',
  },
  external: ['vitest'],
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  // Modules before scripts: only what is used of a library is packed.
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'node20.19',
  minify: !process.env.NOMIN,
  legalComments: 'none',
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  define: {
    __VERSION__: JSON.stringify(version),
    // Text, not objects: those esbuild would put into a module that every other one loads.
    __SCENARIOS__: JSON.stringify(brotliCompressSync(JSON.stringify(scenarios)).toString('base64')),
    __DEFAULT_SCENARIO__: JSON.stringify(JSON.stringify(scenarios['default'].parsed)),
    __ASSETS__: JSON.stringify(JSON.stringify(assets)),
    __OPENAPI_BUILT__: 'true',
  },
  logLevel: 'warning',
};

if (watching) {
  await (await context(options)).watch();
} else {
  const { metafile } = await build({ ...options, metafile: true });
  await joinCore(out, metafile, ['src/cli/bin.ts', 'src/cli/commands/start.ts', 'src/cli/commands.ts', 'src/index.ts']);
  if (!process.argv.includes('--no-types')) {
    await writeCatalogue();
    execFileSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', `${out}/types`],
      {
        stdio: 'inherit',
      },
    );
    // From either place they are found as `../types/catalogue.js`.
    for (const file of readdirSync('types')) copyFileSync(`types/${file}`, `${out}/types/${file}`);
  } else if (existsSync('dist/types')) {
    // A project that links this checkout compiles with them.
    cpSync('dist/types', `${out}/types`, { recursive: true });
  }
  // For tools/sbom.mjs: which packages anything of is in it.
  const from = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? (/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []) : [],
    ),
  );
  writeFileSync(`${out}/bundled.json`, JSON.stringify([...new Set(from)].sort()));
  writeFileSync(`${out}/version.json`, JSON.stringify({ version }));
  const old = `${out}-old`;
  if (existsSync('dist')) renameSync('dist', old);
  renameSync(out, 'dist');
  rmSync(old, { recursive: true, force: true });
}
