/** The code of every contact verification, fixed because nothing is delivered (the wallet's code is another). */
export const CONTACT_CODE = '123456';

/** The code, by its name. */
export const MAGIC = () => [{ field: 'contact code', values: [CONTACT_CODE] }];
