import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CURRENCIES } from '../../contract/money.ts';
import { COUNTRIES, CurrencyCode, clearable, Email, Moment } from '../../contract/shapes.ts';
import { Uri } from '../../contract/uri.ts';

/** The names of customer information, as `GET /config` lists them. */
export const CUSTOMER_INFO_FIELDS = [
  'FULL_NAME',
  'BIRTH_DATE',
  'NATIONALITY',
  'PHONE_NUMBER',
  'EMAIL',
  'POSTAL_ADDRESS',
  'TAX_ID',
  'REGISTRATION_NUMBER',
  'USER_TYPE',
  'COUNTRY_OF_RESIDENCE',
  'ACCOUNT_IDENTIFIER',
  'FI_LEGAL_ENTITY_NAME',
  'FI_ADDRESS',
  'PURPOSE_OF_PAYMENT',
  'ULTIMATE_INSTITUTION_COUNTRY',
  'IDENTIFIER',
  'BUSINESS_TYPE',
  'COMPANY_LEGAL_NAME',
  'ID_TYPE',
  'ID_NUMBER',
] as const;
export type CustomerInfoField = (typeof CUSTOMER_INFO_FIELDS)[number];

export const CustomerInfoFieldName = named('CustomerInfoFieldName', () => z.enum(CUSTOMER_INFO_FIELDS));

/** A piece of data that an institution requires of the other side of a payment. */
export const CounterpartyField = named('CounterpartyFieldDefinition', () =>
  z.object({ name: CustomerInfoFieldName(), mandatory: z.boolean() }),
);

const KnownCurrency = lazy(() =>
  CurrencyCode().refine((code) => CURRENCIES.has(code), { error: 'not a currency that the service knows' }),
);

const Amount = () => z.int().min(0);

/** One currency of the platform (spec 2.1 rule 1, 4.4). */
export const PlatformCurrencyConfig = named('PlatformCurrencyConfig', () =>
  z.object({
    currencyCode: KnownCurrency(),
    minAmount: Amount().describe('Smallest amount, in minor units'),
    maxAmount: Amount().describe('Largest amount, in minor units'),
    requiredCounterpartyFields: z.array(CounterpartyField()),
    providerRequiredCustomerFields: z
      .array(CustomerInfoFieldName())
      .optional()
      .describe('What a customer who is to use this currency must supply; absent when nothing is required')
      .meta({ readOnly: true }),
    providerRequiredCounterpartyCustomerFields: z.array(CustomerInfoFieldName()).optional().meta({ readOnly: true }),
    enabledTransactionTypes: z.array(z.enum(['INCOMING', 'OUTGOING'])),
  }),
);

/** The members of a currency in a request: everything but the code has a default. */
const PlatformCurrencyUpdate = lazy(() =>
  z.object({
    ...PlatformCurrencyConfig().shape,
    minAmount: Amount().optional(),
    maxAmount: Amount().optional(),
    requiredCounterpartyFields: PlatformCurrencyConfig().shape.requiredCounterpartyFields.optional(),
    enabledTransactionTypes: z
      .array(z.enum(['INCOMING', 'OUTGOING']))
      .min(1)
      .optional(),
  }),
);

const short = (max: number) => z.string().max(max).optional();

export const EmbeddedWalletConfig = named('EmbeddedWalletConfig', () =>
  z.object({
    appName: short(255),
    otpLength: z
      .int()
      .min(4)
      .max(12)
      .optional()
      .describe('Digits or letters of a one-time code; the sandbox code stays 000000'),
    alphanumeric: z.boolean().optional(),
    expirationSeconds: z.int().min(1).max(86_400).optional(),
    sendFromEmailAddress: Email().max(255).optional(),
    sendFromEmailSenderName: short(255),
    replyToEmailAddress: Email().max(255).optional(),
    logoUrl: Uri().max(512).optional(),
  }),
);

export const CardTokenization2faConfig = named('CardTokenization2FAConfig', () =>
  z.object({
    displayName: short(255),
    logoUrl: Uri({ protocol: /^https$/ })
      .max(512)
      .optional(),
    email: z
      .object({
        fromAddress: Email().max(255).optional(),
        fromName: short(255),
        replyToAddress: Email().max(255).optional(),
        subject: short(255),
        bodyText: short(2000),
      })
      .optional(),
    sms: z.object({ templateSid: short(64), bodyText: short(480) }).optional(),
  }),
);

const CardTokenization2faUpdate = lazy(() => {
  const { email, sms, ...rest } = CardTokenization2faConfig().shape;
  return z.object({
    ...clearable(rest),
    email: z.object(clearable(email.unwrap().shape)).nullish(),
    sms: z.object(clearable(sms.unwrap().shape)).nullish(),
  });
});

export const FeeConfig = named('FeeConfig', () =>
  z.object({
    feeType: z.enum(['CROSS_CURRENCY_TRANSACTION']).describe('What is charged for'),
    sourceCurrency: CurrencyCode().describe('Currency that is sent'),
    variableFeeBps: z.int().min(0).max(10_000).describe('Share of the amount, in basis points'),
    fixedFee: z
      .object({
        amount: Amount().describe('Minor units'),
        currency: CurrencyCode().describe('Currency of the fee'),
      })
      .describe('Amount per payment'),
  }),
);

export const PlatformConfig = named('PlatformConfig', () =>
  z.strictObject({
    id: z.string().meta({ readOnly: true }),
    umaDomain: z.string(),
    proxyUmaSubdomain: z.string(),
    webhookEndpoint: z.string().optional(),
    supportedCurrencies: z.array(PlatformCurrencyConfig()),
    isRegulatedFinancialInstitution: z.boolean(),
    embeddedWalletConfig: EmbeddedWalletConfig().optional(),
    cardTokenization2faConfig: CardTokenization2faConfig().optional(),
    feeConfigs: z.array(FeeConfig()),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** The domain of the platform's UMA addresses (spec 2.8). */
export const UmaDomain = lazy(() =>
  z
    .string()
    .max(253)
    .regex(/^(?!-)[A-Za-z0-9-]{1,63}(?:\.(?!-)[A-Za-z0-9-]{1,63})*(?::[0-9]{1,5})?$/, 'not a domain name'),
);

const Channels = () => z.array(z.enum(['email', 'phone']));

/** The channels that a provider verifies: for every customer, or by country, with `default` for all others. */
export const ContactRules = lazy(() =>
  z.union(
    [
      Channels(),
      z.record(
        z.string().refine((key) => key === 'default' || COUNTRIES.has(key), 'must be a country such as DE, or default'),
        Channels(),
      ),
    ],
    'must be a list of email and phone, or such lists by country and default',
  ),
);

export const PlatformConfigUpdate = named('PlatformConfigUpdateRequest', () =>
  z.object({
    umaDomain: UmaDomain().optional(),
    webhookEndpoint: z
      .url({ protocol: /^https?$/, error: 'not an http or https URL' })
      .max(2048)
      .nullish(),
    supportedCurrencies: z.array(PlatformCurrencyUpdate()).min(1).max(100).optional(),
    embeddedWalletConfig: z.object(clearable(EmbeddedWalletConfig().shape)).nullish(),
    cardTokenization2faConfig: CardTokenization2faUpdate().nullish(),
    feeConfigs: z.array(FeeConfig()).max(100).optional(),
  }),
);
