import * as z from 'zod';
import { Address, Country, CurrencyCode, Email, IdOf, Moment, Phone } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { Customer } from './rules.ts';
import { BeneficialOwnerShape, BusinessInfo, EndUserTermsConsent, individual, STATUSES } from './schema.ts';

const Channel = () => z.enum(['PENDING', 'VERIFIED']);

const common = () => ({
  id: IdOf('Customer'),
  platformCustomerId: z.string(),
  umaAddress: z.string(),
  kycStatus: z.enum(STATUSES),
  region: Country().optional(),
  currencies: z.array(CurrencyCode()),
  currenciesFollow: z.literal(true).optional(),
  email: Email().optional(),
  phoneNumber: Phone().optional(),
  endUserTermsConsent: EndUserTermsConsent().strict().optional(),
  identifier: z.string().optional(),
  contactVerification: z
    .strictObject({ email: Channel().exactOptional(), phone: Channel().exactOptional() })
    .optional(),
  owners: z.array(BeneficialOwnerShape()).optional(),
  submitted: z.literal(true).optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  isDeleted: z.boolean(),
});

const BusinessDetails = () =>
  z.strictObject({ address: Address().optional(), businessInfo: BusinessInfo().strict().optional() });

/** A customer as it is kept: what they say of themselves follows from their type. */
export const CustomerRow = rowShape<Customer>()(() =>
  z.discriminatedUnion('customerType', [
    z.strictObject({ ...common(), customerType: z.literal('INDIVIDUAL'), details: z.strictObject(individual()) }),
    z.strictObject({ ...common(), customerType: z.literal('BUSINESS'), details: BusinessDetails() }),
  ]),
);
