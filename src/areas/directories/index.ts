/**
 * Directories: lists that the service publishes and no platform can change.
 * Chosen where the specification is silent: the data is built in and the same in every sandbox. UMA providers are
 * invented, on reserved domains, two of them not allowed; custodians and banks are real names. `sortOrder` goes by the
 * time at which a provider joined.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';

export const directories = area('directories', { operations: routes });
