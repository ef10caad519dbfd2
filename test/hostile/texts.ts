/** A text that a client may well send, and code may well stumble over. */
export interface StrangeText {
  readonly name: string;
  /** The text as JSON, with its quotes: some are the same text, written in another way. */
  readonly json: string;
}

const text = (name: string, value: string): StrangeText => ({ name, json: JSON.stringify(value) });

/** Written as they stand, so that nobody's editor and no encoder comes in between. */
const raw = (name: string, json: string): StrangeText => ({ name, json });

/** Much of what is strange and may yet be a name, in one text: the one that every member is given at the least. */
const MANY_AT_ONCE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the text
  'Ada\u2028\u2029\u202e\u200f\u0301\u{1f469}\u200d\u{1f467}\ufeff\uffff<b>\'"`\\%00%zz${7*7}{{7}}&amp;--';

export const STRANGE_TEXTS: readonly StrangeText[] = [
  text('many at once', MANY_AT_ONCE),
  raw('U+2028', '"Ada\u2028Keller"'),
  raw('U+2029', '"Ada\u2029Keller"'),
  text('NUL', 'Ada\u0000Keller'),
  raw('the first half of a pair', '"Ada\\uD800Keller"'),
  raw('the second half of a pair', '"\\udc00"'),
  raw('a pair as escapes', '"\\uD83D\\uDE00"'),
  raw('__proto__ as escapes', '"\\u005f\\u005fproto\\u005f\\u005f"'),
  text('marks from right to left', '\u202eAda\u202c\u200f\u2067Keller\u2069'),
  text('combining marks', `Z${'\u0301\u0335'.repeat(100)}`),
  text('emoji joined', '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}\u{1f3f3}\ufe0f\u200d\u{1f308}'),
  text('a byte order mark', '\ufeffAda'),
  text('no character', 'Ada\uffff\ufdd0'),
  text('very long', 'x'.repeat(20_000)),
  text('long in bytes', '\u{1f600}'.repeat(60)),
  text('empty', ''),
  text('spaces', '   '),
  text('other spaces', '\u00a0\u3000\u200b'),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'].map((name) => text(name, name)),
  text('SQL', "'; DROP TABLE customers; --"),
  text('HTML', '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'&lt;'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the text
  text('templates', '${7*7}{{7*7}}<%= 7*7 %>#{7*7}$1$&'),
  text('a number', '123'),
  text('minus zero', '-0'),
  text('a number beyond all', '1e309'),
  text('hexadecimal', '0x1F'),
  text('digits', '9'.repeat(40)),
  ...['NaN', 'null', 'undefined', 'true', '[object Object]'].map((name) => text(name, name)),
  ...['0000-01-01', '9999-12-31', '275760-09-13', '+275760-09-13', '2026-02-30'].map((day) => text(day, day)),
  ...[
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '2026-01-05T09:00:00+23:59',
  ].map((moment) => text(moment, moment)),
  text('a line end', 'Ada\nKeller'),
  text('a header', 'Ada\r\nX-Injected: yes\r\n\r\n<html>'),
  text('percent escapes', '%00%2e%2e%2f%zz%C0%AF'),
  text('path separators', '../..\\..//etc/passwd'),
  text('a path and a query', '/inspector?sandbox=x#y'),
  text('quotes', '"\'`\\'),
  text('control characters', '\u001b[31mAda\u001b[0m\u0007\u0008\u007f\u0085'),
  text('an id', 'Customer:00000000-0000-7000-8000-000000000000'),
  text('an address', 'http://[::1]:99999/\u0000'),
];
