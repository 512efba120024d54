import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import type { Observer } from '../domain/observer.ts';
import { type Tracer, untraced } from '../domain/tracer.ts';

/** A collector that doesn't respond must not delay the end of the process. */
const SEND_TIMEOUT_MS = 3_000;

/**
 * Creates a tracer that sends spans to an OpenTelemetry collector at `endpoint`, by OTLP over HTTP. Null: no traces. Its packages are only
 * loaded if needed. Spans that the collector doesn't accept are dropped.
 */
export async function createTracer(endpoint: string | null, version: string): Promise<Tracer> {
  if (endpoint === null) return untraced;
  const [api, { OTLPTraceExporter }, { BasicTracerProvider, BatchSpanProcessor }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
    ]);
  const { ROOT_CONTEXT, SpanStatusCode, trace } = api;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'notif', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('notif');
  const running = new AsyncLocalStorage<Span>();

  function start(name: string): Span {
    const parent = running.getStore();
    return tracer.startSpan(name, {}, parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent));
  }

  return {
    async within(name, work) {
      const span = start(name);
      try {
        return await running.run(span, work);
      } catch (error) {
        // Never the message, which may quote external data.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    spans<Outcome extends string>(kind: string, observe: Observer<Outcome>): Observer<Outcome> {
      return (what) => {
        const observeEnd = observe(what);
        if (running.getStore() === undefined) return observeEnd;
        const span = start(`${kind} ${what}`);
        return (outcome) => {
          span.setAttribute('notif.outcome', outcome);
          span.end();
          observeEnd(outcome);
        };
      };
    },
    mark: (moment) => void running.getStore()?.addEvent(moment),
    fields: () => {
      const span = running.getStore();
      return span === undefined ? {} : { traceId: span.spanContext().traceId };
    },
    // The end of the process doesn't depend on a collector: spans that it doesn't accept are dropped.
    stop: () => provider.shutdown().catch(() => {}),
  };
}
