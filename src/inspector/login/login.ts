import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { assetText } from '../../contract/asset-text.ts';

const STYLE = `${assetText('inspector/look/tokens.css')}${assetText('inspector/login/login.css')}`;
const HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Headers of the page: it loads and runs nothing, no other page frames it, and its form leads only here. */
export const LOGIN_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${HASH}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  // The form sends its Origin, which a browser leaves out under `no-referrer`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** The state of a login page. */
interface LoginView {
  /** The page to open after the login. */
  readonly next: string;
  /** True if the submitted token was wrong. */
  readonly isWrong: boolean;
  /** True if a link elsewhere led here, with which a browser sends no login cookie. */
  readonly isFromElsewhere: boolean;
}

/**
 * Returns the page with one field for the control token, as HTML text. `root` is the path with which addresses begin.
 */
export const loginText = ({ next, isWrong, isFromElsewhere }: LoginView, root: string): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Sign in · sandbox-emulator</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>sandbox-emulator</h1>
<p>The pages of this emulator need its control token.</p>
${isWrong ? html`<p class="wrong" role="alert">This is not the control token.</p>` : ''}
<form method="post" action="${root}/inspector/login">
<input type="hidden" name="next" value="${next}">
<label for="token">Control token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false">
<button type="submit">Sign in</button>
</form>
${isFromElsewhere ? html`<a href="${root}${next}">Signed in already? Continue</a>` : ''}
</main>
</body>
</html>`);
