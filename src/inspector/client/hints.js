// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/**
 * Returns whether a form is complete enough for its call: its required fields, a file to send, the member that it
 * needs.
 * @param {HTMLFormElement} form
 */
function isFilledIn(form) {
  const { needs } = form.dataset;
  const said = needs === undefined ? [] : Object.keys(Object(bodyOf(form)[needs])).filter((name) => name !== 'when');
  const isMissing = (/** @type {FormField} */ field) => field.required && field.value.trim() === '';
  return (needs === undefined || said.length > 0) && !fieldsOf(form).some(isMissing) && !isWithoutFile(form);
}

/** @param {HTMLFormElement} form */
function isWithoutFile(form) {
  const picker = $('input[type=file]', form);
  return picker instanceof HTMLInputElement && picker.value === '';
}

/**
 * Returns the data of a call as an argument of curl: a file by its name.
 * @type {(form: HTMLFormElement | null, sent: string) => string}
 */
function dataOf(form, sent) {
  const picker = form && $('input[type=file]', form);
  const file = picker instanceof HTMLInputElement ? picker.files?.[0] : undefined;
  if (file) return ` --data-binary ${quoted(`@${file.name}`)}`;
  return sent ? ` -d ${quoted(sent)}` : '';
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The act of the button whose call is shown last; a refresh shows it again.
 * @type {string | undefined}
 */
let hinted;

/**
 * Shows, in the line under some buttons or a form, which call they would make.
 * @param {HTMLElement} element
 */
function hint(element) {
  const around = element.closest('form[data-url]');
  const form = around instanceof HTMLFormElement ? around : null;
  const scope = form ?? element;
  const { method, url } = scope.dataset;
  const line = form ? $('.hint', form) : nearestHint(element);
  if (!method || !url || !line) return;
  const [code, button, of] = [$('code', line), $('.copy', line), $('.hint-of', line)];
  if (!code || !button) return;
  // A call that would be refused cannot be copied.
  button.hidden = form !== null && !isFilledIn(form);
  if (button.hidden) {
    code.textContent = 'Fill in the form to see its call';
    return;
  }
  const hasFile = form !== null && $('input[type=file]', form) !== null;
  const sent = form ? (hasFile ? '' : JSON.stringify(bodyOf(form))) : (scope.dataset.body ?? '');
  const verb = method === 'POST' && (sent || hasFile) ? '' : `-X ${method} `;
  code.textContent = `${method} ${url}${sent ? ` ${sent}` : ''}`;
  button.dataset.copy = `curl -s ${verb}${quoted(location.origin + url)}${dataOf(form, sent)}`;
  if (form) return;
  hinted = pressOf(element);
  if (of) of.textContent = `${element.textContent?.trim()}:`;
}

/** @param {HTMLElement} element */
function nearestHint(element) {
  for (let at = element.parentElement; at && at !== body; at = at.parentElement) {
    const line = [...at.children].find((child) => child.classList.contains('hint'));
    if (line instanceof HTMLElement) return line;
  }
  return undefined;
}

for (const name of ['pointerover', 'focusin', 'input', 'change'])
  document.addEventListener(name, (event) => {
    const element = around(event, 'button[data-url], form[data-url]');
    if (element) hint(element);
  });
