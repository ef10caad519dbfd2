/** The shortest thing that begins like a PDF. */
export const PDF: Uint8Array = new TextEncoder().encode('%PDF-1.7\n');

/** A multipart form with a file; `null` leaves the file out. */
export function form(
  parts: Readonly<Record<string, string>>,
  file: { name?: string; type?: string; bytes?: Uint8Array } | null = {},
): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(parts)) made.append(name, value);
  if (file) {
    const blob = new Blob([(file.bytes ?? PDF) as Uint8Array<ArrayBuffer>], { type: file.type ?? 'application/pdf' });
    made.append('file', blob, file.name ?? 'scan.pdf');
  }
  return made;
}
