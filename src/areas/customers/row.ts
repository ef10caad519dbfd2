import * as z from 'zod';
import { Address, Country, CurrencyCode, Email, IdOf, Moment, Phone } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import type { Create, Details } from './details.ts';
import type { CustomerType, Status } from './schema.ts';
import { BeneficialOwnerShape, BusinessInfo, EndUserTermsConsent, individual, STATUSES } from './schema.ts';

export interface Customer extends Row {
  readonly platformCustomerId: string;
  readonly customerType: CustomerType;
  readonly umaAddress: string;
  readonly kycStatus: Status;
  readonly region?: string | undefined;
  readonly currencies: readonly string[];
  /** They were not named: one joins the list when a change supplies what its provider requires. */
  readonly currenciesFollow?: true | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly endUserTermsConsent?: Create['endUserTermsConsent'];
  readonly details: Details;
  /** The tax or identity number: kept, never shown. */
  readonly identifier?: string | undefined;
  readonly contactVerification?: Readonly<Partial<Record<'email' | 'phone', 'PENDING' | 'VERIFIED'>>> | undefined;
  readonly owners?: readonly Infer<typeof BeneficialOwnerShape>[] | undefined;
  /** Somebody submitted this customer for review: from then on the automatic decision of creation is void. */
  readonly submitted?: true | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isDeleted: boolean;
}

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
