import * as z from 'zod';
import { Address, Country, CurrencyCode, Email, IdOf, Moment, Phone } from '../../contract/shapes.ts';
import { type MembersOf, rowShape } from '../../engine/table.ts';
import type { Details } from './details.ts';
import type { CustomerType } from './schema.ts';
import { BeneficialOwnerShape, BusinessInfo, EndUserTermsConsent, individual, STATUSES } from './schema.ts';

const Channel = () => z.enum(['PENDING', 'VERIFIED']);

const common = () => ({
  id: IdOf('Customer'),
  platformCustomerId: z.string(),
  umaAddress: z.string(),
  kycStatus: z.enum(STATUSES),
  region: Country().optional(),
  currencies: z.array(CurrencyCode()),
  /** True if the customer named no currencies: one joins the list when a change supplies what its provider requires. */
  currenciesFollow: z.literal(true).optional(),
  email: Email().optional(),
  phoneNumber: Phone().optional(),
  endUserTermsConsent: EndUserTermsConsent().strict().optional(),
  /** The tax or identity number: stored, never shown. */
  identifier: z.string().optional(),
  contactVerification: z
    .strictObject({ email: Channel().exactOptional(), phone: Channel().exactOptional() })
    .optional(),
  owners: z.array(BeneficialOwnerShape()).optional(),
  /** True once the customer was submitted for review: the automatic decision made at creation is then void. */
  submitted: z.literal(true).optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  isDeleted: z.boolean(),
});

export interface Customer extends MembersOf<typeof common> {
  readonly customerType: CustomerType;
  readonly details: Details;
}

const BusinessDetails = () =>
  z.strictObject({ address: Address().optional(), businessInfo: BusinessInfo().strict().optional() });

/** The stored row of a customer; its type determines its details. */
export const CustomerRow = rowShape<Customer>()(() =>
  z.discriminatedUnion('customerType', [
    z.strictObject({ ...common(), customerType: z.literal('INDIVIDUAL'), details: z.strictObject(individual()) }),
    z.strictObject({ ...common(), customerType: z.literal('BUSINESS'), details: BusinessDetails() }),
  ]),
);
