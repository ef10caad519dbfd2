export function isPrivate(found: { readonly uid: number; readonly mode: number }, user: number | undefined): boolean;
export function privateFolder(temporary: string, user: number | undefined): string | undefined;
export function readKept(path: string, user: number | undefined): Uint8Array | undefined;
export function writeKept(path: string, code: Uint8Array): void;
