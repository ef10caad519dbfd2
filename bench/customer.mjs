// The customer whom every measurement creates.
export const CUSTOMER = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  email: 'ada@example.com',
  region: 'US',
  address: { line1: '1 Elm St', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
};
