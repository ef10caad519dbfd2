import { ACCOUNTS } from '../../src/areas/accounts/index.ts';
import { LEDGER_RULES } from '../../src/areas.ts';
import { atOnce } from '../../src/engine/slices.ts';
import type { World } from '../../src/engine/world.ts';
import { audit, checkRule } from '../../src/ledger/audit.ts';
import { bookOf, type Finding, Findings } from '../../src/ledger/book.ts';

/** The rules of the ledger that are broken at this moment, in lines for a report: those of `GET /_emulator/ledger/check`. */
export function brokenRules(world: World): string[] {
  const book = bookOf(world);
  atOnce(book.read());
  const told = (name: string, broken: readonly Finding[]) =>
    broken.map(({ posting, account, message }) => [name, posting, account, message].filter(Boolean).join(' '));
  return [
    ...audit(world, book, (id) => world.rows(ACCOUNTS).get(id)?.currency).flatMap(({ name, broken }) =>
      told(name, broken),
    ),
    ...LEDGER_RULES.flatMap((rule) => {
      const findings = new Findings();
      atOnce(checkRule(world, rule, findings));
      return told(rule.name, findings.first);
    }),
  ];
}
