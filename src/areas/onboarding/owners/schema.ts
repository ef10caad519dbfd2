import * as z from 'zod';
import { lazy, named } from '../../../contract/lazy.ts';
import { Address, Country, clearable, Day, Email, Phone, pageOf, pageQuery, Text } from '../../../contract/shapes.ts';
import { secret } from '../../../engine/secrets.ts';
import { BeneficialOwnerShape, ID_TYPES, OWNER_ROLES } from '../../customers/index.ts';

const Name = () => Text(200).min(1);

const person = () => ({
  firstName: Name(),
  middleName: Name().optional(),
  lastName: Name(),
  birthDate: Day(),
  nationality: Country(),
  email: Email().optional(),
  phoneNumber: Phone().optional(),
  address: Address(),
  idType: z.enum(ID_TYPES),
  identifier: secret(Text(64).min(1)).describe('The number of the identification'),
  countryOfIssuance: Country().optional(),
});

const Roles = () => z.array(z.enum(OWNER_ROLES)).min(1).max(20);
const Percentage = () => z.number().min(0).max(100).describe('Share of the business, 0 to 100');

export const OwnerCreate = named('BeneficialOwnerCreateRequest', () =>
  z.object({
    customerId: Text(200).min(1).describe('A customer of type BUSINESS'),
    roles: Roles(),
    ownershipPercentage: Percentage(),
    personalInfo: z.object(person()).meta({ id: 'BeneficialOwnerPersonalInfo' }),
  }),
);

/** A change: `roles` replaces the list, `personalInfo` is merged member by member, `null` clears optional members. */
export const OwnerUpdate = named('BeneficialOwnerUpdateRequest', () =>
  z.object({
    roles: Roles().optional(),
    ownershipPercentage: Percentage().optional(),
    personalInfo: z.object(clearable(person())).partial().optional().meta({ id: 'BeneficialOwnerPersonalInfoUpdate' }),
  }),
);

export const OwnerPage = pageOf('BeneficialOwnerListResponse', BeneficialOwnerShape);

export const OwnerQuery = lazy(() => z.object({ customerId: z.string().min(1).max(200), ...pageQuery() }));
