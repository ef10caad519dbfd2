import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { findOperations, listedOperations } from '../../src/calls/index.ts';
import { SYNONYMS } from '../../src/calls/synonyms.ts';

const LISTED = listedOperations();
const idsFor = (question: string): string[] => findOperations(LISTED, question).map(({ id }) => id);

/** Questions in a user's words, and the operations that answer them: one of these is among the first three. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'send money abroad': 'createQuote',
  refund: 'sandboxSimulateCardReturn rejectPendingPayment cancelTransaction',
  otp: 'challengeAuthCredential verifyAuthCredential',
  withdraw: 'createTransferOut createQuote',
  deposit: 'sandboxFundInternalAccount createTransferIn',
  fx: 'getExchangeRates createQuote',
  capture: 'sandboxSimulateCardClearing',
  'sign up a new user': 'createCustomer',
  'onboard a business': 'createCustomer createVerification',
  'how do I register a company?': 'createCustomer',
  'add a bank account': 'createCustomerExternalAccount',
  'save a beneficiary': 'createCustomerExternalAccount',
  'add an IBAN for a recipient': 'createCustomerExternalAccount',
  'sort code and account number of a payee': 'createCustomerExternalAccount',
  'swift code': 'createCustomerExternalAccount getDiscoveries',
  'check the balance': 'listCustomerInternalAccounts',
  'how much money does a customer have': 'listCustomerInternalAccounts',
  'convert dollars to euros': 'getExchangeRates createQuote',
  'what is the exchange rate': 'getExchangeRates',
  'start a payment': 'createQuote',
  'confirm the payment': 'executeQuote authorizeQuote',
  'where is my money': 'getTransactionById',
  'payment status': 'getTransactionById',
  'payment history': 'listTransactions',
  'stop a payment': 'cancelTransaction',
  'accept an incoming payment': 'approvePendingPayment',
  'decline an incoming payment': 'rejectPendingPayment',
  'identity verification link': 'createCustomerKycLink',
  'start kyc': 'createVerification createCustomerKycLink',
  'why was kyc rejected': 'getVerification',
  'upload a passport': 'uploadDocument',
  'add a shareholder': 'createBeneficialOwner',
  'import many customers from a spreadsheet': 'uploadCustomersCsv',
  'import progress': 'getBulkCustomerImportJob',
  'delete a user': 'deleteCustomerById',
  'change an email address': 'updateCustomerById',
  'issue a virtual card': 'createCard',
  'block a stolen card': 'updateCardById',
  'freeze card': 'updateCardById',
  'show the card number': 'revealCard',
  'set a card spending limit': 'updateCardById',
  'simulate a card purchase': 'sandboxSimulateCardAuthorization',
  'refund a card purchase': 'sandboxSimulateCardReturn',
  'atm withdrawal': 'sandboxSimulateCardFinancialAuthorization',
  'test money': 'sandboxFundInternalAccount sandboxReceive',
  'top up an account': 'sandboxFundInternalAccount createTransferIn',
  'direct debit': 'createTransferIn',
  'payout to a bank': 'createTransferOut createQuote getDiscoveries',
  'list of banks in a country': 'getDiscoveries',
  'send to a uma address': 'lookupUma createQuote',
  'crypto withdrawal fee': 'estimateCryptoWithdrawalFee',
  'prove ownership of a wallet': 'createExternalAccountOwnershipChallenge verifyExternalAccountOwnership',
  'export the seed phrase': 'exportInternalAccount',
  'add a passkey': 'createAuthCredential startScaFactorEnrollment',
  'log in with a code': 'verifyAuthCredential challengeAuthCredential startScaLogin',
  'log out': 'revokeAuthSession',
  'set up an authenticator app': 'startScaFactorEnrollment',
  'lost phone, reset 2fa': 'startTwoFactorReset',
  'strong customer authentication for a payment': 'authorizeQuote',
  'resend the sms code': 'resendQuoteScaCode sendCustomerPhoneVerification',
  'verify a phone number': 'sendCustomerPhoneVerification confirmCustomerPhoneVerification',
  'trusted payee': 'startBeneficiaryTrust confirmBeneficiaryTrust',
  'let an AI agent spend': 'createAgent updateAgentPolicy',
  'approve what the agent wants to pay': 'approveAgentAction',
  'create an api key': 'createToken',
  'rotate credentials': 'createToken deleteTokenById',
  'set the webhook url': 'updatePlatformConfig',
  'send a test webhook': 'sendTestWebhook',
  'invite a friend': 'createInvitation',
  'mint a stablecoin': 'createStablecoinMint',
  'redeem stablecoins': 'createStablecoinBurn',
  'supported currencies': 'getPlatformConfig',
};

test('the search finds the right operation among the first three for 95 % of more than 60 questions in plain words (G1)', () => {
  const all = Object.entries(QUESTIONS);
  const missed = all.flatMap(([question, right]) => {
    const first = idsFor(question).slice(0, 3);
    return right.split(' ').some((id) => first.includes(id)) ? [] : [`${question}: ${first.join(', ')}`];
  });
  expect(all.length).toBeGreaterThan(60);
  expect(missed.length / all.length, missed.join('\n')).toBeLessThanOrEqual(0.05);
});

test('the search finds every operation first by its own id, and every synonym belongs to an operation that exists', () => {
  const ids = LISTED.map(({ id }) => id);
  expect(ids.filter((id) => idsFor(id)[0] !== id)).toEqual([]);
  expect(Object.keys(SYNONYMS).filter((id) => !ids.includes(id))).toEqual([]);
});

test('the search lists every operation when no words are given, and the nearest ones for a misspelt word', () => {
  expect(idsFor('').length).toBe(OPERATIONS.length);
  expect(idsFor('how do I')).toEqual(idsFor(''));
  expect(idsFor('benificiary').slice(0, 5)).toContain('startBeneficiaryTrust');
  expect(idsFor('xyzzyplugh')).toEqual([]);
});

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'the search for operations takes the word %s like any other word',
  (word) => {
    expect(Array.isArray(idsFor(word))).toBe(true);
  },
);
