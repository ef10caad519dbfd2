/**
 * Operations that only a sandbox has (spec 5.1).
 *
 * Chosen where the specification is silent: customers' accounts can be funded as well as the platform's;
 * one call adds 1 to 100,000,000,000 minor units.
 */
export { routes as sandboxRoutes } from './routes.ts';
