/** Members of a request that name the rewind which took it back. */
interface Undone {
  readonly undone?: boolean | undefined;
  readonly undoneBy?: string | undefined;
}

/** Returns what undid a request, in words; nothing where no rewind did. */
export const undoneText = ({ undone, undoneBy }: Undone): string | undefined =>
  undone ? `undone by ${undoneBy === undefined ? 'a rewind' : `the rewind to before ${undoneBy}`}` : undefined;
