import { describe, expect, test } from 'vitest';
import { chance } from '../../kit/chance.ts';
import { effort } from '../../kit/effort.ts';
import type { Answer } from '../../kit/sandbox.ts';
import {
  Authenticator,
  type ClientKey,
  claims,
  clientKey,
  nonceOf,
  proof,
  sessionKeyOf,
  token,
  type WalletKit,
  walletKit,
} from '../../kit/wallet.ts';

interface Held {
  id: string;
  type: string;
  authenticator?: Authenticator;
  claims?: Record<string, unknown>;
}
interface Session {
  id: string;
  credential: string;
  key: ClientKey;
  endsAt: number;
}
interface Call {
  method: string;
  path: string;
  body?: unknown;
}

const ACTIONS = [
  'log in',
  'log in',
  'log in',
  'refresh',
  'sign out',
  'add',
  'add',
  'remove',
  'remove by its own',
  'change email',
  'change phone',
  'clock',
  'replay',
  'dead key',
  'begin',
  'finish',
] as const;

/** What must be true, kept beside the emulator by the simplest means. */
class History {
  credentials: Held[];
  sessions: Session[] = [];
  email = 'zoe@example.com';
  phone = '+12065550147';
  readonly steps: string[] = [];
  readonly sealed = new Set<string>();
  readonly keys = new Set<string>();
  readonly dead: ClientKey[] = [];
  /** Retries that succeeded, headers and all: none may succeed again. */
  readonly spent: (Call & { headers: Record<string, string> })[] = [];
  readonly open: (Call & { first: Answer; linked: string })[] = [];
  readonly it: WalletKit;
  readonly random: ReturnType<typeof chance>;
  #count = 0;

  constructor(it: WalletKit, seed: number) {
    this.it = it;
    this.random = chance(seed);
    this.credentials = [{ id: it.emailOtp, type: 'EMAIL_OTP' }];
  }

  active = (): Session[] => this.sessions.filter((session) => session.endsAt > this.it.now());

  /** First call, signature, retry; what the first call was answered if it was no 202. */
  async signed(key: ClientKey, { method, path, body }: Call): Promise<Answer> {
    const first = await this.it.call(method, path, body);
    if (first.status !== 202) return first;
    const headers = await proof(key, first);
    const last = await this.it.call(method, path, body, { headers });
    if (last.status < 300) this.spent.push({ method, path, body, headers });
    return last;
  }

  opened(client: ClientKey, credential: string, { body }: Answer): void {
    const key = sessionKeyOf(client, body);
    if (body.encryptedSessionSigningKey !== undefined) {
      expect(this.sealed.has(body.encryptedSessionSigningKey), 'a sealed key was delivered twice').toBe(false);
      expect(this.keys.has(key.privateKey), 'a session key was made twice').toBe(false);
      this.sealed.add(body.encryptedSessionSigningKey);
    }
    this.keys.add(key.privateKey);
    this.sessions.push({ id: body.id, credential, key, endsAt: Date.parse(body.expiresAt) });
  }

  async logIn({ id, type, authenticator, claims: known }: Held): Promise<void> {
    const { it, random } = this;
    const client = clientKey();
    const form = random.of(['compressed', 'uncompressed'] as const);
    if (authenticator) {
      const { path, body, headers } = await it.asserted(id, authenticator, client, form);
      const answer = await it.post(path, body, { headers });
      expect(answer.status, answer.text).toBe(200);
      this.spent.push({ method: 'POST', path, body, headers });
      this.opened(client, id, answer);
    } else if (known) {
      const oidcToken = token({ ...claims(it.now(), known), nonce: nonceOf(client[form]) });
      const answer = await it.post(`/auth/credentials/${id}/verify`, {
        type,
        oidcToken,
        clientPublicKey: client[form],
      });
      expect(answer.status, answer.text).toBe(200);
      this.opened(client, id, answer);
    } else {
      const body = await it.sealedCode(client, '000000', id);
      const answer = await this.signed(client, { method: 'POST', path: `/auth/credentials/${id}/verify`, body });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).not.toHaveProperty('encryptedSessionSigningKey');
      this.opened(client, id, answer);
    }
  }

  async add(key: ClientKey): Promise<void> {
    const type = this.random.of(['PASSKEY', 'OAUTH', 'SMS_OTP', 'EMAIL_OTP']);
    const { accountId } = this.it;
    const held: Held = { id: '', type };
    let body: object = { type, accountId };
    if (type === 'PASSKEY') {
      held.authenticator = new Authenticator();
      body = { ...body, nickname: 'Phone', ...held.authenticator.create() };
    } else if (type === 'OAUTH') {
      held.claims = { sub: `user-${(this.#count += 1)}` };
      body = { ...body, oidcToken: token(claims(this.it.now(), held.claims)) };
    }
    const double = type.endsWith('OTP') && this.credentials.some((credential) => credential.type === type);
    const answer = await this.signed(key, { method: 'POST', path: '/auth/credentials', body });
    expect(answer.status, answer.text).toBe(double ? 400 : 201);
    if (!double) this.credentials.push({ ...held, id: answer.body.id });
  }

  async remove(session: Session, target: Held): Promise<void> {
    const answer = await this.signed(session.key, { method: 'DELETE', path: `/auth/credentials/${target.id}` });
    const expected = this.credentials.length === 1 ? 400 : session.credential === target.id ? 401 : 204;
    expect(answer.status, answer.text).toBe(expected);
    if (expected === 204) this.gone(target.id);
  }

  gone(credential: string): void {
    this.credentials = this.credentials.filter(({ id }) => id !== credential);
    const ended = this.sessions.filter((session) => session.credential === credential);
    this.sessions = this.sessions.filter((session) => session.credential !== credential);
    this.dead.push(...ended.map(({ key }) => key));
  }

  async change(key: ClientKey, field: 'email' | 'phoneNumber', value: string, taken: boolean): Promise<void> {
    const same = value === (field === 'email' ? this.email : this.phone);
    const path = `/customers/${this.it.customerId}`;
    const answer = await this.signed(key, { method: 'PATCH', path, body: { [field]: value } });
    const refused = taken && !same;
    expect(answer.status, answer.text).toBe(refused ? 409 : 200);
    if (!refused) this[field === 'email' ? 'email' : 'phone'] = value;
  }

  async step(): Promise<void> {
    const { it, random } = this;
    let what: (typeof ACTIONS)[number] = random.of(ACTIONS);
    if (this.active().length === 0 && what !== 'clock') what = 'log in';
    this.steps.push(what);
    if (what === 'log in') return this.logIn(random.of(this.credentials));
    if (what === 'clock') return void (await it.advance(random.of(['PT10S', 'PT2M', 'PT6M', 'PT16M', 'P2D'])));
    const session = random.of(this.active());
    if (what === 'refresh') {
      const client = clientKey();
      const body = { clientPublicKey: client[random.of(['compressed', 'uncompressed'] as const)] };
      const path = `/auth/sessions/${session.id}/refresh`;
      const answer = await this.signed(session.key, { method: 'POST', path, body });
      expect(answer.status, answer.text).toBe(201);
      this.opened(client, session.credential, answer);
    } else if (what === 'sign out') {
      const target = random.of(this.active());
      const answer = await this.signed(session.key, { method: 'DELETE', path: `/auth/sessions/${target.id}` });
      expect(answer.status, answer.text).toBe(204);
      this.sessions = this.sessions.filter(({ id }) => id !== target.id);
      this.dead.push(target.key);
    } else if (what === 'add') await this.add(session.key);
    else if (what === 'remove') await this.remove(session, random.of(this.credentials));
    else if (what === 'remove by its own')
      await this.remove(session, this.credentials.find(({ id }) => id === session.credential) as Held);
    else if (what === 'change email') {
      const email = random.of(['zoe@example.com', 'b@example.com', 'c@example.com', 'taken@example.com']);
      await this.change(session.key, 'email', email, email === 'taken@example.com');
    } else if (what === 'change phone')
      await this.change(session.key, 'phoneNumber', random.of(['+12065550147', '+12065550148']), false);
    else if (what === 'replay' && this.spent.length > 0) await this.replay(random.of(this.spent));
    else if (what === 'dead key' && this.dead.length > 0) {
      const answer = await this.signed(random.of(this.dead), {
        method: 'DELETE',
        path: `/auth/sessions/${session.id}`,
      });
      expect(answer.body.code).toBe('WALLET_SIGNATURE_INVALID');
    } else if (what === 'begin') await this.begin(session);
    else if (what === 'finish') await this.finish(session);
  }

  /** Leave a first call open, to be answered whenever: much may have changed by then. */
  async begin(session: Session): Promise<void> {
    const call = this.random.of<Call>([
      { method: 'DELETE', path: `/auth/credentials/${this.random.of(this.credentials).id}` },
      { method: 'DELETE', path: `/auth/sessions/${session.id}` },
      { method: 'PATCH', path: `/customers/${this.it.customerId}`, body: { email: 'later@example.com' } },
    ]);
    const before = this.credentials.some(({ type }) => type === 'EMAIL_OTP');
    const first = await this.it.call(call.method, call.path, call.body);
    if (first.status === 202) this.open.push({ ...call, first, linked: this.linked() });
    // An untied email changed at once.
    else if (first.status === 200) {
      expect(before && this.email !== 'later@example.com').toBe(false);
      this.email = 'later@example.com';
    } else expect(first.status).toBe(400);
  }

  async finish(session: Session): Promise<void> {
    const call = this.open.pop();
    if (!call) return;
    const { method, path, body, first } = call;
    const headers = await proof(session.key, first);
    const answer = await this.it.call(method, path, body, { headers });
    expect(answer.status, answer.text).toBe(this.expectedOf(session, call));
    if (answer.status >= 300) return;
    this.spent.push({ method, path, body, headers });
    const id = path.split('/').at(-1) as string;
    if (path.startsWith('/auth/credentials/')) this.gone(id);
    else if (path.startsWith('/auth/sessions/')) {
      this.dead.push(...this.sessions.filter((s) => s.id === id).map(({ key }) => key));
      this.sessions = this.sessions.filter((s) => s.id !== id);
    } else this.email = 'later@example.com';
  }

  /** How a call that was left open is answered now that a session signs for it. */
  expectedOf(session: Session, { method, path, first, linked }: History['open'][number]): number {
    if (Date.parse(first.body.expiresAt) <= this.it.now()) return 401;
    if (method === 'PATCH') return linked === this.linked() ? 200 : 409;
    const id = path.split('/').at(-1) as string;
    const ofCredential = path.startsWith('/auth/credentials/');
    if (!(ofCredential ? this.credentials : this.active()).some((one) => one.id === id)) return 404;
    if (ofCredential && this.credentials.length === 1) return 400;
    return ofCredential && session.credential === id ? 401 : 204;
  }

  /** The credentials that are tied to the email, and the email. */
  linked = (): string =>
    [this.email, ...this.credentials.filter(({ type }) => type === 'EMAIL_OTP').map(({ id }) => id)].join();

  async replay({ method, path, body, headers }: History['spent'][number]): Promise<void> {
    const answer = await this.it.call(method, path, body, { headers });
    // A passkey that was revoked since is not found; nothing else excuses anything but 401.
    const isPasskey = (body as { type?: string } | undefined)?.type === 'PASSKEY';
    const revoked = isPasskey && path.endsWith('/verify') && !this.credentials.some(({ id }) => path.includes(id));
    expect(answer.status, `replay of ${method} ${path}: ${answer.text}`).toBe(revoked ? 404 : 401);
  }

  /** The guarantees of the issue, asked of the API after every step. */
  async check(): Promise<void> {
    const { it } = this;
    const credentials: (Held & { nickname: string })[] = (
      await it.get('/auth/credentials', { accountId: it.accountId })
    ).body.data;
    expect(credentials.length, 'a wallet keeps a credential').toBeGreaterThan(0);
    expect(credentials.map(({ id }) => id).sort()).toEqual(this.credentials.map(({ id }) => id).sort());
    const listed = await it.get('/auth/sessions', { accountId: it.accountId });
    const held = this.active().filter((session) => credentials.some(({ id }) => id === session.credential));
    expect(listed.body.data.map(({ id }: Session) => id).sort()).toEqual(held.map(({ id }) => id).sort());
    expect(listed.text, 'sealed keys are never listed').not.toContain('encryptedSessionSigningKey');
    const customer = (await it.get(`/customers/${it.customerId}`)).body;
    expect([customer.email, customer.phoneNumber]).toEqual([this.email, this.phone]);
    for (const { type, nickname } of credentials) {
      if (type === 'EMAIL_OTP') expect(nickname, 'tied to the email').toBe(customer.email);
      if (type === 'SMS_OTP') expect(nickname, 'tied to the phone').toBe(customer.phoneNumber);
    }
  }
}

const named = process.env['SIMULATION_SEED'];
const seeds = named
  ? [Number(named)]
  : Array.from({ length: Number(process.env['SIMULATION_RUNS'] ?? effort(2, 40)) }, (_, i) => i + 1);

describe('random histories of a wallet (spec 3.5, 4.5, 4.6, 5)', () => {
  test.each(seeds)(
    'credentials, sessions, keys and contacts stay consistent in any order of calls, SIMULATION_SEED=%i',
    async (seed) => {
      const it = await walletKit({ scenario: ['wallet', { limits: { challengesPerMinute: 0 } }] });
      await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'taken@example.com' });
      const history = new History(it, seed);
      try {
        for (let i = 0; i < 70; i += 1) {
          await history.step();
          await history.check();
        }
        for (const call of history.spent.slice(-40)) await history.replay(call);
        await history.check();
      } catch (error) {
        throw new Error(`SIMULATION_SEED=${seed} after ${history.steps.join(', ')}`, { cause: error });
      }
    },
  );
});
