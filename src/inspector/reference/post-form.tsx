import type { Child } from 'hono/jsx';
import type { Failure } from '../../contract/errors.ts';
import { escapeControlChars } from '../frame/text.ts';

/** A form that its own page handles: it needs no script. */
export const PostForm = (p: { to: string; does: string; label: string; children: Child }) => (
  <form class="post" method="post" action={p.to} aria-label={p.label}>
    <input type="hidden" name="do" value={p.does} />
    {p.children}
  </form>
);

/** A field of several lines of text. */
export const Lines = (p: { label: string; name: string; value: string; rows?: number; note?: Child }) => (
  <label class="field wide">
    <span>{p.label}</span>
    <textarea
      name={p.name}
      rows={p.rows ?? Math.min(24, Math.max(2, p.value.split('\n').length + 1))}
      spellcheck={false}
      autocomplete="off"
    >
      {`\n${escapeControlChars(p.value)}`}
    </textarea>
    {p.note ? <small class="field-note">{p.note}</small> : null}
  </label>
);

/** The problems in a submitted form. */
export const Wrong = ({ failure }: { failure: Failure }) => {
  const errors = (failure.details as { errors?: { field: string; message: string }[] } | undefined)?.errors ?? [];
  return (
    <div class="why warn" role="alert">
      <h2>
        {failure.status} {failure.code}
      </h2>
      <p class="why-message">{escapeControlChars(failure.message)}</p>
      {errors.length > 0 ? (
        <ul class="fields">
          {errors.map(({ field, message }) => (
            <li>
              <code>{escapeControlChars(field)}</code> {escapeControlChars(message)}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
};
