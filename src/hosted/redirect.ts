/**
 * Returns the `form-action` sources for a form that leads on to `target`. Browsers check every redirect after a form
 * against that policy. Where the app sends people next is unknown here, so only the scheme can be named.
 */
export const formTargets = ({ protocol }: URL): string => (protocol === 'https:' ? 'https:' : 'https: http:');
