// Numbers that are not figures: names, places and moments. What each pattern matches is left out before figures are looked for.

export interface Kind {
  what: string;
  pattern: RegExp;
  /** The one page where it is so. */
  on?: string;
}

/** Programs, languages and systems whose name is followed by a version, or by several. */
const NAMES =
  'Node|Node from|Python|Java|Go|Ruby|PHP|PHPUnit|Vitest|Jest|Playwright|Mono|C#|HAProxy|glibc|Debian|Ubuntu|RHEL|Windows|Server|macOS|PowerShell|Wine|TypeScript|version';
const VERSION = String.raw`\(?\d+(?:\.\d+)*`;

export const KINDS: readonly Kind[] = [
  { what: 'a quoted example', pattern: /"[^"\n]*"/g },
  {
    what: 'a section of the specification, with its note',
    pattern: /\bspec \d+(?:\.\d+)*(?: \(\d+\))?(?:, \d+(?:\.\d+)*(?: \(\d+\))?)*/g,
  },
  {
    what: 'a standard',
    pattern:
      /\b(?:P-256|SHA-256|UTF-8|E\.164|ISO 8601|ISO 4217|RFC \d+|OpenAPI 3\.1|CycloneDX \d\.\d|JUnit 5|x86-64)(?!\w)/g,
  },
  {
    what: 'a version of a program or system',
    pattern: new RegExp(
      String.raw`\b(?:${NAMES})\s${VERSION}(?:(?:,| to| or|, or| and|, and| from)(?: in)?\s\d+(?:\.\d+)*)*`,
      'g',
    ),
  },
  { what: 'such a version in brackets, or after "from"', pattern: /\(\d+\.\d+ or later|any Node from \d+/g },
  { what: 'an address or a port', pattern: /\b\d+\.\d+\.\d+\.\d+\b|\bports? \d+(?:, not \d+)?/g },
  { what: 'a version of this package', pattern: /\b\d+\.\d+\.\d+\b(?!\.)|\(0\.1 to 0\.2\)/g },
  { what: 'a date', pattern: /\b20\d\d-\d\d(?:-\d\d)?\b|\b(?:autumn|in) 20\d\d\b/g },
  { what: 'a time of day', pattern: /\b\d\d:\d\d(?::\d\d)?\b/g },
  {
    what: 'an amount of money',
    pattern: /(?<![\d.,])\d+\.\d\d(?:\d{4})?(?: (?:USD|EUR|USDB))?(?![\d.]|,\d| ?[kMG]?i?B\b| m?s\b)/g,
  },
  { what: 'the number of a line of a list', pattern: /^ *\d+\. /gm },
  { what: 'a step of a list', pattern: /\bstep \d+\b/g },
  { what: 'a magic suffix or code', pattern: /(?<![\d.,])(?:0\d\d|000000|123456)(?![\d.,]*\d)/g },
  {
    what: 'an exit code',
    pattern:
      /\b(?:exit code is|exits with|exit with) [012](?![\d.,]*\d)|\b[012](?= for (?:a|any)\b| if (?:everything|something|no|the)\b)/g,
  },
  { what: 'a row of a table of exit codes', pattern: /^\| [012] \|/gm },
  { what: 'an error of JSON-RPC', pattern: /-32\d{3}\b/g },
  { what: 'zero or one, as a bound or a choice', pattern: /(?<![\d.,])[01](?![\d.,]*\d)(?! ?(?:[kMG]i?B|m?s)\b)/g },
  {
    what: 'a row of which test/profile/table.test.ts observes both sides',
    pattern: /^\|.*\|$/gm,
    on: 'docs/profiles.md',
  },
];
