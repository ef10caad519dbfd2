// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share what they declare
/**
 * The line under some buttons or a form says which call they would make.
 * @param {HTMLElement} element
 */
function hint(element) {
  const form = element.closest('form[data-url]');
  const scope = form instanceof HTMLFormElement ? form : element;
  const { method, url } = scope.dataset;
  const line = form ? $('.hint', form) : nearestHint(element);
  if (!method || !url || !line) return;
  const sent = form instanceof HTMLFormElement ? JSON.stringify(bodyOf(form)) : (scope.dataset.body ?? '');
  const [code, button] = [$('code', line), $('.copy', line)];
  if (code) code.textContent = `${method} ${url}${sent ? ` ${sent}` : ''}`;
  /** @param {string} text */
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const verb = method === 'POST' && sent ? '' : `-X ${method} `;
  if (button) button.dataset.copy = `curl -s ${verb}${quote(location.origin + url)}${sent ? ` -d ${quote(sent)}` : ''}`;
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
