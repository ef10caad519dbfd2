/** The hosted identity page (spec 2.2): its form, its pages and its redirects. It does not depend on a transport. */

export { pageHeaders } from './style.ts';
export { failureOf, type Shown, visitLink } from './visit.ts';
