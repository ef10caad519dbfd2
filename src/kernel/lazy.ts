/**
 * Build at first use, then keep. Schemas are declared this way because building 150 operations' worth of them
 * costs a tenth of a second that most runs never need.
 */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
