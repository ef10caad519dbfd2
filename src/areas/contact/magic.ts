/** The code of every contact verification: nothing is delivered, so it must be known (the wallet's is another). */
export const CONTACT_CODE = '123456';

/** The code, by its name. */
export const MAGIC = () => [{ field: 'contact code', values: [CONTACT_CODE] }];
