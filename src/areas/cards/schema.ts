import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment, pageOf, pageQuery, Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { CardMerchant, MAX_AMOUNT } from '../transactions/index.ts';

export const LIVE_STATES = ['PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'] as const;
export const STATE_REASONS = ['ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SERVICE'] as const;
export const BRANDS = ['VISA', 'MASTERCARD'] as const;

const CardState = named('CardState', () => z.enum(['PENDING_KYC', ...LIVE_STATES]));
const CardStateReason = named('CardStateReason', () => z.enum(STATE_REASONS));
const CardBrand = named('CardBrand', () => z.enum(BRANDS));
const CardForm = named('CardForm', () => z.literal('VIRTUAL'));

const spendLimit = () =>
  z.int().min(1).describe("Most that one payment may authorize, in minor units of the card's currency");

/** A card as replies and webhooks show it (reference 3.2), never with its number. */
export const CardShape = named('Card', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e76'] }),
    cardholderId: z.string(),
    platformCardId: z.string().optional().describe('Your id of the card; made up where none was sent'),
    state: CardState(),
    stateReason: CardStateReason().nullable().optional().describe('Of a card that is CLOSED'),
    brand: CardBrand().optional(),
    form: CardForm(),
    last4: z.string().optional().describe('The last four digits of its number'),
    expMonth: z.int().min(1).max(12).optional(),
    expYear: z.int().optional(),
    fundingSources: z.array(z.string()).describe('Internal accounts that pay, the first one first'),
    maxSpendPerTransaction: spendLimit().nullable(),
    currency: z.string().optional().describe('That of its funding sources'),
    processorRef: z.string().optional(),
    issuerRef: z.string().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export const CardPage = pageOf('CardListResponse', CardShape);

const Sources = () => z.array(Text(200)).min(1).max(20);

export const CardCreate = named('CardCreateRequest', () =>
  z.object({
    cardholderId: Text(200).describe('A customer who is APPROVED'),
    form: CardForm(),
    fundingSources: Sources().describe('Accounts of the cardholder in one currency, the first one first'),
    platformCardId: Text(200).min(1).optional().describe('Its last three characters can be a magic value'),
    maxSpendPerTransaction: spendLimit().optional(),
    threeDSecurePassword: secret(Text(200).min(1)).optional().describe('Of cards issued in the EU; never kept'),
  }),
);

export const CardUpdate = named('CardUpdateRequest', () =>
  z
    .object({
      state: z.enum(['ACTIVE', 'FROZEN', 'CLOSED']).optional(),
      fundingSources: Sources().optional().describe('In place of all present ones'),
      maxSpendPerTransaction: spendLimit().nullable().optional().describe('null takes the limit away'),
    })
    .refine(
      ({ state, fundingSources, maxSpendPerTransaction }) =>
        state !== undefined || fundingSources !== undefined || maxSpendPerTransaction !== undefined,
      'at least one of state, fundingSources and maxSpendPerTransaction is needed',
    ),
);

export const CardQuery = lazy(() =>
  z.object({
    cardholderId: Text(200).optional(),
    accountId: Text(200).optional().describe('Cards that this account pays for'),
    platformCardId: Text(200).optional(),
    state: CardState().optional(),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery(),
  }),
);

export const CardReveal = named('CardRevealResponse', () =>
  z.strictObject({
    panEmbedUrl: secret(z.url()).describe('For an iframe, at once; the address alone shows the card'),
    expiresAt: Moment(),
  }),
);

const Amount = (min = 1) => z.int().min(min).max(MAX_AMOUNT);
const parent = () => ({ cardTransactionId: Text(200) });

export const AuthorizationRequest = named('SandboxCardAuthorizationRequest', () =>
  z.object({
    amount: Amount().describe('Minor units of the currency'),
    currency: z
      .object({
        code: Text(10).describe('That of the card; USD for a card in USDB as well'),
        name: Text(100).optional(),
        symbol: Text(10).optional(),
        decimals: z.int().min(0).optional(),
      })
      .describe('Only the code counts'),
    merchant: CardMerchant(),
  }),
);
export const InquiryRequest = named('SandboxCardBalanceInquiryRequest', () => z.object({ merchant: CardMerchant() }));
export const AdviceRequest = named('SandboxCardAuthorizationAdviceRequest', () =>
  z.object({ ...parent(), amount: Amount().describe('The new total, in minor units of the payment') }),
);
export const ClearingRequest = named('SandboxCardClearingRequest', () =>
  z.object({ ...parent(), amount: Amount(0).describe('Minor units of the payment; 0: the authorization expires') }),
);
export const ReturnRequest = named('SandboxCardReturnRequest', () =>
  z.object({ ...parent(), amount: Amount().describe('Minor units of the payment, at most what is settled') }),
);
export const ReversalRequest = named('SandboxCardTransactionRefRequest', () => z.object(parent()));

export const Simulated = named('SandboxCardSimulationResponse', () =>
  z.strictObject({
    issuerTransactionToken: z.string().describe('As in the payment, if there is one'),
  }),
);
