import * as z from 'zod';
import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { undoneText } from '../../sandbox/undone.ts';
import { type Client, Refused } from '../client.ts';
import { fitted, pageThatFits, partOf } from '../fit.ts';
import { nearest } from '../nearest.ts';
import { paged, texts, things, tool } from '../tool.ts';

export const overview = tool(
  'overview',
  {
    title: 'Overview',
    answers: () => ({
      ...texts('sandbox', 'baseUrl', 'profile'),
      ...things('credentials', 'clock', 'rows', 'lastRequests'),
    }),
    about:
      'Start here: base URL and credentials of the API, profile, clock, webhook endpoint, row counts, and the latest requests. Use it to configure the code under test.',
    reads: true,
  },
  () => ({}),
  async (client) => {
    const [sandbox, health, endpoint, tables, requests, coverage] = await Promise.all([
      client.ask(commands.sandboxes.present, {}),
      client.ask(commands.emulator.health, {}),
      client.ask(commands.webhooks.endpoint, {}),
      client.ask(commands.rows.tables, {}),
      client.ask(commands.requests.list, { limit: 5 }),
      // Refused if nothing is counted, which is the default.
      client.ask(commands.emulator.coverage, {}).catch((error: unknown) => {
        if (error instanceof Refused) return undefined;
        throw error;
      }),
    ]);
    const { id, baseUrl, inspectorUrl, credentials, clock } = sandbox;
    const [login] = credentials;
    return {
      sandbox: id,
      baseUrl,
      credentials: { clientId: login?.id, clientSecret: login?.secret ?? 'any', scheme: 'HTTP Basic' },
      inspector: inspectorUrl,
      profile: health.profile,
      version: health.version,
      clock,
      webhooks: endpoint,
      rows: Object.fromEntries(tables.data.map(({ name, rows }) => [name, rows])),
      lastRequests: requests.data.map(({ id: request, method, path, status, code, ...rest }) =>
        [request, status, method, path, code, undoneText(rest)].filter(Boolean).join(' '),
      ),
      ...(coverage ? { neverMet: nearest(coverage) } : {}),
      next: 'find_operation finds what to call; webhooks {act: "set_endpoint"} sets where events go',
    };
  },
);

export const readState = tool(
  'read_state',
  {
    title: 'Read state',
    answers: () => ({ ...things('tables', 'rows', 'resource', 'decisions', 'payment'), ...texts('nextCursor') }),
    about:
      'Read the data of the sandbox without calling the API: row counts of all tables; with table, its rows, newest first; with id, one resource and the decisions it allows; for a payment also its plan, steps and postings. Secrets are masked.',
    reads: true,
  },
  () => ({
    table: z.string().max(100).optional().describe('Rows of this table, such as customers or transactions'),
    id: z.string().max(200).optional().describe('The resource with this id'),
    path: z.string().max(200).optional().describe('With id: only this part, such as resource.address'),
    ...paged(),
  }),
  async (client, { table, id, path, limit, cursor }) => {
    if (id !== undefined) {
      const found: { table: string; decisions: readonly unknown[] } = await client.ask(commands.rows.read, { id });
      const payment =
        found.table === TRANSACTIONS.name ? await client.ask(commands.records.transaction, { id }) : undefined;
      const whole = payment === undefined ? found : { ...found, payment };
      const part = path === undefined ? whole : partOf(whole, path);
      if (part === undefined) throw new Error(`${id} has no ${path}; it has ${Object.keys(whole).join(', ')}`);
      const { value, short } = fitted(part);
      return {
        ...(path === undefined ? (value as object) : { [path]: value }),
        ...nextOf(
          short && 'path shows a part in full',
          found.decisions.length > 0 && `decide {id: "${id}"} decides by hand`,
        ),
      };
    }
    if (table === undefined) {
      const { data } = await client.ask(commands.rows.tables, {});
      return { tables: data, next: 'table: "<name>" shows its rows, id: "<id>" one of them' };
    }
    const ask = (most: number) => client.ask(commands.rows.list, { name: table, limit: most, cursor });
    const { page, rows, short } = await pageThatFits(ask, limit).catch(async (error: unknown) => {
      throw error instanceof Refused && error.status === 404 ? await unknownTable(client, table) : error;
    });
    return {
      rows,
      totalCount: page.totalCount,
      ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}),
      ...nextOf(
        short && 'rows are shortened: id shows one in full',
        page.nextCursor && 'cursor: nextCursor shows the next',
      ),
    };
  },
);

const nextOf = (...hints: readonly (string | false | undefined)[]): { next?: string } => {
  const said = hints.filter(Boolean);
  return said.length > 0 ? { next: said.join('; ') } : {};
};

export const sentCodes = tool(
  'sent_codes',
  {
    title: 'Codes that were sent',
    answers: () => ({ ...things('codes') }),
    about:
      'One-time codes that the service "sent" by email or SMS, newest first: what a person would read on a phone. Device codes of agents, too.',
    reads: true,
  },
  () => ({ subject: z.string().max(200).optional().describe('Only about the resource with this id'), ...paged() }),
  async (client, { subject, limit, cursor }) => {
    const ask = (most: number) => client.ask(commands.records.codes, { subject, limit: most, cursor });
    const { page, rows } = await pageThatFits(ask, limit);
    return {
      codes: rows,
      ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}),
      ...(rows.length === 0 ? { next: 'none was sent: call the operation that sends one first' } : {}),
    };
  },
);

/** Returns an error with the names of the tables that have rows. */
async function unknownTable(client: Client, name: string): Promise<Error> {
  const { data } = await client.ask(commands.rows.tables, {});
  return new Error(`there is no table ${name}; there is ${data.map((one) => one.name).join(', ')}`);
}
