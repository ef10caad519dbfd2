import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Emulator, startEmulator } from '../../src/index.ts';
import { openTraces } from '../../src/sandbox/traces/open.ts';
import { sentTrace } from '../../src/sandbox/traces/traceparent.ts';
import { freePort } from '../kit/port.ts';

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}

const attributesOf = ({ attributes }: Pick<Sent, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector, with the spans that it has received, and the resource and type of each body. */
async function collector() {
  const spans: Sent[] = [];
  const bodies: { path: string | undefined; type: string | undefined; resource: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        bodies.push({ path: request.url, type: request.headers['content-type'], resource: attributesOf(resource) });
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}

/** Starts an emulator that sends its spans somewhere; `closed` ends it, so that all are sent. */
async function traced(url: string, variables: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...variables }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const emulator = await startEmulator({ port: 0, holdClock: true, seed: 1 });
  onTestFinished(() => emulator.close());
  return emulator;
}

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

const requestsOf = async ({ url }: Emulator, path = '') =>
  (await (await fetch(`${url}/_emulator/requests${path}`)).json()) as {
    data: { id: string; traceparent?: string }[];
    traceparent?: string;
  };

const create = (sandbox: Emulator['sandbox'], body: object, headers: Record<string, string> = {}) =>
  sandbox.fetch('/customers', { json: body, headers });

test('a call continues the trace of its header, and the job and the delivery that follow are in that trace', async () => {
  const { url, spans, bodies } = await collector();
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const emulator = await traced(url, { OTEL_SERVICE_NAME: 'payments', OTEL_RESOURCE_ATTRIBUTES: 'team=billing' });
  const { sandbox } = emulator;
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks?token=hidden`;
  await fetch(`${emulator.url}/_emulator/webhooks/endpoint`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: hooks }),
  });
  expect((await create(sandbox, ADA, { traceparent: TRACEPARENT })).status).toBe(201);
  await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { within: 'P1D' });
  const { data } = await requestsOf(emulator);
  await emulator.close();

  const call = spans.find(({ name }) => name === 'POST /customers');
  expect(call).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId, kind: 2 });
  expect(attributesOf(call as Sent)).toMatchObject({
    'http.response.status_code': 201,
    'http.route': '/customers',
    'sandbox_emulator.operation': 'createCustomer',
    'sandbox_emulator.request_id': 'req_1',
  });
  expect(data[0]?.traceparent).toBe(`00-${PARENT.traceId}-${call?.spanId}-01`);

  const delivery = spans.find(({ name }) => name === 'deliver CUSTOMER.KYC_APPROVED') as Sent;
  const job = spans.find(({ spanId }) => spanId === delivery.parentSpanId);
  expect(job).toMatchObject({ name: 'job webhook.deliver', traceId: PARENT.traceId, parentSpanId: call?.spanId });
  expect(attributesOf(delivery)).toMatchObject({
    'http.response.status_code': 200,
    'sandbox_emulator.attempt': 1,
    'url.full': hooks.split('?')[0],
  });
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(0n);
  expect(bodies[0]).toMatchObject({
    path: '/v1/traces',
    type: 'application/json',
    resource: { 'service.name': 'payments', team: 'billing' },
  });
});

test('a job that is due days later is in the trace of the call that led to it', async () => {
  const { url, spans } = await collector();
  const emulator = await traced(url);
  const { sandbox } = emulator;
  await fetch(`${emulator.url}/_emulator/webhooks/endpoint`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${await freePort()}/nobody` }),
  });
  await create(sandbox, ADA);
  await sandbox.clock.advance('P3D');
  await emulator.close();
  const call = spans.find(({ name }) => name === 'POST /customers');
  const tries = spans.filter(({ name }) => name === 'deliver CUSTOMER.KYC_APPROVED');
  expect(tries.length).toBeGreaterThan(10);
  expect(new Set(tries.map(({ traceId }) => traceId))).toEqual(new Set([call?.traceId]));
  const days = new Set(tries.map((span) => String(attributesOf(span)['sandbox_emulator.virtual_time']).slice(0, 10)));
  expect(days.size).toBeGreaterThan(2);
});

test('the rule that refused a call is a span within its call, and secrets are masked', async () => {
  const { url, spans } = await collector();
  const emulator = await traced(url);
  const refused = await create(emulator.sandbox, {
    customerType: 'INDIVIDUAL',
    email: 'no address',
    identifier: '987-65-4320',
  });
  expect(refused.status).toBe(400);
  await emulator.close();
  const call = spans.find(({ name }) => name === 'POST /customers');
  const refusal = spans.find(({ name }) => name === 'refused: INVALID_INPUT');
  expect(refusal).toMatchObject({ traceId: call?.traceId, parentSpanId: call?.spanId });
  expect(attributesOf(refusal as Sent)['sandbox_emulator.rule']).toEqual(expect.any(String));
  expect(JSON.stringify(spans)).not.toContain('987-65-4320');
});

test('a collector that does not answer is named once, and calls succeed without it', async () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => void vi.restoreAllMocks());
  const port = await freePort();
  const emulator = await traced(`http://127.0.0.1:${port}`, { OTEL_EXPORTER_OTLP_TIMEOUT: '50' });
  for (let i = 0; i < 20; i += 1) expect((await create(emulator.sandbox, ADA)).status).toBe(201);
  await emulator.close();
  expect(said.filter((text) => text.includes('traces:'))).toEqual([
    expect.stringContaining(`traces: http://127.0.0.1:${port}/v1/traces does not take them`),
  ]);
});

test('a call without a collector shows the trace of its header in the log and on its page', async () => {
  const emulator = await startEmulator({ port: 0 });
  onTestFinished(() => emulator.close());
  await create(emulator.sandbox, ADA, { traceparent: TRACEPARENT });
  await create(emulator.sandbox, ADA);
  const { data } = await requestsOf(emulator);
  expect(data.map(({ traceparent }) => traceparent)).toEqual([undefined, TRACEPARENT]);
  expect(await requestsOf(emulator, '/req_1')).toMatchObject({ traceparent: TRACEPARENT });
  expect(await (await fetch(`${emulator.url}/inspector/requests/req_1`)).text()).toContain(PARENT.traceId);
});

test.each<[string, Record<string, string>]>([
  ['without an endpoint', {}],
  ['with an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
  ['with another exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }],
])('tracing %s is not opened', async (_, env) => {
  expect(await openTraces(env, () => {})).toBeUndefined();
});

test.each([
  ['no header at all', []],
  ['two headers', ['traceparent', TRACEPARENT, 'Traceparent', TRACEPARENT]],
  ['capital letters', ['traceparent', TRACEPARENT.toUpperCase()]],
  ['version ff', ['traceparent', TRACEPARENT.replace(/^00/, 'ff')]],
  ['a trace id of zeros', ['traceparent', TRACEPARENT.replace(PARENT.traceId, '0'.repeat(32))]],
  ['a span id of zeros', ['traceparent', TRACEPARENT.replace(PARENT.spanId, '0'.repeat(16))]],
  ['a short id', ['traceparent', '00-4bf92f-00f067aa0ba902b7-01']],
])('a traceparent with %s is ignored', (_, headers) => {
  expect(sentTrace(headers)).toBeUndefined();
});

test.each(['nonsense', 'localhost:4318', 'ftp://collector', 'http://'])(
  'an OTEL_EXPORTER_OTLP_ENDPOINT of %s is named in a warning, and tracing is not opened',
  async (url) => {
    const said: string[] = [];
    const warn = (sentence: string) => said.push(sentence);
    expect(await openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, warn)).toBeUndefined();
    expect(said).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT is not the URL of a collector, such as http://127.0.0.1:4318: no traces are sent',
    ]);
  },
);

test('a traceparent of a later version is used for its known parts (W3C Trace Context, 4.3)', () => {
  const sent = sentTrace(['TraceParent', `cc-${PARENT.traceId}-${PARENT.spanId}-03-what-comes-later`]);
  expect(sent).toEqual({ ...PARENT, traceFlags: 1 });
});
