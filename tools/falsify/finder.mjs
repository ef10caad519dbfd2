/** Returns a function that says which of some rules a text of a refusal is: that text, or the template that made it. */
export function ruleFinder(rules) {
  const exact = new Set(rules);
  const made = rules
    .filter((rule) => rule.includes('${'))
    .map((rule) => {
      const parts = rule.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return { rule, form: new RegExp(`^${parts.join('.*')}$`, 's') };
    });
  return (text) => (exact.has(text) ? text : made.find(({ form }) => form.test(text))?.rule);
}
