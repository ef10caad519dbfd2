/** The content of an act: a decision, a job that was run, a rewind, or what no recording can repeat, in words. */
export type Done =
  | {
      readonly what: 'decided';
      readonly path: readonly [table: string, id: string, name: string];
      readonly body: object;
    }
  | { readonly what: 'ran'; readonly kind: string; readonly about: string | undefined; readonly at: number }
  | { readonly what: 'rewound'; readonly id: string }
  | { readonly what: 'other'; readonly words: string };

/** Something that somebody did by hand between calls of the API, for a recording to repeat. */
export interface Act {
  /** Virtual time. */
  readonly at: string;
  /** Id of the newest request of the log then; undefined before the first. */
  readonly after: string | undefined;
  readonly done: Done;
}

/** Acts that a log remembers; older ones go. */
export const REMEMBERED_ACTS = 1000;
