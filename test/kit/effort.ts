/** How much a random test does: little in `npm test`, much in `npm run test:thorough`, which CI runs as well. */
export const effort = (quick: number, thorough: number): number => (process.env['THOROUGH'] ? thorough : quick);
