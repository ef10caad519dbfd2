import { html } from 'hono/html';
import type { Customer } from '../areas/customers/index.ts';
import type { Choice, KycLink, LinkState } from '../areas/onboarding/index.ts';
import type { FieldError } from '../contract/errors.ts';
import { type Field, SECTIONS, storedValues } from './fields.ts';
import { layout, message, type Piece } from './layout.ts';

/** The data that the page shows. */
export interface KycView {
  readonly link: KycLink;
  readonly customer: Customer;
  readonly chosen: Choice;
  /** The current date, UTC, as `YYYY-MM-DD`. */
  readonly today: string;
  /** The host that the person returns to afterwards. */
  readonly returnTo?: string | undefined;
  /** The values that the person typed, if the form is shown again. */
  readonly typed?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
}

const CHOICES: readonly { value: Choice; label: string; text: string }[] = [
  { value: 'approve', label: 'Confirmed', text: 'The check succeeds.' },
  { value: 'reject', label: 'Not confirmed', text: 'The check fails for good.' },
  { value: 'pending', label: 'Still being looked at', text: 'A person has to decide, and does so later.' },
  {
    value: 'again',
    label: 'Another picture, please',
    text: 'The picture was not clear, and this page asks once more.',
  },
];

const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Returns the hosted page: what is known, what is missing, and how the check ends (spec 4.2). */
export function kycPage(view: KycView): Piece {
  const { link, customer, chosen, errors = [], returnTo } = view;
  const business = customer.customerType === 'BUSINESS';
  const title = business ? 'Verify your business' : 'Verify your identity';
  const name = customer.details.fullName ?? customer.details.businessInfo?.legalName;
  return layout(
    title,
    html`<form class="card" method="post" novalidate>
<h1>${title}</h1>
<p class="soft">${name ? html`Hello, ${name}. ` : ''}Please check what we know about ${business ? 'your business' : 'you'}, and add what is missing.</p>
${errors.length > 0 ? summary(errors) : ''}
${
  link.asked > 0 && errors.length === 0
    ? html`<p class="note warn" role="status">Your picture was not clear enough. Please try once more.</p>`
    : ''
}
${SECTIONS[customer.customerType].map(
  ({ title: heading, fields }) => html`<fieldset><legend><h2>${heading}</h2></legend><div class="grid">
${fields.map((field) => line(field, view))}</div></fieldset>`,
)}
<fieldset id="${idOf('outcome')}"><legend><h2>${OUTCOME}</h2></legend>
<p class="soft">Nobody checks anything in the sandbox, and every field may stay empty. You decide how it ends.</p>
${CHOICES.map(
  ({ value, label, text }) =>
    html`<label class="choice"><input type="radio" name="outcome" value="${value}"${
      value === chosen ? html` checked` : ''
    }><span><b>${label}</b> ${text}</span></label>`,
)}
</fieldset>
<button type="submit">Finish</button>
</form>
<p class="foot">You can use this page until ${until.format(new Date(link.expiresAt))} UTC.${
      returnTo === undefined ? '' : html` Afterwards you go back to ${returnTo}.`
    }</p>`,
  );
}

const OUTCOME = 'Only in the sandbox: how should the check end?';
const idOf = (field: string): string => `field-${field.replaceAll('.', '-')}`;

const fieldOf = (name: string): Field | undefined =>
  [...SECTIONS.INDIVIDUAL, ...SECTIONS.BUSINESS].flatMap((section) => section.fields).find((f) => f.name === name);

/**
 * Returns the list of answers to correct, in the words of the form; an error without a field of its own gets a general
 * sentence.
 */
function summary(errors: readonly FieldError[]): Piece {
  const lines = errors.map(({ field }) => {
    if (field === 'outcome') return html`<li><a href="#${idOf(field)}">${OUTCOME}</a></li>`;
    const known = fieldOf(field);
    return known
      ? html`<li><a href="#${idOf(field)}">${known.label}</a>: ${known.wrong}</li>`
      : html`<li>Something about your account has to be settled first. Please go back to the app that sent you here.</li>`;
  });
  return html`<div class="note bad" role="alert"><b>Please look at this again:</b><ul>
${lines}</ul></div>`;
}

function line(field: Field, view: KycView): Piece {
  const { name, label, optional, wrong, wide } = field;
  const { customer, typed, errors = [] } = view;
  const id = idOf(name);
  const value = typed?.[name] ?? storedValues(customer)[name] ?? '';
  const kept = name === 'identifier' && customer.identifier !== undefined;
  const bad = errors.some((e) => e.field === name);
  const missing = value === '' && !kept && !optional;
  return html`<div${wide ? html` class="wide"` : ''}><label for="${id}">${label} ${
    missing ? html`<i>missing</i>` : optional ? html`<i class="soft">optional</i>` : ''
  }</label>${control(field, { id, value, bad, kept, today: view.today })}${
    bad ? html`<p class="wrong" id="${id}-error">${wrong}</p>` : ''
  }</div>`;
}

interface Control {
  readonly id: string;
  readonly value: string;
  readonly bad: boolean;
  /** True if the value is on file and not shown. */
  readonly kept: boolean;
  readonly today: string;
}

function control({ name, type, options, autocomplete }: Field, { id, value, bad, kept, today }: Control): Piece {
  const attributes = html`id="${id}" name="${name}"${autocomplete ? html` autocomplete="${autocomplete}"` : ''}${
    bad ? html` aria-invalid="true" aria-describedby="${id}-error"` : ''
  }`;
  if (type === 'select')
    return html`<select ${attributes}><option value="">Please choose</option>${options?.().map(
      (o) => html`<option value="${o.value}"${o.value === value ? html` selected` : ''}>${o.label}</option>`,
    )}</select>`;
  return html`<input type="${type ?? 'text'}" ${attributes} value="${value}"${
    type === 'date' ? html` max="${today}"` : ''
  }${kept ? html` placeholder="We have this already"` : ''}>`;
}

const CLOSED: Readonly<Record<Exclude<LinkState, 'open'>, [title: string, text: string]>> = {
  used: [
    'This link has been used',
    'A link is good for one visit. Please go back to the app that sent you here if you need another.',
  ],
  expired: ['This link has expired', 'Please go back to the app that sent you here and ask for a new link.'],
  gone: ['This link leads nowhere', 'The account that it was made for no longer exists.'],
  unverified: [
    'Please confirm your contact details first',
    'Your email address or phone number still has to be confirmed in the app that sent you here. Then open this link again.',
  ],
};

/** Returns the page that says why a link cannot be used. */
export const closedPage = (state: Exclude<LinkState, 'open'>): Piece =>
  message(CLOSED[state][0], '!', CLOSED[state][1]);

export const unknownPage = (): Piece =>
  message('There is no such link', '?', 'Please check that the address was copied whole, or ask for a new link.');

export const donePage = (): Piece =>
  message(
    'You are done',
    '✓',
    'Thank you. You can close this page; the app that sent you here will tell you the result.',
  );

/** Returns the page that says that something failed and nothing was changed. */
export const failedPage = (): Piece =>
  message('Something went wrong', '!', 'Nothing was sent. Please go back, check what you entered, and try again.');
