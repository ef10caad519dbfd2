import { type FieldError, failFields } from '../contract/errors.ts';
import type { UploadRule } from '../declare/operation.ts';

interface FilePart {
  readonly name?: string;
  readonly type?: string;
  readonly text?: string;
  readonly base64?: string;
}

const isFile = (value: unknown): value is FilePart => {
  if (typeof value !== 'object' || value === null || !('text' in value || 'base64' in value)) return false;
  const { name, type, text, base64 } = value as Record<keyof FilePart, unknown>;
  return [name, type, text, base64].every((member) => member === undefined || typeof member === 'string');
};

/**
 * Returns a form made from an object: `{name, type, text}` or `{name, type, base64}` is a file, anything else text. 400
 * `INVALID_INPUT`.
 */
export function formOf({ files = { file: { required: true } } }: UploadRule, body: unknown): FormData {
  const form = new FormData();
  const errors: FieldError[] = [];
  const parts = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  for (const [name, value] of parts) {
    if (Object.hasOwn(files, name) && !isFile(value))
      errors.push({ field: `body.${name}`, message: 'a file is {name, type, text} or {name, type, base64}' });
    else if (isFile(value)) {
      const bytes = value.base64 === undefined ? Buffer.from(value.text ?? '') : Buffer.from(value.base64, 'base64');
      const type = value.type ?? 'application/octet-stream';
      form.append(name, new Blob([new Uint8Array(bytes)], { type }), value.name ?? name);
    } else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (errors.length > 0) failFields(errors);
  return form;
}
