/** The tone of a moment: good, warn or bad. */
export type Tone = 'good' | 'warn' | 'bad';

/** Something that happened to a row, or will happen. */
export interface Moment {
  /** The time, as far as the row knows it; for the future it may be unknown. */
  readonly at?: string | undefined;
  readonly what: string;
  readonly tone?: Tone | undefined;
  readonly detail?: string | undefined;
  /** The id of the resource that it leads to. */
  readonly about?: string | undefined;
  /**
   * The ends of its event types, after the dot; empty for a type without one. The first of them also supplies the time
   * if the row does not know it exactly.
   */
  readonly events?: readonly string[];
  /** The operations that lead to it, if no event shows it: such a call is listed before it, and supplies the time. */
  readonly by?: readonly string[] | undefined;
  /** A text in the reply of that call, for calls whose path does not name the row. */
  readonly replied?: string | undefined;
  /** Set if the row knows only that it happened by then. */
  readonly loose?: true;
  /** Set if it is pending; the kind of its job, if there is one. */
  readonly due?: true | string;
}

/** An amount in minor units of a currency. */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** One end of a payment. */
export interface Party {
  /** The id of the account. */
  readonly account?: string | undefined;
  /** The id of its owner, if the account does not say. */
  readonly owner?: string | undefined;
  /** The name, if it is not an account of this sandbox. */
  readonly name?: string | undefined;
  readonly money?: Money | undefined;
}

/** A stage of something in progress. */
export interface Stage {
  readonly what: string;
  readonly at?: string | undefined;
  readonly is: 'done' | 'now' | 'to come' | 'bad';
}

/** Something that may be done now or not; if not, what is missing. */
export interface Ability {
  readonly what: string;
  readonly ok: boolean;
  readonly because?: string | undefined;
}

/** The use of a limit, in minor units of a currency, or a plain number if there is no currency. */
export interface Meter {
  readonly what: string;
  readonly used: number;
  readonly of?: number | undefined;
  readonly currency?: string | undefined;
}

/** The picture at the top of a row's page; missing parts are not shown. */
export interface Picture {
  readonly flow?: { readonly from: Party; readonly to: Party; readonly between: readonly string[] } | undefined;
  readonly stages?: readonly Stage[] | undefined;
  readonly may?: readonly Ability[] | undefined;
  readonly meters?: readonly Meter[] | undefined;
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined;
}
