import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in hexadecimal: all that is stored of a secret that is only compared. */
export const sha256 = (text: string): string => hash('sha256', text);
