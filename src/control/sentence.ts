/** An error body of the emulator. */
export interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly details?: { readonly errors?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** Returns a refusal as a sentence, and the fields that it names besides. */
export function refusalOf(
  status: number,
  body: unknown,
): { readonly said: string; readonly fields: readonly string[] } {
  const { message, details } = (body ?? {}) as ErrorBody;
  const said = message ?? `the emulator answered ${status}`;
  const fields = (details?.errors ?? []).map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  // The message of a bad input is often that of its first field.
  return { said, fields: fields.filter((field) => !said.includes(field)) };
}
