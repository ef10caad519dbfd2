import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { type Kit, kit } from '../../kit/sandbox.ts';
import { form, individual, northPier, owner, PDF } from './material.ts';

/** Everything that can happen to a customer under review; `again` asks for another picture and submits nothing. */
const SUBMIT = 'POST /verifications';
const HOSTED = ['hosted approve', 'hosted reject', 'hosted pending', 'hosted again'] as const;
const HAND = ['hand APPROVED', 'hand REJECTED', 'hand HOLD'] as const;
type Act = typeof SUBMIT | (typeof HOSTED)[number] | (typeof HAND)[number];
type Kind = 'INDIVIDUAL' | 'BUSINESS';
interface Place {
  readonly profile: 'spec' | 'grid';
  readonly kind: Kind;
}

const actsOf = ({ profile }: Place): Act[] =>
  [SUBMIT as Act, ...HOSTED, ...HAND].filter((act) => profile === 'grid' || act !== 'hand HOLD');

const COURSE: Readonly<Record<string, string | undefined>> = { approve: 'APPROVED', reject: 'REJECTED' };

/** What has to be in the end: the newest submission or decision counts, and nothing that was under way before it. */
function expected({ profile, kind }: Place, acts: readonly Act[]): string {
  let status = profile === 'grid' ? 'UNVERIFIED' : 'PENDING';
  let due: string | undefined;
  for (const act of acts) {
    const decided = status === 'APPROVED' || status === 'REJECTED';
    const [by, what = ''] = act.split(' ');
    if (act === SUBMIT) {
      if (profile === 'grid' && decided) continue;
      const atOnce = profile === 'grid' && kind === 'BUSINESS';
      status = atOnce ? 'APPROVED' : 'PENDING';
      due = atOnce ? undefined : 'APPROVED';
    } else if (by === 'hosted') {
      if (what === 'again') continue;
      status = 'PENDING';
      due = COURSE[what];
    } else if (what === 'HOLD' || !decided) {
      status = what;
      due = undefined;
    }
  }
  return due ?? status;
}

async function make(world: Kit, kind: Kind): Promise<string> {
  const { id } = (await world.post('/customers', kind === 'BUSINESS' ? northPier() : individual)).body;
  const types =
    kind === 'BUSINESS'
      ? ['CERTIFICATE_OF_INCORPORATION', 'DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER', 'UTILITY_BILL']
      : ['PASSPORT'];
  for (const documentType of types) {
    const parts = { documentHolder: id, documentType, country: 'US', documentNumber: 'X1', issuingAuthority: 'State' };
    await world.post('/documents', undefined, { raw: form(parts, { bytes: PDF }) });
  }
  if (kind === 'BUSINESS') await world.post('/beneficial-owners', owner(id));
  return id;
}

async function act(world: Kit, app: ReturnType<typeof createApp>, id: string, what: Act): Promise<void> {
  const [by, choice = ''] = what.split(' ');
  if (what === SUBMIT) await world.post('/verifications', { customerId: id });
  else if (by === 'hand') await world.control('POST', `/customers/${id}/decision`, { decision: choice });
  else {
    const { kycUrl } = (await world.post(`/customers/${id}/kyc-link`, {})).body;
    await app.request(kycUrl, { method: 'POST', body: new URLSearchParams({ outcome: choice }) });
  }
}

const PLACES: readonly (Place & { length: number })[] = [
  { profile: 'spec', kind: 'INDIVIDUAL', length: 2 },
  { profile: 'grid', kind: 'INDIVIDUAL', length: 2 },
  { profile: 'spec', kind: 'BUSINESS', length: 2 },
  { profile: 'grid', kind: 'BUSINESS', length: 2 },
];

describe('sequences of submissions and decisions (spec 3.1)', () => {
  test.each(PLACES)(
    'in every sequence of $length acts on one customer the newest submission or decision decides: $kind, profile $profile',
    async (place) => {
      const policies = { 'verification.decide': 'after 10m', 'customer.decide': 'hold' } as const;
      const world = await kit({ profile: place.profile, scenario: [{ policies }], compares: false });
      const app = createApp(world.host);
      const sequences = Array.from({ length: place.length }).reduce<Act[][]>(
        (before) => before.flatMap((acts) => actsOf(place).map((next) => [...acts, next])),
        [[]],
      );
      const ids: string[] = [];
      for (const _ of sequences) ids.push(await make(world, place.kind));
      for (let turn = 0; turn < place.length; turn += 1) {
        for (const [i, acts] of sequences.entries()) await act(world, app, ids[i] as string, acts[turn] as Act);
        await world.advance('PT1M');
      }
      await world.advance('PT1H');
      const found: Record<string, string> = {};
      const right: Record<string, string> = {};
      for (const [i, acts] of sequences.entries()) {
        const { body } = await world.get(`/customers/${ids[i]}`);
        found[acts.join(', ')] = body.kycStatus ?? body.kybStatus;
        right[acts.join(', ')] = expected(place, acts);
      }
      expect(found).toEqual(right);
    },
  );
});
