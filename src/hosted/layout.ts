import { html, raw } from 'hono/html';
import { STYLE } from './style.ts';

/** A fragment of a page with its values escaped. Nothing in it is asynchronous, so it is text at once. */
export type Piece = ReturnType<typeof html>;

/** Returns a whole HTML page. */
export const layout = (title: string, body: Piece): Piece => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true">id</span><b>Identity check</b><span class="tag">Sandbox</span></header>
<main>${body}</main>
</body>
</html>`;

/** Returns a page with a message and nothing else. */
export const message = (title: string, sign: string, text: string, next?: { href: string; label: string }): Piece =>
  layout(
    title,
    html`<div class="card">
<div class="sign" aria-hidden="true">${sign}</div>
<h1>${title}</h1>
<p class="soft">${text}</p>
${next ? html`<a class="button" rel="noreferrer" href="${next.href}">${next.label}</a>` : ''}
</div>`,
  );
