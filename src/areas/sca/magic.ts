/** The code of every SMS and every authenticator app in strong customer authentication; the wallet's is another. */
export const SCA_CODE = '123456';

/** The code, by its name. */
export const MAGIC = () => [{ field: 'code of strong authentication', values: [SCA_CODE] }];
