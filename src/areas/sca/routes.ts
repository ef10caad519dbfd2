import { totp } from '../../crypto/totp.ts';
import {
  concerned,
  type Deciding,
  type Fits,
  having,
  type Ingredients,
  type Match,
  ofSomebody,
  oneOf,
  type Row,
} from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { isAnswerable } from './examples.ts';
import {
  checkOnePasskey,
  confirm,
  enrol,
  enrolmentOf,
  judgeEnrolment,
  listFactors,
  passkeyOf,
  remove,
  showFactor,
  showPasskeyStart,
  showTotpStart,
} from './factors.ts';
import { checkEnrolled, completeLogin, loginChallenge, startLogin } from './login.ts';
import { checkUnlocked, clearLogin, countFailure, showLoginState } from './logins.ts';
import { concernedCustomer } from './policy.ts';
import { judge } from './proof.ts';
import { completeReset, resetOf, showReset, startReset } from './resets.ts';
import {
  ConfirmRequest,
  ConfirmResponse,
  EnrollRequest,
  EnrollStart,
  FactorList,
  LoginComplete,
  LoginCompleteRequest,
  LoginStart,
  LoginStartRequest,
  OfCustomer,
  ResetCompleteRequest,
  ResetStart,
  ResetStartRequest,
  ResetStatus,
  SecurityEventRequest,
  SecurityEventResponse,
} from './schema.ts';

const operation = operationsOf('Strong Customer Authentication');

/** Returns an example about a row of a customer. */
const ofTheirs =
  (table: string, match: Match, maker: string, more: (row: Row) => Ingredients, fits?: Fits): Deciding =>
  (the) => {
    const row = the.row(table, { ...match, customerId: ofSomebody }, maker, fits);
    return { ...more(row), query: { customerId: row['customerId'] ?? concerned } };
  };
const NOT_CONCERNED = ['USER_NOT_FOUND', 'CONFLICT'] as const;

export const routes = [
  operation({
    id: 'listScaFactors',
    endpoint: 'GET /sca/factors',
    summary: 'List what a customer can authenticate with',
    query: OfCustomer,
    example: { query: { customerId: concerned } },
    replies: { 200: FactorList },
    refuses: NOT_CONCERNED,
    load: ({ world, query }) => concernedCustomer(world, query.customerId),
    read: ({ world }, customer) => reply(200, listFactors(world, customer)),
  }),
  operation({
    id: 'startScaFactorEnrollment',
    endpoint: 'POST /sca/factors',
    summary: 'Begin to enrol an authenticator app or a passkey',
    description: 'The codes by SMS need no enrolment. An enrolment of the same type that was begun before is void.',
    query: OfCustomer,
    body: EnrollRequest,
    example: { query: { customerId: concerned }, body: { type: oneOf('TOTP', 'PASSKEY') } },
    makes: { 'sca-factors': { secret: 'secret' } },
    replies: { 200: EnrollStart },
    refuses: [...NOT_CONCERNED, 'PASSKEY_ALREADY_ENROLLED'],
    load: ({ world, query }) => concernedCustomer(world, query.customerId),
    check: ({ world, body }, { id }) => checkOnePasskey(world, id, body.type),
    wait: () => totp(),
    write: ({ world, body }, customer, codes) => {
      const { factor, challenge } = enrol(world, customer, body.type);
      return reply(
        200,
        body.type === 'TOTP'
          ? showTotpStart(world, customer, factor, codes)
          : showPasskeyStart(world, customer, challenge),
      );
    },
  }),
  operation({
    id: 'confirmScaFactorEnrollment',
    endpoint: 'POST /sca/factors/confirm',
    summary: 'Finish an enrolment with a code of the app, or with what the device made',
    description: 'Recovery codes are shown this once; each stands in for a code of the app, once.',
    query: OfCustomer,
    body: ConfirmRequest,
    example: ofTheirs(
      'sca-factors',
      { type: 'TOTP', status: 'PENDING' },
      'startScaFactorEnrollment',
      (row) => ({ body: { type: 'TOTP', secret: row['secret'] ?? '<secret>', code: oneOf('123456', '999999') } }),
      isAnswerable,
    ),
    replies: { 200: ConfirmResponse },
    refuses: [...NOT_CONCERNED, 'PASSKEY_ALREADY_ENROLLED'],
    load: ({ world, query, body }) => enrolmentOf(world, concernedCustomer(world, query.customerId), body),
    wait: ({ world, body }, enrolment) => judgeEnrolment(world, enrolment, body),
    write: ({ world, body: { type } }, enrolment, judged) => {
      const { factor, codes } = confirm(world, enrolment, judged);
      return reply(
        200,
        type === 'TOTP' ? { type, recoveryCodes: codes } : { type, factor: showFactor(type, factor.id) },
      );
    },
  }),
  operation({
    id: 'deleteScaFactor',
    endpoint: 'DELETE /sca/factors/{credentialId}',
    summary: 'Delete a passkey',
    description: 'Another can be enrolled then.',
    query: OfCustomer,
    example: ofTheirs('sca-factors', { type: 'PASSKEY', status: 'ACTIVE' }, 'confirmScaFactorEnrollment', ({ id }) => ({
      params: { credentialId: id },
    })),
    replies: { 204: null },
    refuses: [...NOT_CONCERNED, 'REFERENCE_NOT_FOUND'],
    load: ({ world, query, params }) =>
      passkeyOf(world, concernedCustomer(world, query.customerId), params.credentialId),
    write: ({ world }, passkey) => {
      remove(world, passkey);
      return reply(204);
    },
  }),
  operation({
    id: 'startScaLogin',
    endpoint: 'POST /sca/login/start',
    summary: 'Begin a login of a customer with one of the factors',
    query: OfCustomer,
    body: LoginStartRequest,
    example: { query: { customerId: concerned }, body: { factor: oneOf('SMS_OTP', 'TOTP', 'PASSKEY') } },
    makes: { 'sca-challenges': { id: 'challengeId' } },
    replies: { 200: LoginStart },
    refuses: NOT_CONCERNED,
    load: ({ world, query }) => concernedCustomer(world, query.customerId),
    check: ({ world, body }, customer) => checkEnrolled(world, customer, body.factor),
    write: ({ world, body }, customer) => reply(200, startLogin(world, customer, body.factor)),
  }),
  operation({
    id: 'completeScaLogin',
    endpoint: 'POST /sca/login/complete',
    summary: 'Finish a login with its proof: a session begins',
    description: 'A wrong proof counts; from the fifth on the login is locked for longer and longer.',
    query: OfCustomer,
    body: LoginCompleteRequest,
    example: (the) => {
      const match = { kind: 'LOGIN', status: 'PENDING', factors: having({ 0: 'SMS_OTP' }) };
      const { id, customerId = concerned } = the.row('sca-challenges', match, 'startScaLogin');
      return {
        query: { customerId },
        body: { factor: 'SMS_OTP', challengeId: id, code: oneOf('123456', '999999'), endUserIpAddress: '203.0.113.7' },
      };
    },
    replies: { 200: LoginComplete },
    refuses: [...NOT_CONCERNED, 'ACCOUNT_LOCKED'],
    load: ({ world, query, body }) => {
      const customer = concernedCustomer(world, query.customerId);
      return { customer, challenge: loginChallenge(world, customer, body) };
    },
    wait: ({ world, body }, { customer, challenge }) =>
      judge(world, { ...challenge, customerId: customer.id, factors: [body.factor] }, body),
    write: ({ world }, { customer, challenge }, verdict) => {
      const sessionExpiresAt = completeLogin(world, customer, challenge, verdict);
      return reply(200, { status: 'SUCCESS', sessionExpiresAt });
    },
  }),
  operation({
    id: 'recordSecurityEvent',
    endpoint: 'POST /sca/record-event',
    summary: "Record what happened to a customer's login at the platform",
    description: 'A new password ends every session and lifts lock and suspension.',
    query: OfCustomer,
    body: SecurityEventRequest,
    example: {
      query: { customerId: concerned },
      body: { eventType: oneOf('RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT') },
    },
    replies: { 200: SecurityEventResponse },
    refuses: [...NOT_CONCERNED, 'ACCOUNT_LOCKED'],
    load: ({ world, query }) => concernedCustomer(world, query.customerId),
    check: ({ world, body }, { id }) => {
      if (body.eventType === 'FAILED_LOGIN_ATTEMPT') checkUnlocked(world, id);
    },
    write: ({ world, body: { eventType } }, { id }) => {
      if (eventType === 'FAILED_LOGIN_ATTEMPT') countFailure(world, id);
      else clearLogin(world, id);
      return reply(200, { eventType, ...showLoginState(world, id) });
    },
  }),
  operation({
    id: 'startTwoFactorReset',
    endpoint: 'POST /sca/factors/reset',
    summary: 'Start to reset a factor that a customer lost',
    description: 'The customer proves to be there; then the reset can be completed.',
    query: OfCustomer,
    body: ResetStartRequest,
    example: { query: { customerId: concerned }, body: { factor: 'SMS_OTP' } },
    makes: { 'sca-resets': { id: 'resetId' } },
    replies: { 201: ResetStart },
    refuses: [...NOT_CONCERNED, 'RATE_LIMITED'],
    load: ({ world, query }) => concernedCustomer(world, query.customerId),
    write: ({ world, body, origin }, customer) => {
      const { id, expiresAt } = startReset(world, customer, body.factor);
      const livenessAccessToken = world.ids.hex(16);
      const verificationLink = `${origin}/liveness/${livenessAccessToken}`;
      return reply(201, { resetId: id, livenessAccessToken, verificationLink, expiresAt });
    },
  }),
  operation({
    id: 'getTwoFactorResetStatus',
    endpoint: 'GET /sca/factors/reset/{resetId}',
    summary: 'Read how a reset stands',
    query: OfCustomer,
    example: ofTheirs('sca-resets', {}, 'startTwoFactorReset', ({ id }) => ({ params: { resetId: id } })),
    replies: { 200: ResetStatus },
    refuses: [...NOT_CONCERNED, 'REFERENCE_NOT_FOUND'],
    load: ({ world, query, params }) => resetOf(world, concernedCustomer(world, query.customerId), params.resetId),
    read: ({ world }, reset) => reply(200, showReset(world, reset)),
  }),
  operation({
    id: 'completeTwoFactorReset',
    endpoint: 'POST /sca/factors/reset/{resetId}/complete',
    summary: 'Complete a reset once liveness has passed',
    description: 'The factor can be enrolled again; for SMS_OTP the new number becomes that of the customer.',
    query: OfCustomer,
    body: ResetCompleteRequest,
    bodyOptional: true,
    example: ofTheirs('sca-resets', { status: 'LIVENESS_PASSED' }, 'startTwoFactorReset', ({ id }) => ({
      params: { resetId: id },
      body: { mobile: { countryCode: '+46', number: '701740606' } },
    })),
    replies: { 204: null },
    refuses: [...NOT_CONCERNED, 'REFERENCE_NOT_FOUND'],
    load: ({ world, query, params }) => resetOf(world, concernedCustomer(world, query.customerId), params.resetId),
    write: ({ world, body }, reset) => {
      completeReset(world, reset, body);
      return reply(204);
    },
  }),
];
