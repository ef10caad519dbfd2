// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
/**
 * Shows a result or an error, and announces it to screen readers: the box is a live region, and errors interrupt.
 * @param {string} title
 * @param {string} [detail]
 */
function toast(title, detail, bad = false) {
  const box = $('#toast');
  if (!box) return;
  const made = document.createElement('div');
  made.className = bad ? 'toast bad' : 'toast';
  if (bad) made.setAttribute('role', 'alert');
  const strong = document.createElement('b');
  strong.textContent = title;
  made.append(strong);
  if (detail) {
    const code = document.createElement('code');
    code.textContent = detail;
    made.append(code);
  }
  while (box.children.length > 2) box.firstChild?.remove();
  box.append(made);
  setTimeout(() => made.remove(), bad ? 12000 : 5000);
}

/** @type {(button: HTMLElement, text: string) => Promise<void>} */
async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission, or outside a secure context: the old way.
    const area = document.createElement('textarea');
    area.value = text;
    body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  button.classList.add('done');
  setTimeout(() => button.classList.remove('done'), 1200);
  toast('Copied', text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
