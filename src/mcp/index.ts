export { answer, within } from './http.ts';
export { over, serve } from './stdio.ts';
