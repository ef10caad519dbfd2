/**
 * Returns a text with A to Z in lower case and the rest unchanged: the lower case of some letters beyond ASCII is an
 * ASCII letter.
 */
export const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
