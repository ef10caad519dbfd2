/** The tone of a moment: good, warn or bad. */
export type Tone = 'good' | 'warn' | 'bad';

/** Something that happened to a row, or is to come. */
export interface Moment {
  /** The moment, as far as the row knows; in the future it may be unknown. */
  readonly at?: string | undefined;
  readonly what: string;
  readonly tone?: Tone | undefined;
  readonly detail?: string | undefined;
  /** Id of the resource that it leads to. */
  readonly about?: string | undefined;
  /**
   * The ends of its events' types, after the dot; nothing for a type without one. The first of them also
   * says when it was, where the row does not know exactly.
   */
  readonly events?: readonly string[];
  /** The operations that lead to it, where no event tells of it: such a call stands before it, and says when it was. */
  readonly by?: readonly string[] | undefined;
  /** A text in the reply of that call, where its address does not name the row. */
  readonly replied?: string | undefined;
  /** The row knows only that it was by then. */
  readonly loose?: true;
  /** It is to come, by a job of that kind where one is named. */
  readonly due?: true | string;
}

/** Minor units of a currency. */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** One end of a payment. */
export interface Party {
  /** Id of the account. */
  readonly account?: string | undefined;
  /** Id of whose it is, where the account does not say. */
  readonly owner?: string | undefined;
  /** The name, where it is not an account of this sandbox. */
  readonly name?: string | undefined;
  readonly money?: Money | undefined;
}

/** The place of something on its way. */
export interface Stage {
  readonly what: string;
  readonly at?: string | undefined;
  readonly is: 'done' | 'now' | 'to come' | 'bad';
}

/** Something that may be done now; if not, what is missing. */
export interface Ability {
  readonly what: string;
  readonly ok: boolean;
  readonly because?: string | undefined;
}

/** The use of a limit, in minor units of a currency, or a plain number without one. */
export interface Meter {
  readonly what: string;
  readonly used: number;
  readonly of?: number | undefined;
  readonly currency?: string | undefined;
}

/** The picture that a page shows of a row before everything else; missing parts are not shown. */
export interface Picture {
  readonly flow?: { readonly from: Party; readonly to: Party; readonly between: readonly string[] } | undefined;
  readonly stages?: readonly Stage[] | undefined;
  readonly may?: readonly Ability[] | undefined;
  readonly meters?: readonly Meter[] | undefined;
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined;
}
