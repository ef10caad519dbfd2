/** The shortest thing that begins like a PDF. */
export const PDF: Uint8Array = new TextEncoder().encode('%PDF-1.7\n');

/** A multipart form with a file; `null` leaves the file out. */
export function form(
  parts: Readonly<Record<string, string>>,
  file: { name?: string; type?: string; bytes?: Uint8Array } | null = {},
): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(parts)) made.append(name, value);
  if (file) {
    const blob = new Blob([(file.bytes ?? PDF) as Uint8Array<ArrayBuffer>], { type: file.type ?? 'application/pdf' });
    made.append('file', blob, file.name ?? 'scan.pdf');
  }
  return made;
}

/** An individual with every field a review wants. */
export const individual = {
  customerType: 'INDIVIDUAL',
  fullName: 'Omar Diaz',
  birthDate: '1990-01-02',
  nationality: 'ES',
  idType: 'SSN',
  identifier: '987-65-4320',
  address: { line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
};

/** A business with every field a review wants. */
export const northPier = (registrationNumber = 'HRB 555') => ({
  customerType: 'BUSINESS',
  address: { line1: '40 Dock Rd', city: 'Seattle', postalCode: '98101', country: 'US' },
  businessInfo: {
    legalName: 'North Pier Trading LLC',
    country: 'US',
    taxId: '81-5550199',
    registrationNumber,
    incorporatedOn: '2019-04-30',
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    businessType: 'WHOLESALE_TRADE',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'sales',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
  },
});

/** Somebody who owns and controls a business. */
export const owner = (customerId: string, person: object = {}) => ({
  customerId,
  roles: ['UBO', 'CONTROL_PERSON'],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: 'Mara',
    lastName: 'Novak',
    birthDate: '1978-06-15',
    nationality: 'US',
    address: { line1: '1 Pier Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
    idType: 'SSN',
    identifier: '987-65-4320',
    ...person,
  },
});
