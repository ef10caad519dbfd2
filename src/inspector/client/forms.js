// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/** @typedef {HTMLInputElement | HTMLSelectElement} FormField */

/**
 * Returns every named field of a form.
 * @param {HTMLFormElement} form
 * @returns {FormField[]}
 */
const fieldsOf = (form) =>
  /** @type {FormField[]} */ ($$('input[name], select[name]', form).filter((field) => !field.closest('[hidden]')));

/**
 * Returns the field that a mistake is about; for a whole member, its first field.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
const fieldOf = (form, name) =>
  fieldsOf(form).find((field) => field.name === name) ??
  fieldsOf(form).find((field) => field.name.startsWith(`${name}.`));

/**
 * Shows a mistake beside its field, and announces it to screen readers.
 * @param {FormField} field
 * @param {string} message
 */
function complain(field, message) {
  const said = document.createElement('small');
  said.className = 'wrong';
  said.id = `wrong-${field.name}`;
  said.textContent = message;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', said.id);
  field.closest('label')?.append(said);
}

/** @param {ParentNode} form */
function forgive(form) {
  for (const said of $$('.wrong', form)) said.remove();
  for (const field of $$('[aria-invalid]', form)) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

/**
 * Shows the mistakes that the control API found beside their fields; returns those without a field.
 * @param {HTMLFormElement | null} form
 * @param {Wrong[]} [errors]
 */
function wrong(form, errors = []) {
  if (!form) return errors;
  forgive(form);
  const rest = errors.filter(({ field, message }) => {
    const at = fieldOf(form, field);
    if (at) complain(at, message);
    return !at;
  });
  $('[aria-invalid]', form)?.focus();
  return rest;
}

/**
 * Returns whether a form can be sent, with our own messages in place of the browser's.
 * @param {HTMLFormElement} form
 */
function complete(form) {
  const errors = fieldsOf(form).flatMap((field) => {
    if (field.validity.badInput) return { field: field.name, message: 'must be a number' };
    return field.validity.valueMissing ? { field: field.name, message: 'required' } : [];
  });
  wrong(form, errors);
  return errors.length === 0;
}

/**
 * Fills the form around a button. The match of a fault was chosen by hand, and stays.
 * @param {HTMLElement} button
 * @param {Record<string, string | true>} values
 */
function fill(button, values) {
  const form = button.closest('form');
  if (!form) return;
  forgive(form);
  for (const field of fieldsOf(form)) {
    const value = values[field.name];
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === true;
    else if (value !== undefined || !CHOSEN.includes(field.name)) field.value = String(value ?? '');
  }
  hint(form);
  $('button[type=submit]', form)?.focus();
}

const CHOSEN = ['match.operation', 'match.method', 'match.path', 'match.webhook'];

document.addEventListener('input', ({ target }) => {
  const label = target instanceof Element ? target.closest('label') : null;
  if (label && target instanceof Element && target.getAttribute('aria-invalid')) forgive(label);
});
