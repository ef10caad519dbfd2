// npm run sbom [-- --out <file>]: what of others is in the package, as CycloneDX 1.6, from what the build put into dist.
// npm run sbom -- --notices: writes THIRD-PARTY-NOTICES, the licence texts that travel with the package; a test compares it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Contrib, Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';

const ROOT = resolve(import.meta.dirname, '..');
const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** Licences under which code may be bundled: each asks for no more than its text and its copyright lines. */
export const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Returns the packages of which something is in dist, as their package.json, with their licence texts; ordered by name. */
export const bundled = () =>
  readJson('dist/bundled.json').map((folder) => {
    const texts = readdirSync(join(ROOT, folder))
      .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
      .map((name) =>
        readFileSync(join(ROOT, folder, name), 'utf8')
          .replaceAll('\r', '')
          .trim(),
      );
    return { folder, data: readJson(`${folder}/package.json`), texts };
  });

/** Returns the address of a package by its name and version (purl). */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Returns the bill of materials as JSON. The same package gives the same text: it says no time, and its number is of what it lists. */
export function billOfMaterials() {
  const licences = new Contrib.License.Factories.LicenseFactory();
  const references = new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory();
  const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(references, licences);
  const component = (data, type) => {
    const made = builder.makeComponent(data, type);
    made.purl = purlOf(data);
    made.bomRef.value = purlOf(data);
    for (const licence of made.licenses) licence.acknowledgement = Enums.LicenseAcknowledgement.Declared;
    return made;
  };
  const main = component(readJson('package.json'), Enums.ComponentType.Application);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: main }) });
  for (const { data } of bundled()) {
    const part = component(data, Enums.ComponentType.Library);
    part.scope = Enums.ComponentScope.Required;
    bom.components.add(part);
    main.dependencies.add(part.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 1 })}\n`;
}

/** Returns what the schema of CycloneDX 1.6 has against a bill of materials; `null` where it has nothing. */
export const schemaFindings = (text) => new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);

const COPYRIGHT = /^\s*(?:\*\*)?(?:Copyright\b|©|\(c\)\s*\d)/i;

/** Returns the text for THIRD-PARTY-NOTICES: who holds what, and each licence once. */
export function notices() {
  const parts = bundled();
  const bodies = new Map();
  const holders = parts.map(({ data, texts }) => {
    // An example at the end of the Apache licence says how to write a copyright line; it is none.
    const lines = texts
      .flatMap((text) => text.split('\n'))
      .filter(
        (line) => COPYRIGHT.test(line) && !/\[yyyy\]|\{yyyy\}|copyright (?:owner|notice|license|statement)/i.test(line),
      );
    const shortest = [...texts].sort((a, b) => a.length - b.length)[0] ?? '';
    const known = bodies.get(data.license);
    if (known === undefined || shortest.length < known.length) bodies.set(data.license, shortest);
    const own = [...new Set(lines.map((line) => line.replaceAll('*', '').trim()))];
    return `${data.name} ${data.version}, ${data.license}${own.map((line) => `\n  ${line}`).join('')}`;
  });
  const licences = [...bodies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, text]) => {
      const lines = text
        .split('\n')
        .filter((line) => !COPYRIGHT.test(line) || /\[yyyy\]|copyright (?:owner|notice|license|statement)/i.test(line));
      return `--- ${id} ---\n\n${lines
        .join('\n')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim()}`;
    });
  return `sandbox-emulator contains code of these packages.\n\n${holders.join('\n')}\n\n${licences.join('\n\n')}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { out: { type: 'string' }, notices: { type: 'boolean' } } });
  if (values.notices) writeFileSync(join(ROOT, 'THIRD-PARTY-NOTICES'), notices());
  else {
    const text = billOfMaterials();
    const findings = await schemaFindings(text);
    if (findings !== null) throw new Error(`it does not fit the schema of CycloneDX: ${JSON.stringify(findings)}`);
    if (values.out) writeFileSync(values.out, text);
    else process.stdout.write(text);
  }
}
