import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, getStringFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { webhookTarget } from '../../areas/platform/index.ts';
import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { OPERATIONS } from '../../areas.ts';
import { realTime } from '../../engine/clock.ts';
import type { Job } from '../../engine/scheduler.ts';
import { clearReal, realTimeout } from '../../engine/timers.ts';
import { VERSION } from '../../version.ts';
import { explain } from '../explain.ts';
import { maskShown, maskTarget } from '../mask.ts';
import type { Entry } from '../request-log.ts';
import type { Sandbox } from '../sandbox.ts';
import { sentTrace, traceparentOf } from './traceparent.ts';
import type { Traces } from './traces.ts';

/** The most unanswered requests that are kept because they caused jobs. */
const MOST_OPEN = 10_000;
/** Real milliseconds for which the end of the process waits for the collector. */
const LAST_MS = 500;

/** A span that caused others, once it is known. */
interface Origin {
  context?: Context;
}

/**
 * Sends spans by OTLP over HTTP, as JSON. If a collector does not answer, the spans are lost, and one sentence says so.
 */
export class Spans implements Traces {
  readonly url: string;
  readonly #provider: BasicTracerProvider;
  readonly #tracer: ReturnType<BasicTracerProvider['getTracer']>;
  readonly #routes = new Map(OPERATIONS.map((op) => [op.id, op.path]));
  /** Requests that have caused jobs and have no reply yet, by their ids. */
  readonly #open = new Map<string, Origin>();

  /** `warn` receives a sentence, once, if the collector does not take spans. */
  constructor(warn: (sentence: string) => void) {
    const endpoint = getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
    this.url = endpoint ?? `${getStringFromEnv('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/$/, '')}/v1/traces`;
    const named = resourceFromAttributes({
      'service.name': getStringFromEnv('OTEL_SERVICE_NAME') ?? 'sandbox-emulator',
      'service.version': VERSION,
    });
    const resource = defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] }));
    const exporter = warned(new OTLPTraceExporter(), this.url, warn);
    this.#provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
    this.#tracer = this.#provider.getTracer('sandbox-emulator', VERSION);
  }

  request(sandbox: Sandbox, entry: Entry): string {
    const { id, method, operation, status, code, ms } = entry;
    const ended = realTime();
    const route = operation && this.#routes.get(operation);
    const sent = sentTrace(entry.headers);
    const span = this.#start(
      sent ? trace.setSpanContext(ROOT_CONTEXT, { ...sent, isRemote: true }) : ROOT_CONTEXT,
      `${method} ${route ?? maskTarget(entry)}`,
      SpanKind.SERVER,
      ended - ms,
      {
        'http.request.method': method,
        'http.response.status_code': status,
        'url.path': maskTarget(entry),
        ...(route && { 'http.route': route }),
        ...(operation && { 'sandbox_emulator.operation': operation }),
        ...(code && { 'sandbox_emulator.code': code }),
        'sandbox_emulator.request_id': id,
        'sandbox_emulator.sandbox': sandbox.id,
        'sandbox_emulator.virtual_time': entry.at,
      },
    );
    const context = trace.setSpan(ROOT_CONTEXT, span);
    if (code !== undefined) this.#refusal(context, entry, ended);
    if (status === 0 || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(ended);
    const origin = this.#open.get(id);
    if (origin) origin.context = context;
    this.#open.delete(id);
    return traceparentOf(span.spanContext());
  }

  /** Records the rule that refused a call as a span within the call's: what it expected and saw, masked. */
  #refusal(request: Context, entry: Entry, at: number): void {
    const { rule, says, section, expected, seen } = maskShown(entry, explain(entry));
    this.#start(request, `refused: ${entry.code}`, SpanKind.INTERNAL, at, {
      ...texts({ rule, says, section, expected, seen }),
      ...(entry.fault && { 'sandbox_emulator.fault': entry.fault }),
    }).end(at);
  }

  follow(sandbox: Sandbox): void {
    const { world } = sandbox;
    /** By job, the request or job that caused it. */
    const led = new Map<string, Origin>();
    const running = new Map<string, Context>();
    const where = (): Attributes => ({
      'sandbox_emulator.sandbox': sandbox.id,
      'sandbox_emulator.virtual_time': world.clock.iso(),
    });
    world.watch((event, cause) => {
      if (event.what === 'ended') led.delete(event.id);
      else if (event.what === 'scheduled' && cause !== undefined) led.set(event.id, this.#originOf(cause, running));
      else if (event.what === 'delivery') {
        const delivery = world.rows(DELIVERIES).get(event.id);
        const tried = delivery?.attempts.at(-1);
        if (!delivery || !tried) return;
        const ended = realTime();
        const context = (cause !== undefined && running.get(cause)) || ROOT_CONTEXT;
        const span = this.#start(context, `deliver ${delivery.type}`, SpanKind.CLIENT, ended - tried.ms, {
          ...where(),
          ...texts({ webhook_id: delivery.id, event: delivery.type, fault: tried.fault, error: tried.error }),
          'sandbox_emulator.attempt': delivery.attempts.length,
          ...(tried.status !== undefined && { 'http.response.status_code': tried.status }),
          ...addressOf(webhookTarget(world).url),
        });
        if (delivery.state !== 'DELIVERED') span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(ended);
      }
    });
    world.scheduler.onRun = (job: Job) => {
      const span = this.#start(
        led.get(job.id)?.context ?? ROOT_CONTEXT,
        `job ${job.kind}`,
        SpanKind.INTERNAL,
        realTime(),
        {
          ...where(),
          'sandbox_emulator.job_id': job.id,
        },
      );
      running.set(job.id, trace.setSpan(ROOT_CONTEXT, span));
      return (error) => {
        running.delete(job.id);
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
        span.end(realTime());
      };
    };
  }

  /** Returns the origin of a job: the job at work, or a request that gets its reply soon. */
  #originOf(cause: string, running: ReadonlyMap<string, Context>): Origin {
    const context = running.get(cause);
    if (context) return { context };
    const known = this.#open.get(cause);
    if (known || !cause.startsWith('req_')) return known ?? {};
    if (this.#open.size >= MOST_OPEN) this.#open.clear();
    const origin: Origin = {};
    this.#open.set(cause, origin);
    return origin;
  }

  #start(context: Context, name: string, kind: SpanKind, startTime: number, attributes: Attributes): Span {
    return this.#tracer.startSpan(name, { kind, startTime, attributes }, context);
  }

  async close(): Promise<void> {
    let timer: ReturnType<typeof realTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = realTimeout(resolve, LAST_MS);
    });
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    if (timer) clearReal(timer);
  }
}

/** Returns texts under our own prefix; missing ones are left out. */
const texts = (values: Readonly<Record<string, unknown>>): Attributes =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [`sandbox_emulator.${name}`, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

/** Returns the receiver of a webhook, without the parts of a URL that may be secret: credentials and query. */
function addressOf(url: string | undefined): Attributes {
  if (url === undefined || !URL.canParse(url)) return {};
  const { hostname, port, origin, pathname } = new URL(url);
  return {
    'server.address': hostname,
    ...(port && { 'server.port': Number(port) }),
    'url.full': `${origin}${pathname}`,
  };
}

/** Returns an exporter that warns once, in a sentence, that the collector does not take spans. */
function warned(exporter: OTLPTraceExporter, url: string, warn: (sentence: string) => void): SpanExporter {
  let isSaid = false;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED && !isSaid) {
          isSaid = true;
          warn(`traces: ${url} does not take them (${result.error?.message ?? 'no reason given'}); spans are dropped`);
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
