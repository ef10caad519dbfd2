import { sha256 as digest } from '@noble/hashes/sha2.js';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromHex = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'hex'));
export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
export const sha256 = (value: string | Uint8Array): Uint8Array =>
  digest(typeof value === 'string' ? utf8(value) : value);
export const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
export const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
