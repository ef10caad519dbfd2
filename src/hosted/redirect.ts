/**
 * Returns what the page's policy has to allow for a form that leads on to `target`. Browsers hold every redirect that follows a form
 * against it, and where the app sends people next is not known here: only the scheme can be said.
 */
export const formTargets = ({ protocol }: URL): string => (protocol === 'https:' ? 'https:' : 'https: http:');
