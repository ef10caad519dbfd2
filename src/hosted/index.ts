/** The hosted identity page (spec 2.2): its form, its pages and where it sends people. It knows no transport. */

export { pageHeaders } from './style.ts';
export { failureOf, type Shown, visitLink } from './visit.ts';
