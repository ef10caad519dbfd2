const WORD = 5;
/** Words per block, as a power of two; the positions in each block are counted. */
const BLOCK = 5;
const PER_BLOCK = WORD + BLOCK;
/** Bits per position above which a list of numbers is smaller. */
const FAR = 256;

/** Returns the number of bits that are set in a word. */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const lowest = (word: number): number => 31 - Math.clz32(word & -word);

/** A set of many positions close together, one bit each: a list of all rows costs an eighth of a byte per row. */
export class Bits {
  #words: Int32Array;
  /** The number of positions in each block. */
  #counts: Uint16Array;
  /** The number of positions before each block; valid up to and including block `known`. */
  #before: Int32Array;
  #known = 0;
  #size = 0;

  private constructor(words: Int32Array, counts: Uint16Array) {
    this.#words = words;
    this.#counts = counts;
    this.#before = new Int32Array(counts.length);
  }

  /** Returns the set of an ascending list. */
  static of(list: readonly number[]): Bits {
    const blocks = ((list[list.length - 1] ?? 0) >>> PER_BLOCK) + 1;
    const bits = new Bits(new Int32Array(blocks << BLOCK), new Uint16Array(blocks));
    for (const seq of list) bits.add(seq);
    return bits;
  }

  /** Returns a copy; changes to it leave this set as it is. */
  copy(): Bits {
    const bits = new Bits(this.#words.slice(), this.#counts.slice());
    bits.#size = this.#size;
    return bits;
  }

  get size(): number {
    return this.#size;
  }

  #has(seq: number): boolean {
    return (((this.#words[seq >>> WORD] ?? 0) >>> (seq & 31)) & 1) === 1;
  }

  add(seq: number): this {
    const block = seq >>> PER_BLOCK;
    if (block >= this.#counts.length) this.#grow(block);
    if (this.#has(seq)) return this;
    this.#words[seq >>> WORD] = (this.#words[seq >>> WORD] as number) | (1 << (seq & 31));
    this.#counts[block] = (this.#counts[block] as number) + 1;
    this.#size += 1;
    if (block < this.#known) this.#known = block;
    return this;
  }

  #grow(block: number): void {
    const blocks = Math.max(block + 1, Math.ceil(this.#counts.length * 1.25));
    const [words, counts, before] = [this.#words, this.#counts, this.#before];
    this.#words = new Int32Array(blocks << BLOCK);
    this.#words.set(words);
    this.#counts = new Uint16Array(blocks);
    this.#counts.set(counts);
    this.#before = new Int32Array(blocks);
    this.#before.set(before);
  }

  /** Removes a position; returns a list of numbers instead once the positions are few or far apart. */
  remove(seq: number): this | number[] {
    if (!this.#has(seq)) return this;
    const block = seq >>> PER_BLOCK;
    this.#words[seq >>> WORD] = (this.#words[seq >>> WORD] as number) & ~(1 << (seq & 31));
    this.#counts[block] = (this.#counts[block] as number) - 1;
    this.#size -= 1;
    if (block < this.#known) this.#known = block;
    return this.#size > 1 && this.#size * FAR >= this.#counts.length << PER_BLOCK ? this : this.slice(0, this.#size);
  }

  /** Returns the smallest position that is at least `from`; -1 if there is none. */
  above(from: number): number {
    // A cursor may name any position, even beyond 32 bits.
    if (from >= this.#words.length * 32) return -1;
    let at = from >>> WORD;
    let word = (this.#words[at] as number) & (-1 << (from & 31));
    while (word === 0) {
      at += 1;
      while ((at & 31) === 0 && this.#counts[at >>> BLOCK] === 0) at += 32;
      if (at >= this.#words.length) return -1;
      word = this.#words[at] as number;
    }
    return at * 32 + lowest(word);
  }

  /** Returns the largest position that is less than `end`; -1 if there is none. */
  below(end: number): number {
    if (end <= 0) return -1;
    const last = Math.min(end, this.#words.length * 32) - 1;
    let at = last >>> WORD;
    let word = (this.#words[at] as number) & (-1 >>> (31 - (last & 31)));
    while (word === 0) {
      at -= 1;
      while (at >= 0 && (at & 31) === 31 && this.#counts[at >>> BLOCK] === 0) at -= 32;
      if (at < 0) return -1;
      word = this.#words[at] as number;
    }
    return at * 32 + 31 - Math.clz32(word);
  }

  /** Returns the number of positions less than `seq`. */
  rank(seq: number): number {
    const block = seq >>> PER_BLOCK;
    if (seq >= this.#words.length * 32) return this.#size;
    let count = this.#upTo(block);
    const end = seq >>> WORD;
    for (let at = block << BLOCK; at < end; at += 1) count += ones(this.#words[at] as number);
    return count + ones((this.#words[end] as number) & ~(-1 << (seq & 31)));
  }

  /** Returns the number of positions in the blocks before one. */
  #upTo(block: number): number {
    for (; this.#known < block; this.#known += 1)
      this.#before[this.#known + 1] = (this.#before[this.#known] as number) + (this.#counts[this.#known] as number);
    return this.#before[block] as number;
  }

  /** Returns the position of a rank. */
  #at(rank: number): number {
    this.#upTo(this.#counts.length - 1);
    let low = 0;
    let high = this.#counts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#before[middle] as number) <= rank) low = middle;
      else high = middle - 1;
    }
    let seq = this.above(low << PER_BLOCK);
    for (let left = rank - (this.#before[low] as number); left > 0; left -= 1) seq = this.above(seq + 1);
    return seq;
  }

  /** Returns the positions of the ranks `from` up to but not including `to`, as a list. */
  slice(from: number, to: number): number[] {
    const list: number[] = [];
    const end = Math.min(to, this.#size);
    if (from >= end) return list;
    for (let seq = this.#at(from); list.length < end - from; seq = this.above(seq + 1)) list.push(seq);
    return list;
  }
}
