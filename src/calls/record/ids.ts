const RECORD_ID = /[A-Z][A-Za-z]*:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The ids of resources that stand in a text. */
export const idsIn = (text: string): string[] => text.match(RECORD_ID) ?? [];
