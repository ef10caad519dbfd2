/**
 * One-time codes that would have been sent by email or SMS. Nothing leaves the machine; `GET /_emulator/codes` shows
 * them. The last 1,000 are remembered.
 */
import { area } from '../../declare/area.ts';
import { CODES } from './rules.ts';

export { CODES, type SentCode, sendCode } from './rules.ts';

export const codes = area('codes', { tables: [CODES] });
