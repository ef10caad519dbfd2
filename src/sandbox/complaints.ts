/** One fault in a state. */
export interface Complaint {
  /** Table, row and member, as far as they are known: `customers.Customer:x.kycStatus`. */
  readonly field: string;
  readonly message: string;
}

/** The most complaints that are named; the others are counted. */
const NAMED = 20;

/** The complaints about a state, in the order of their discovery. */
export class Complaints {
  readonly named: Complaint[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns whether another complaint would only be counted, so that it needs no words. */
  get full(): boolean {
    return this.named.length >= NAMED;
  }

  /** Notes a complaint. `where` is joined with dots; missing parts are left out. */
  add(where: readonly (PropertyKey | undefined)[], message: string): void {
    this.#count += 1;
    if (this.full) return;
    const field = where.filter((part) => part !== undefined && part !== '').join('.');
    this.named.push({ field: field || 'state', message });
  }

  /** Counts one more complaint, without words. */
  addUnnamed(): void {
    this.#count += 1;
  }

  /** Throws `StateError` with every complaint so far. */
  refuse(): never {
    throw new StateError(this.named, this.#count - this.named.length);
  }
}

/** The error for a state that no world can become: its faults, the first twenty by name. */
export class StateError extends Error {
  readonly complaints: readonly Complaint[];
  /** The number of complaints without a name. */
  readonly more: number;

  constructor(complaints: readonly Complaint[], more: number) {
    const said = complaints.map(({ field, message }) => `${field}: ${message}`);
    if (more > 0) said.push(`and ${more} more`);
    super(said.length === 1 ? said[0] : `${complaints.length + more} things are wrong with it: ${said.join('; ')}`);
    this.complaints = complaints;
    this.more = more;
  }
}
