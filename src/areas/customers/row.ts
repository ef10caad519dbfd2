import * as z from 'zod';
import { Country, IdOf, Moment } from '../../kernel/shapes.ts';
import { rowShape } from '../../kernel/table.ts';
import type { Customer } from './rules.ts';
import {
  BeneficialOwnerShape,
  BusinessInfo,
  CustomerTypeShape,
  EndUserTermsConsent,
  individual,
  STATUSES,
} from './schema.ts';

const Channel = () => z.enum(['PENDING', 'VERIFIED']);

/** A customer as it is kept. */
export const CustomerRow = rowShape<Customer>()(() =>
  z.strictObject({
    id: IdOf('Customer'),
    platformCustomerId: z.string(),
    customerType: CustomerTypeShape(),
    umaAddress: z.string(),
    kycStatus: z.enum(STATUSES),
    region: Country().optional(),
    currencies: z.array(z.string()),
    currenciesFollow: z.literal(true).optional(),
    email: z.string().optional(),
    phoneNumber: z.string().optional(),
    endUserTermsConsent: EndUserTermsConsent().strict().optional(),
    details: z.strictObject({ ...individual(), businessInfo: BusinessInfo().strict().optional() }),
    identifier: z.string().optional(),
    contactVerification: z
      .strictObject({ email: Channel().exactOptional(), phone: Channel().exactOptional() })
      .optional(),
    owners: z.array(BeneficialOwnerShape()).optional(),
    submitted: z.literal(true).optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
    isDeleted: z.boolean(),
  }),
);
