const RECORD_ID = /[A-Z][A-Za-z]*:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns the ids of resources in a text. */
export const idsIn = (text: string): string[] => text.match(RECORD_ID) ?? [];
