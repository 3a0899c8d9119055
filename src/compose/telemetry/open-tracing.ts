// Opens the way of spans to a collector, when one is named, and lets the parts of a gateway make them.

import { systemClock } from '../../domain/clock.ts';
import { type Call, CallbackClient, type Called } from '../../notifications/client.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { SpanExport } from '../../telemetry/span-export.ts';
import { Tracing } from '../../telemetry/tracing.ts';

/** How calls of banks end when nobody can tell what became of them. */
const WITHOUT_ANSWER = new Set(['unknown', 'unreachable', 'silent', 'unreadable']);

export type OpenTracing = {
  readonly tracing: Tracing;
  /** Sends spans until the signal. */
  run(stopping: AbortSignal): Promise<void>;
  /** Sends what is left. */
  close(): Promise<void>;
  /** Counts what is dropped, and makes spans of what is measured anyway. */
  joins(metrics: Metrics): void;
};

export function openTracing(url: string): OpenTracing {
  let dropped = (_count: number) => {};
  const spans = new SpanExport({
    url,
    version: PACKAGE_VERSION,
    clock: systemClock,
    dropped: (count) => dropped(count),
  });
  const tracing = new Tracing(spans);
  return {
    tracing,
    run: (stopping) => spans.run(stopping),
    close: () => spans.send(),
    joins: (metrics) => {
      const counter = metrics.counter(
        'tender_spans_dropped_total',
        'Spans that the collector did not take in time, or that found its queue full.',
        [],
      );
      dropped = (count) => counter.inc(count);
      metrics.answered = ({ terminal, instruction, outcome }, milliseconds) =>
        tracing.called({
          name: `bank ${instruction}`,
          milliseconds,
          isError: WITHOUT_ANSWER.has(outcome),
          attributes: { 'tender.terminal': terminal, 'tender.instruction': instruction, 'tender.outcome': outcome },
        });
    },
  };
}

/** A callback goes on with the trace of its order. */
export class TracedCallbackClient extends CallbackClient {
  readonly #tracing: Tracing;

  constructor(options: ConstructorParameters<typeof CallbackClient>[0], tracing: Tracing) {
    super(options);
    this.#tracing = tracing;
  }

  override get(call: Call): Promise<Called> {
    const { headers, url } = call;
    return this.#tracing.callFor(
      url.searchParams.get('orderid'),
      (traceparent) => super.get(traceparent === undefined ? call : { ...call, headers: { ...headers, traceparent } }),
      ({ status, fault }, milliseconds) => ({
        name: 'callback',
        milliseconds,
        isError: fault !== undefined,
        attributes: {
          'http.request.method': 'GET',
          'server.address': url.hostname,
          'http.response.status_code': status,
          'tender.outcome': status === 200 ? 'delivered' : 'failed',
        },
      }),
    );
  }
}
