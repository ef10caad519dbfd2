/** A way in which a customer is reached, and which a provider may want verified. */
export type Channel = 'email' | 'phone';

/** The member that holds the address of a channel. */
export const ADDRESS_OF = { email: 'email', phone: 'phoneNumber' } as const;
