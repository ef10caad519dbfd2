import type { Traces } from './traces.ts';

const NAMES = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/**
 * Opens what sends spans, if the standard variables of OpenTelemetry name a collector. Without one nothing is loaded and no
 * socket is opened. `warn` receives a sentence where the collector does not take them.
 */
export async function openTraces(
  env: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): Promise<Traces | undefined> {
  const isSet = NAMES.some((name) => (env[name] ?? '').trim() !== '');
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (!isSet || isOff) return undefined;
  const { Spans } = await import('./spans.ts');
  return new Spans(warn);
}
