import type { Child } from 'hono/jsx';
import { Breakable } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import type { Query } from './query.ts';

/** The type of an event may be broken at the ends of its words. */
const plain = (text: string): Child => (text.includes('_') ? <Breakable text={text} /> : escapeControlChars(text));

/** A text with the search words marked in it. */
export const Marked = ({ text, query }: { text: string; query: Query }) => {
  const words = query.words.map((word) => {
    const pattern = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // In a question, "a" is a word, not a part of others.
    return query.words.length > 1 && /^[a-z]{1,3}$/.test(word) ? `\\b${pattern}\\b` : pattern;
  });
  if (words.length === 0) return <>{plain(text)}</>;
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'gi'));
  return <>{parts.map((part, i) => (i % 2 === 1 ? <mark>{escapeControlChars(part)}</mark> : plain(part)))}</>;
};
