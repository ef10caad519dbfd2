import type { Plan } from './plan.ts';
import type { Place } from './requests.ts';
import { targets } from './schemas.ts';
import { inPath, type Source } from './values.ts';

const TABLES = [
  'customers',
  'accounts',
  'transactions',
  'quotes',
  'webhooks',
  'tokens',
  'jobs',
  'kyc-links',
  'x',
  '__proto__',
];
const PLAIN = [
  '/',
  '/inspector',
  '/inspector/requests',
  '/inspector/webhooks',
  '/inspector/state',
  '/inspector/clock',
].concat(
  ...['jobs', 'faults', 'api', 'scenario', 'codes', 'diff', 'nothing', 'assets/x.css'].map(
    (page) => `/inspector/${page}`,
  ),
);
const OUTCOMES = ['APPROVED', 'REJECTED', 'PENDING', 'x', ''];

function inspector({ random, memory }: Source): string {
  const id = inPath(memory.anyId(random) ?? 'x');
  return random.of([
    random.of(PLAIN),
    `/inspector/state/${random.of(TABLES)}`,
    `/inspector/state/${random.of(TABLES)}/${id}`,
    `/inspector/requests/req_${1 + random.below(60)}`,
    `/inspector/webhooks/${id}`,
    `/inspector/api/${random.of(targets()).name}`,
  ]);
}

/** Look at a page for people, or fill in the hosted form. */
export function pageRequest(source: Source, place: Place): Plan {
  const { random, memory } = source;
  const kyc = random.once(0.4) ? memory.named(random, 'kycUrl') : undefined;
  const plan: Plan = {
    target: 'page',
    kind: 'page',
    method: 'GET',
    path: '/',
    query: '',
    headers: { accept: 'text/html' },
    mutations: [],
  };
  if (kyc === undefined) {
    plan.path = inspector(source);
    if (place.sandbox !== undefined) plan.query = `?sandbox=${inPath(place.sandbox)}`;
    return plan;
  }
  plan.path = new URL(kyc).pathname;
  if (random.once(0.5)) return plan;
  plan.method = 'POST';
  plan.headers['content-type'] = 'application/x-www-form-urlencoded';
  const fields = {
    outcome: random.of(OUTCOMES),
    fullName: 'Omar Diaz',
    birthDate: '1990-01-02',
    nationality: 'ES',
    'address.line1': '8 Elm Ct',
  };
  plan.body = String(new URLSearchParams(fields));
  return plan;
}
