import { html } from 'hono/html';
import type { Customer } from '../../areas/customers/index.ts';
import type { Choice, KycLink, LinkState } from '../../areas/onboarding/index.ts';
import type { FieldError } from '../../kernel/errors.ts';
import { type Field, SECTIONS, storedValues } from './fields.ts';
import { layout, message, type Piece } from './layout.ts';

/** What the page shows. */
export interface KycView {
  link: KycLink;
  customer: Customer;
  chosen: Choice;
  /** What was typed, where the form came back. */
  typed?: Readonly<Record<string, string>>;
  errors?: readonly FieldError[];
}

const CHOICES: readonly { value: Choice; label: string; text: string }[] = [
  { value: 'approve', label: 'Approve', text: 'The check succeeds and the customer is APPROVED.' },
  { value: 'reject', label: 'Reject', text: 'The check fails for good and the customer is REJECTED.' },
  { value: 'pending', label: 'Leave pending', text: 'A reviewer has to decide; the customer stays PENDING.' },
  { value: 'again', label: 'Ask for another picture', text: 'Something can be put right; this link stays good.' },
];

/** The hosted page: what is known, what is missing, and how the check ends (spec 4.2). */
export function kycPage(view: KycView): Piece {
  const { link, customer, chosen, errors = [] } = view;
  const business = customer.customerType === 'BUSINESS';
  const title = business ? 'Verify your business' : 'Verify your identity';
  const name = customer.details.fullName ?? customer.details.businessInfo?.legalName;
  return layout(
    title,
    html`<form class="card" method="post" novalidate>
<h1>${title}</h1>
<p class="soft">Check what we know of you and add what is not on file. Fields may be left empty: this is a sandbox, and nobody checks a real identity here.</p>
<dl>
${name ? html`<dt>Name</dt><dd>${name}</dd>` : ''}
<dt>Customer</dt><dd>${customer.id}</dd>
<dt>Status</dt><dd>${customer.kycStatus}</dd>
<dt>Link good until</dt><dd>${link.expiresAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</dd>
</dl>
${errors.length > 0 ? summary(errors) : ''}
${
  link.asked > 0 && errors.length === 0
    ? html`<p class="note warn" role="status">The picture was not good enough. Please try again: this link is still good.</p>`
    : ''
}
${SECTIONS[customer.customerType].map(
  ({ title: heading, fields }) => html`<fieldset><legend><h2>${heading}</h2></legend><div class="grid">
${fields.map((field) => line(field, view))}</div></fieldset>`,
)}
<fieldset><legend><h2>How should the check end?</h2></legend>
${CHOICES.map(
  ({ value, label, text }) =>
    html`<label class="choice"><input type="radio" name="outcome" value="${value}"${
      value === chosen ? html` checked` : ''
    }><span><b>${label}</b>${text}</span></label>`,
)}
</fieldset>
<button type="submit">Finish</button>
</form>
<p class="foot">The document and the selfie that a real provider would ask for are taken as given.${
      link.redirectUri === undefined ? '' : html` Afterwards you return to ${new URL(link.redirectUri).host}.`
    }</p>`,
  );
}

const idOf = (field: string): string => `field-${field.replaceAll('.', '-')}`;

const summary = (errors: readonly FieldError[]): Piece =>
  html`<div class="note bad" role="alert"><b>Please look at this again:</b><ul>
${errors.map((e) => html`<li><a href="#${idOf(e.field)}">${labelOf(e.field)}</a>: ${e.message}</li>`)}</ul></div>`;

const labelOf = (name: string): string =>
  [...SECTIONS.INDIVIDUAL, ...SECTIONS.BUSINESS].flatMap((s) => s.fields).find((f) => f.name === name)?.label ?? name;

function line(field: Field, { customer, typed, errors = [] }: KycView): Piece {
  const { name, label, type, options, hint, autocomplete, wide, optional } = field;
  const id = idOf(name);
  const value = typed?.[name] ?? storedValues(customer)[name] ?? '';
  const kept = name === 'identifier' && customer.identifier !== undefined;
  const error = errors.find((e) => e.field === name);
  const missing = value === '' && !kept && !optional;
  const attributes = html`id="${id}" name="${name}"${error ? html` aria-invalid="true" aria-describedby="${id}-error"` : ''}`;
  const control =
    type === 'select'
      ? html`<select ${attributes}><option value="">Choose</option>${options?.map(
          (o) => html`<option${o === value ? html` selected` : ''}>${o}</option>`,
        )}</select>`
      : html`<input type="${type ?? 'text'}" ${attributes} value="${value}"${
          autocomplete ? html` autocomplete="${autocomplete}"` : ''
        }${kept ? html` placeholder="On file"` : hint ? html` placeholder="${hint}"` : ''}>`;
  return html`<div${wide ? html` class="wide"` : ''}><label for="${id}">${label}${
    missing ? html`<i>not on file</i>` : ''
  }</label>${control}${error ? html`<p class="wrong" id="${id}-error">${error.message}</p>` : ''}</div>`;
}

const CLOSED: Readonly<Record<Exclude<LinkState, 'open'>, [title: string, text: string]>> = {
  used: ['This link has been used', 'A link is good for one visit. Nothing was changed now; ask for a new link.'],
  expired: ['This link has expired', 'Nothing was changed. Go back to the app that sent you here for a new link.'],
  gone: ['This link leads nowhere', 'The customer it was made for no longer exists. Nothing was changed.'],
};

/** A link that cannot be used says so. */
export const closedPage = (state: Exclude<LinkState, 'open'>): Piece =>
  message(CLOSED[state][0], '!', CLOSED[state][1]);

export const unknownPage = (): Piece =>
  message('There is no such link', '?', 'Look whether the address was copied whole. It may also have been reset away.');

export const donePage = (): Piece =>
  message('You are done', '✓', 'Thank you. You can close this page; the app that sent you here hears of the result.');
