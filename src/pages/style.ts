import { createHash } from 'node:crypto';

/** The look of every page for people: one file, no outside assets, light and dark by the reader's own setting. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--ink:#16181d;--soft:#5b6270;--line:#d9dde4;--field:#fff;
--accent:#2f5bd8;--on-accent:#fff;--accent-soft:#eaf0ff;--good:#12734a;--bad:#b3261e;--bad-soft:#fdecea;--warn:#8a5a00;--warn-soft:#fff5df}
@media(prefers-color-scheme:dark){:root{--ground:#101216;--card:#191c22;--ink:#eceef2;--soft:#a3abb9;--line:#323844;--field:#12151a;
--accent:#8fb0ff;--on-accent:#0d1730;--accent-soft:#1d2740;--good:#6fd6a6;--bad:#ff9d94;--bad-soft:#3a1d1b;--warn:#f2c66d;--warn-soft:#33290f}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:40rem;margin:0 auto;padding:1.25rem 1rem 3rem}
header{display:flex;align-items:center;gap:.6rem;max-width:40rem;margin:0 auto;padding:1.25rem 1rem 0;color:var(--soft);font-size:.875rem}
header b{color:var(--ink);font-weight:600}
.mark{width:1.6rem;height:1.6rem;border-radius:.5rem;background:var(--accent);color:var(--on-accent);display:grid;place-items:center;font-weight:700;font-size:.8rem}
.tag{margin-left:auto;border:1px solid var(--line);border-radius:99px;padding:.1rem .6rem;font-size:.75rem;letter-spacing:.02em}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.5rem;box-shadow:0 1px 2px rgb(0 0 0/.05)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .35rem;letter-spacing:-.01em}
h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.75rem 0 .75rem;font-weight:600}
p{margin:0 0 .75rem}.soft{color:var(--soft)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;margin:1rem 0 0;font-size:.875rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.note{border-radius:.65rem;padding:.75rem 1rem;margin:1rem 0;font-size:.925rem}
.note ul{margin:.35rem 0 0;padding-left:1.1rem}
.bad{background:var(--bad-soft);color:var(--bad)}.warn{background:var(--warn-soft);color:var(--warn)}
.bad a{color:inherit}
.grid{display:grid;grid-template-columns:1fr 1fr;gap:.9rem 1rem}
.wide{grid-column:1/-1}
label{display:block;font-size:.875rem;font-weight:550;margin-bottom:.25rem}
label i{font-style:normal;font-weight:400;color:var(--warn);margin-left:.35rem}
input[type=text],input[type=date],select{width:100%;min-height:2.75rem;font:inherit;color:inherit;background:var(--field);
border:1px solid var(--line);border-radius:.6rem;padding:.5rem .75rem}
[aria-invalid=true]{border-color:var(--bad)!important}
.wrong{color:var(--bad);font-size:.825rem;margin:.25rem 0 0}
fieldset{border:0;padding:0;margin:0;min-width:0}
legend{padding:0;width:100%}
.choice{display:flex;gap:.75rem;align-items:flex-start;border:1px solid var(--line);border-radius:.75rem;padding:.75rem .9rem;margin-bottom:.6rem;
font-weight:400;font-size:1rem;cursor:pointer}
.choice:has(input:checked){border-color:var(--accent);background:var(--accent-soft)}
.choice input{width:1.1rem;height:1.1rem;margin:.2rem 0 0;accent-color:var(--accent);flex:none}
.choice b{display:block;font-weight:600;font-size:1rem;color:var(--ink)}.choice span{color:var(--soft);font-size:.875rem}
button,.button{display:block;width:100%;min-height:3rem;margin-top:1.25rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;
line-height:2rem;color:var(--on-accent);background:var(--accent);border:0;border-radius:.75rem;padding:.5rem 1rem;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.foot{color:var(--soft);font-size:.8rem;margin:1rem .25rem 0}
.sign{width:3rem;height:3rem;border-radius:50%;display:grid;place-items:center;font-size:1.4rem;margin-bottom:1rem;background:var(--accent-soft);color:var(--accent)}
@media(max-width:32rem){.grid{grid-template-columns:1fr}.card{padding:1.15rem}main{padding-top:.85rem}}
`;

const HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * Headers of a page: nothing is loaded from anywhere, nothing runs, nobody frames it. `formTo` is where a form may lead
 * besides this origin, in the words of the policy.
 */
export const pageHeaders = (formTo?: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${HASH}; form-action 'self'${formTo ? ` ${formTo}` : ''}; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
