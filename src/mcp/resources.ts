import { readdir, readFile } from 'node:fs/promises';
import { commands } from '../sandbox/commands/index.ts';
import type { Client } from './client.ts';

/** A document that a client may read. */
export interface Document {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly about?: string;
  readonly mimeType: string;
  read(client: Client): Promise<string>;
}

/** The package is two levels up from here, built or not. */
const PACKAGE = new URL('../../', import.meta.url);
/** The prefix of every document's address. */
export const SCHEME = 'sandbox-emulator://';

const fileNames = (folder: string, end: string): Promise<string[]> =>
  readdir(new URL(folder, PACKAGE)).then(
    (names) => names.filter((name) => name.endsWith(end)).sort(),
    // A program without files of its own has no documents to serve.
    () => [],
  );

const textOf = (file: string): Promise<string> => readFile(new URL(file, PACKAGE), 'utf8');

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

const page = async (file: string): Promise<Document> => {
  const name = file.replace(/\.\w+$/, '');
  const text = await textOf(file);
  return { name, uri: `${SCHEME}${name}`, title: titleOf(text), mimeType: 'text/markdown', read: async () => text };
};

async function found(): Promise<Document[]> {
  const [docs, scenarios, guide] = await Promise.all([
    fileNames('docs/', '.md'),
    fileNames('scenarios/', '.yaml'),
    fileNames('', 'llms.txt'),
  ]);
  const pages = await Promise.all([...guide, ...docs.map((name) => `docs/${name}`)].map(page));
  return [
    ...pages,
    ...scenarios.map((file) => ({
      name: `scenarios/${file.replace('.yaml', '')}`,
      uri: `${SCHEME}scenarios/${file.replace('.yaml', '')}`,
      title: `Scenario ${file.replace('.yaml', '')}`,
      mimeType: 'application/yaml',
      read: () => textOf(`scenarios/${file}`),
    })),
    {
      name: 'openapi',
      uri: `${SCHEME}openapi.json`,
      title: 'OpenAPI 3.1 document',
      about: 'Every operation, 2 MB; the tool describe_operation shows one of them',
      mimeType: 'application/json',
      read: (client) => client.text(commands.emulator.openApi, {}),
    },
  ];
}

let known: Promise<Document[]> | undefined;

/** Returns the pages of the documentation, the built-in scenarios and the OpenAPI document; read once per process. */
export const documents = (): Promise<Document[]> => (known ??= found());
