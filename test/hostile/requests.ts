import { EXTENDED_FIRST, EXTENDED_NEXT } from './extended-recipes.ts';
import type { Plan } from './plan.ts';
import { formFor, recipeFor } from './recipes.ts';
import { type Schema, type Target, targets } from './schemas.ts';
import { inPath, makeValue, type Source } from './values.ts';

/** How the emulator that is asked can be reached. */
export interface Place {
  readonly basePath: string;
  readonly authorization: string;
  /** Names the sandbox for the control API, when it is not the default one. */
  readonly sandbox?: string | undefined;
}

/** Which id stands in a path, by the beginning of the path and the parameter's name. */
const PARAMETERS: readonly (readonly [RegExp, string])[] = [
  [/^\/auth\/sessions\/\{id/, 'Session'],
  [/^\/auth\/credentials\/\{id/, 'AuthMethod'],
  [/^\/internal-accounts\/\{id/, 'InternalAccount'],
  [/^\/receiver\/external-account\//, 'ExternalAccount'],
  [/^\/auth\/delegated-keys\/\{id/, 'DelegatedKey'],
  [/^\/stablecoins\/\{/, 'Stablecoin'],
  [/^\/stablecoin-operations\/\{/, 'StablecoinOperation'],
  [/^\/stablecoin-provider-accounts\/\{/, 'StablecoinProviderAccount'],
  [/^\/customers\/\{id/, 'Customer'],
  [/^\/transactions\/\{id/, 'Transaction'],
  [/^\/jobs\/\{id/, 'Job'],
  [/^\/webhooks\/\{id/, 'Webhook'],
  [/^\/tokens\//, 'Token'],
  [/^\/customers\/bulk\/jobs\//, 'Job'],
  [/^\/(?:sandbox\/)?cards\/\{id/, 'Card'],
  [/^\/auth\/delegated-keys\/\{id/, 'DelegatedKey'],
];
/** Calls that a resource in a certain state waits for, and the name that such resources are remembered under. */
const STAGES: readonly (readonly [RegExp, string])[] = [
  [/external-accounts\/\{\w+\}\/(?:challenge|verify)$/, 'unproven'],
  [/^\/quotes\/\{\w+\}\/execute$/, 'executable'],
  [/^\/transactions\/\{\w+\}\/(?:approve|reject)$/, 'pending'],
];
const TEXT: Schema = { type: 'string' };
/** Parameters that are not id with a type: the name that their value was read under. */
const NAMED: Readonly<Record<string, string>> = {
  invitationCode: 'code',
  code: 'code',
  name: 'name',
  id: 'id',
  jobId: 'jobId',
  tokenId: 'id',
};

function parameter(target: Target, name: string, source: Source): string {
  const { memory, random } = source;
  if (target.path.startsWith('/requests/')) return `req_${1 + random.below(40)}`;
  if (target.path.startsWith('/receiver/uma/'))
    return random.of([
      '$success.usd@sandbox.uma.money',
      '$success.eur@sandbox.uma.money',
      memory.named(random, 'umaAddress') ?? '$x@y.example',
    ]);
  const stage = STAGES.find(([path]) => path.test(target.path))?.[1];
  const waiting = stage && random.once(0.7) ? memory.named(random, stage) : undefined;
  if (waiting) return waiting;
  const type = PARAMETERS.find(([path]) => path.test(target.path))?.[1];
  const found =
    (type && memory.id(random, type)) ??
    (NAMED[name] && memory.named(random, NAMED[name])) ??
    makeValue(TEXT, TEXT, name, source);
  return String(found);
}

function queryOf(target: Target, source: Source): string {
  const { properties = {}, required = [] } = target.query ?? {};
  const words = new URLSearchParams();
  for (const [name, schema] of Object.entries(properties))
    if (required.includes(name) || source.random.once(0.2))
      words.append(name, String(makeValue(schema, target.query as Schema, name, source)));
  const text = words.toString();
  return text === '' ? '' : `?${text}`;
}

/** What the operation wants: the login of the sandbox, a token that an earlier reply has shown, or nothing. */
function credentialsFor({ operation }: Target, source: Source, { authorization }: Place): Record<string, string> {
  if (operation?.auth === 'none') return {};
  if (operation?.auth !== 'bearer') return { authorization };
  return { authorization: `Bearer ${makeValue({ type: 'string' }, {}, 'accessToken', source)}` };
}

/** A request that will probably be done: of the declared shapes, about what earlier replies have shown. */
export function requestFor(target: Target, source: Source, place: Place): Plan {
  const { random } = source;
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath(parameter(target, name, source)));
  const headers = target.kind === 'api' ? credentialsFor(target, source, place) : {};
  const plan: Plan = {
    target: target.name,
    kind: target.kind,
    method: target.method,
    path: `${target.kind === 'api' ? place.basePath : '/_emulator'}${path}`,
    query: queryOf(target, source),
    headers,
    mutations: [],
  };
  if (target.kind === 'control' && place.sandbox !== undefined)
    plan.query = `${plan.query === '' ? '?' : `${plan.query}&`}sandbox=${inPath(place.sandbox)}`;
  const form = formFor(target.name, source);
  if (form) plan.body = form;
  else if (target.body) {
    const recipe = random.once(0.8) ? recipeFor(target.name) : undefined;
    plan.body = JSON.stringify(recipe ? recipe(source) : makeValue(target.body, target.body, '', source));
    headers['content-type'] = 'application/json';
  }
  const idempotency = target.operation?.idempotency;
  if (idempotency && random.once(idempotency === 'required' ? 0.9 : 0.4))
    headers['idempotency-key'] = `key-${random.below(50)}`;
  return plan;
}

/** What fills a new sandbox before the inputs begin. */
export const FIRST = [
  ...[
    'createCustomer',
    'createCustomer',
    'createCustomer',
    'listCustomers',
    'listCustomerInternalAccounts',
    'listPlatformInternalAccounts',
  ],
  ...[
    'sandboxFundInternalAccount',
    'sandboxFundInternalAccount',
    'sandboxFundInternalAccount',
    'createCustomerExternalAccount',
  ],
  ...[
    'createCustomerExternalAccount',
    'createPlatformExternalAccount',
    'lookupUma',
    'createQuote',
    'createTransferOut',
    'listAuthCredentials',
  ],
  ...[
    'createInvitation',
    'uploadDocument',
    'createBeneficialOwner',
    'createCustomerKycLink',
    'listTransactions',
    'GET /state',
  ],
  ...EXTENDED_FIRST,
];

/** What a client does next, after a call that was done. */
export const NEXT: Readonly<Record<string, readonly string[]>> = {
  ...EXTENDED_NEXT,
  createQuote: ['executeQuote', 'executeQuote', 'sandboxSend', 'getQuoteById'],
  createCustomerExternalAccount: ['createExternalAccountOwnershipChallenge', 'createQuote', 'createTransferOut'],
  createPlatformExternalAccount: ['createPlatformExternalAccountOwnershipChallenge', 'createTransferIn'],
  createExternalAccountOwnershipChallenge: ['verifyExternalAccountOwnership'],
  createPlatformExternalAccountOwnershipChallenge: ['verifyPlatformExternalAccountOwnership'],
  createTransferOut: ['cancelTransaction', 'confirmReceiptDelivery', 'POST /transactions/:id/outcome'],
  sandboxReceive: ['approvePendingPayment', 'rejectPendingPayment', 'getTransactionById'],
  createCustomer: [
    'sendCustomerEmailVerification',
    'sendCustomerPhoneVerification',
    'createVerification',
    'sandboxReceive',
  ],
  sendCustomerEmailVerification: ['confirmCustomerEmailVerification'],
  sendCustomerPhoneVerification: ['confirmCustomerPhoneVerification'],
  createInvitation: ['claimInvitation', 'cancelInvitation'],
  lookupUma: ['createQuote'],
  linkStablecoinProviderAccount: ['registerStablecoin'],
  registerStablecoin: ['createStablecoinMint', 'createStablecoinBurn', 'POST /stablecoins/:id/use'],
  createStablecoinMint: ['POST /stablecoin-operations/:id/funds', 'listStablecoinOperations'],
  createStablecoinBurn: ['POST /stablecoin-operations/:id/outcome'],
  uploadCustomersCsv: ['getBulkCustomerImportJob'],
};

/** An operation or control by its name. */
export const named = (name: string): Target => {
  const found = targets().find((target) => target.name === name);
  if (!found) throw new Error(`nothing is called ${name}`);
  return found;
};
