/** One thing that is wrong with a state. */
export interface Complaint {
  /** Table, row and member, as far as they are known: `customers.Customer:x.kycStatus`. */
  readonly field: string;
  readonly message: string;
}

/** Complaints that are named; the others are counted. */
const NAMED = 20;

/** The complaints about a state, in the order in which they were found. */
export class Complaints {
  readonly named: Complaint[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns whether another complaint would only be counted: then it need not be put into words. */
  get full(): boolean {
    return this.named.length >= NAMED;
  }

  /** Note a complaint. `where` is joined with dots; parts that are not there are left out. */
  add(where: readonly (PropertyKey | undefined)[], message: string): void {
    this.#count += 1;
    if (this.full) return;
    const field = where.filter((part) => part !== undefined && part !== '').join('.');
    this.named.push({ field: field || 'state', message });
  }

  /** Count one more that is not put into words. */
  addUnnamed(): void {
    this.#count += 1;
  }

  /** Throws `StateError` with what was found. */
  refuse(): never {
    throw new StateError(this.named, this.#count - this.named.length);
  }
}

/** A state that no world can become: what is wrong with it, the first twenty by name. */
export class StateError extends Error {
  readonly complaints: readonly Complaint[];
  /** The number of complaints that are not among them. */
  readonly more: number;

  constructor(complaints: readonly Complaint[], more: number) {
    const said = complaints.map(({ field, message }) => `${field}: ${message}`);
    if (more > 0) said.push(`and ${more} more`);
    super(said.length === 1 ? said[0] : `${complaints.length + more} things are wrong with it: ${said.join('; ')}`);
    this.complaints = complaints;
    this.more = more;
  }
}
