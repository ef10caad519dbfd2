/**
 * The content of an act: a decision, a job that was run, a rewind, or a description of an act that no recording can
 * repeat.
 */
export type Done =
  | {
      readonly what: 'decided';
      readonly path: readonly [table: string, id: string, name: string];
      readonly body: object;
    }
  | { readonly what: 'ran'; readonly kind: string; readonly about: string | undefined; readonly at: number }
  | { readonly what: 'rewound'; readonly id: string }
  | { readonly what: 'other'; readonly words: string };

/** An act by hand between calls of the API, for a recording to repeat. */
export interface Act {
  /** Virtual time. */
  readonly at: string;
  /** The id of the newest request of the log at that moment; undefined before the first. */
  readonly after: string | undefined;
  readonly done: Done;
}

/** The most acts that a log keeps; it forgets older ones. */
export const REMEMBERED_ACTS = 1000;
