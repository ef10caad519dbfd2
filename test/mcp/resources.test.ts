import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));

test('every page, scenario, llms and OpenAPI is a resource of MCP with a title', async () => {
  const { client } = await agent(await kit());
  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name).sort()).toEqual(
    [
      ...PAGES.map((name) => `docs/${name.replace('.md', '')}`),
      ...BUILT_INS.map((name) => `scenarios/${name}`),
      ...['llms', 'openapi'],
    ].sort(),
  );
  expect(resources.filter(({ title }) => !title).map(({ name }) => name)).toEqual([]);
});

test('a page and a scenario are read as resources exactly as they are written', async () => {
  const { client } = await agent(await kit());
  for (const [uri, file] of [
    ['docs/webhooks', 'docs/webhooks.md'],
    ['scenarios/wallet', 'scenarios/wallet.yaml'],
    ['llms', 'llms.txt'],
  ]) {
    const { contents } = await client.readResource({ uri: `sandbox-emulator://${uri}` });
    expect(contents).toMatchObject([{ text: readFileSync(join(ROOT, String(file)), 'utf8') }]);
  }
});

test('an operation is read as a resource with the schemas of its body and replies', async () => {
  const it = await kit();
  const { client } = await agent(it);
  const { contents } = await client.readResource({ uri: 'sandbox-emulator://operations/createInvitation' });
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(
    (await it.control('GET', '/operations/createInvitation')).body,
  );
});

test('a resource that does not exist is refused with a sentence', async () => {
  const { client } = await agent(await kit());
  for (const name of ['docs/nothing', 'docs/..%2Fpackage.json', 'package.json', 'operations/nothing'])
    await expect(client.readResource({ uri: `sandbox-emulator://${name}` })).rejects.toThrow(/there is no /);
});

test('the prompts name tools that exist', async () => {
  const { client } = await agent(await kit());
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['integrate', 'find_why']);
  for (const [name, given] of [
    ['integrate', { goal: 'pay suppliers' }],
    ['find_why', { request: 'req_7' }],
    ['find_why', {}],
  ] as const) {
    const { messages } = await client.getPrompt({ name, arguments: given });
    const [{ content }] = messages as [(typeof messages)[number]];
    const { text } = content as { text: string };
    for (const value of Object.values(given)) expect(text).toContain(value);
    const named = [...text.matchAll(/\b([a-z]+_[a-z]+|why|overview|clock|webhooks|faults|snapshots)\b(?= \{)/g)];
    expect(named.map(([tool]) => tool).filter((tool) => !tools.some((one) => one.name === tool))).toEqual([]);
  }
});
