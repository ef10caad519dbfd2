import MiniSearch from 'minisearch';
import { ANY_FAILURE } from '../../areas/transactions/index.ts';
import { EVENTS } from '../../areas.ts';
import { ERRORS } from '../../contract/errors.ts';
import { termsOf } from '../terms.ts';
import { TOPICS, type Topic, WHY } from './catalogue.ts';

export type { Topic } from './catalogue.ts';

/** Search words for the events of a group. */
const SYNONYMS: Readonly<Record<string, string>> = {
  OUTGOING_PAYMENT: 'payout withdrawal transfer sent',
  INCOMING_PAYMENT: 'deposit received uma',
  CUSTOMER: 'user person business',
  CARD_TRANSACTION: 'purchase swipe',
};

const codes = (): Topic[] =>
  Object.entries(ERRORS).map(([code, status]) => ({
    name: code,
    about: `A refusal with status ${status}; the list of codes names the operations that declare it.`,
    words: 'error code',
    page: `/inspector/requests?q=${code}`,
    docs: `docs/errors.md#${status}`,
  }));

/** Returns reasons as topics, like codes: of failed payments, and of conflicts. */
const reasons = (): Topic[] =>
  [...new Set([...ANY_FAILURE, 'QUOTE_ALREADY_EXECUTED'])].map((reason) => ({
    name: reason,
    about: 'A reason: `failureReason` of a payment that did not succeed, or `details.reason` of a 409.',
    words: 'failure reason conflict',
    page: `/inspector/requests?q=${reason}`,
    docs: 'docs/payments.md',
  }));

const events = (): Topic[] =>
  EVENTS.flatMap(({ types, summary }) =>
    types.map((type) => ({
      name: type,
      about: `An event: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}.`.replace(/\.\.$/, '.'),
      words: `event webhook ${SYNONYMS[type.split('.')[0] ?? ''] ?? ''}`,
      control: 'POST /trigger',
      cli: `trigger ${type}`,
      page: `/inspector/webhooks?q=${type}`,
      tool: 'webhooks',
      docs: 'docs/events.md',
    })),
  );

/** The most topics that one search returns. */
const MOST = 5;
/** The share of the best result's points that a topic needs. */
const NEAR = 0.35;
const BOOST = { name: 2, words: 2, about: 1 };

interface Searchable {
  readonly all: readonly Topic[];
  readonly index: MiniSearch;
}
let known: Searchable | undefined;

function searchable(): Searchable {
  const all = [...TOPICS, ...codes(), ...reasons(), ...events()];
  const index = new MiniSearch({ fields: Object.keys(BOOST), tokenize: termsOf, processTerm: (term) => term });
  index.addAll(all.map(({ name, words, about }, id) => ({ id, name, words, about })));
  return { all, index };
}

/** Returns the topics, codes and types of events that match a text, best first and at most five. */
export function findTopics(text: string): Topic[] {
  known ??= searchable();
  const { all, index } = known;
  const asked = text.trim().toLowerCase();
  // The search ignores question words, and this one says what is meant.
  const named = all.filter(({ name }) => name.toLowerCase() === asked || (name === WHY && /^why /.test(asked)));
  const words = termsOf(text);
  if (words.length === 0) return named;
  const found = index.search(text, {
    boost: BOOST,
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
    // Plain words mean a topic; a code or an event is meant only if the text nearly names it.
    boostDocument: (id) => (Number(id) < TOPICS.length ? 1.4 : 1),
  });
  const best = found[0]?.score ?? 0;
  const near = found.filter(({ score }) => score >= best * NEAR).map(({ id }) => all[id as number] as Topic);
  return [...new Set([...named, ...near])].slice(0, MOST);
}

/** Returns whether a topic has every word of a text: it is then an exact match, not merely a near one. */
export function answersWholly({ name, about, words }: Topic, text: string): boolean {
  const terms = new Set(termsOf(`${name} ${about} ${words}`));
  return termsOf(text).every((term) => terms.has(term));
}

/** Returns the place in a document as a link: `docs/control-api.md#the-control-api`. */
function linkOf(docs: string): string {
  const [file = '', heading] = docs.split('#');
  if (heading === undefined) return file;
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  return `${file}#${words.replaceAll(' ', '-')}`;
}

/**
 * Returns the ways to a topic as they are written: the subcommand, the request, the page of the inspector, the
 * document.
 */
export const waysTo = ({ cli, control, page, docs }: Topic): string[] => [
  ...(cli === undefined ? [] : [`npx sandbox-emulator ${cli}`]),
  ...(control === undefined ? [] : [control.replace(' ', ' /_emulator')]),
  ...(page === undefined ? [] : [page]),
  linkOf(docs),
];
