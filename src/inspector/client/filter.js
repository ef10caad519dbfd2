// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/** @type {number | undefined} */
let typing;

/** @param {HTMLFormElement} form */
function filter(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') query.set(name, String(value));
  const text = query.toString();
  const url = `${form.getAttribute('action')}${text ? `?${text}` : ''}`;
  history.replaceState(null, '', url);
  take(url, (region) => region.id === form.dataset.filter).catch((error) =>
    toast('The emulator did not answer', `${saying(error)}\nGET ${url}`, true),
  );
}

document.addEventListener('input', (event) => {
  const form = formAround(event, 'form[data-filter]');
  if (!form) return;
  clearTimeout(typing);
  const searching = event.target instanceof HTMLInputElement && event.target.type === 'search';
  typing = setTimeout(() => filter(form), searching ? 160 : 0);
});
// The cross in the field, and Escape in some browsers, empty it without an input event.
for (const name of ['search', 'submit'])
  document.addEventListener(name, (event) => {
    const form = formAround(event, 'form[data-filter]');
    if (!form) return;
    event.preventDefault();
    filter(form);
  });
document.addEventListener('change', (event) => {
  const field = around(event, '[data-submit]');
  if (field instanceof HTMLSelectElement) field.form?.submit();
});
