/** The members of a request that name the rewind which undid it. */
interface Undone {
  readonly undone?: boolean | undefined;
  readonly undoneBy?: string | undefined;
}

/** Returns a phrase that names the rewind which undid a request; undefined if none did. */
export const undoneText = ({ undone, undoneBy }: Undone): string | undefined =>
  undone ? `undone by ${undoneBy === undefined ? 'a rewind' : `the rewind to before ${undoneBy}`}` : undefined;
