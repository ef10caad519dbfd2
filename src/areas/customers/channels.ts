/** A way to reach a customer, which a provider may require to be verified. */
export type Channel = 'email' | 'phone';

/** The member that holds the address of a channel. */
export const ADDRESS_OF = { email: 'email', phone: 'phoneNumber' } as const;
