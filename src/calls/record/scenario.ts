import { stringify } from 'yaml';
import { ACCOUNTS } from '../../areas/accounts/index.ts';
import { jsonIn } from '../../contract/json.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { maskSent } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { ScenarioError } from '../../scenario/error.ts';
import { parseScenario } from '../../scenario/load.ts';
import type { Recording } from './recording.ts';
import { isPublic, withSecrets } from './secrets.ts';
import { inSlices } from './slices.ts';

type Members = Record<string, unknown>;

/** A scenario under construction, and the labels of its entries. */
class Draft {
  readonly customers: Members[] = [];
  readonly externalAccounts: Members[] = [];
  readonly notes: string[] = [];
  readonly #labels = new Map<string, string>();
  readonly #accounts = new Map<string, { customer: Members; currency: string }>();

  /** Returns the label of an id; makes one like the wanted one if it has none. */
  label(id: string, wanted: string): string {
    const word =
      wanted
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'row';
    const taken = new Set(this.#labels.values());
    let label = word;
    for (let i = 2; taken.has(label); i += 1) label = `${word}-${i}`;
    this.#labels.set(id, label);
    return label;
  }

  labelOf(id: unknown): string | undefined {
    return typeof id === 'string' ? this.#labels.get(id) : undefined;
  }

  knowAccount(id: string, customer: Members, currency: string): void {
    this.#accounts.set(id, { customer, currency });
  }

  account(id: unknown): { customer: Members; currency: string } | undefined {
    return typeof id === 'string' ? this.#accounts.get(id) : undefined;
  }
}

/** Adds the effect of a call to a scenario; returns false if a scenario cannot express it. */
type Adds = (draft: Draft, sent: Members, reply: Members, context: CommandContext, entry: Entry) => boolean;

const ADDS: Readonly<Record<string, Adds>> = {
  createCustomer: (draft, sent, reply, { sandbox }) => {
    const wanted = sent['fullName'] ?? (sent['businessInfo'] as Members | undefined)?.['legalName'] ?? 'customer';
    const id = String(reply['id']);
    const customer: Members = { label: draft.label(id, String(wanted)), ...sent, accounts: {} };
    draft.customers.push(customer);
    for (const account of sandbox.world.rows(ACCOUNTS).all('owner', id))
      draft.knowAccount(account.id, customer, account.currency);
    return true;
  },
  createCustomerExternalAccount: (draft, sent) => externalAccount(draft, sent),
  createPlatformExternalAccount: (draft, sent) => externalAccount(draft, sent),
  sandboxFundInternalAccount: (draft, sent, _, __, entry) => {
    const found = draft.account(decodeURIComponent(entry.path.split('/').at(-2) ?? ''));
    if (!found || typeof sent['amount'] !== 'number') return false;
    const accounts = found.customer['accounts'] as Record<string, number>;
    accounts[found.currency] = (accounts[found.currency] ?? 0) + sent['amount'];
    return true;
  },
};

function externalAccount(draft: Draft, sent: Members): boolean {
  const { customerId, ...rest } = sent;
  const customer = draft.labelOf(customerId);
  if (customerId !== undefined && customer === undefined) return false;
  const label = draft.label(`external ${draft.externalAccounts.length}`, `${customer ?? 'platform'}-bank`);
  draft.externalAccounts.push({ label, ...(customer ? { customer } : {}), ...rest });
  return true;
}

/** Returns lists as YAML, a few members per turn of the event loop: the library is slow. */
async function yamlOf(lists: Readonly<Record<string, readonly object[]>>): Promise<string> {
  let text = '';
  for (const [name, rows] of Object.entries(lists))
    text += `${name}:\n${(await inSlices(rows, (row) => stringify({ rows: [row] }, { lineWidth: 120 }).slice('rows:\n'.length))).join('')}`;
  return text || '{}\n';
}

/**
 * Returns a recording as a scenario file: everything its calls made that a scenario can express; comments name the
 * rest.
 */
export async function scenarioFile(context: CommandContext, { entries, notes }: Recording): Promise<string> {
  const draft = new Draft();
  draft.notes.push(...notes);
  await inSlices(entries, (entry) => {
    if (entry.method === 'GET' || entry.status >= 300) return;
    const sent = withSecrets(jsonIn(entry.body) ?? {}, jsonIn(maskSent(entry)), (value, member) => {
      if (isPublic(value)) return value;
      draft.notes.push(
        `${member} of ${entry.operation} (${entry.id}) was a secret, which the log does not show: add yours`,
      );
      return undefined;
    }) as Members;
    const reply = (jsonIn(entry.reply) ?? {}) as Members;
    if (!(ADDS[entry.operation ?? '']?.(draft, sent, reply, context, entry) ?? false))
      draft.notes.push(`${entry.operation} (${entry.id}) has no place in a scenario: send it once the sandbox runs`);
  });
  const customers = draft.customers.map(({ accounts, ...rest }) =>
    Object.keys(accounts as object).length > 0 ? { ...rest, accounts } : rest,
  );
  const { externalAccounts } = draft;
  const scenario = {
    ...(customers.length > 0 ? { customers } : {}),
    ...(externalAccounts.length > 0 ? { externalAccounts } : {}),
  };
  try {
    await parseScenario(scenario, 'recording');
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    for (const { message } of error.problems) draft.notes.push(`mend this by hand: ${message}`);
  }
  const lines = draft.notes.map((note) => `# ${note}\n`).join('');
  return `# yaml-language-server: $schema=node_modules/sandbox-emulator/scenario.schema.json\n${lines}${await yamlOf(scenario)}`;
}
