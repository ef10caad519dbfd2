import type { Traces } from './traces.ts';

const NAMES = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/**
 * Starts sending spans if the standard variables of OpenTelemetry name a collector. Otherwise it loads nothing and
 * opens no socket. `warn` receives a sentence if the collector does not take them, or if the variable holds no URL.
 */
export async function openTraces(
  env: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): Promise<Traces | undefined> {
  const name = NAMES.find((one) => (env[one] ?? '').trim() !== '');
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (name === undefined || isOff) return undefined;
  const url = (env[name] as string).trim();
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    warn(`${name} is not the URL of a collector, such as http://127.0.0.1:4318: no traces are sent`);
    return undefined;
  }
  const { Spans } = await import('./spans.ts');
  return new Spans(warn);
}
