// Sends spans to an OpenTelemetry collector as OTLP/HTTP in JSON: in batches, from a bounded queue, never in the way of
// a payment. What a collector that is away or slow cannot take is dropped and counted.

import type { Clock } from '../domain/clock.ts';

const MOST_WAITING = 4_096;
const MOST_AT_ONCE = 512;
const EVERY_MS = 1_000;
const ANSWER_MS = 5_000;

export type SpanValue = string | number;

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>;
};

export type SpanExportParts = {
  /** The address of the collector, such as http://localhost:4318. */
  readonly url: string;
  readonly version: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly dropped: (count: number) => void;
};

export class SpanExport {
  readonly #parts: SpanExportParts;
  #waiting: Span[] = [];

  constructor(parts: SpanExportParts) {
    this.#parts = parts;
  }

  add(span: Span): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(span);
    else this.#parts.dropped(1);
  }

  /** Sends what waits every second until the signal, and then once more. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#parts.clock.sleep(EVERY_MS, stopping);
      await this.send();
    }
  }

  /** Sends all that waits at this moment; never throws. */
  async send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      if (!(await this.#isTaken(batch))) this.#parts.dropped(batch.length);
    }
  }

  async #isTaken(batch: readonly Span[]): Promise<boolean> {
    const { url, version } = this.#parts;
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(otlpOf(batch, version)),
        // Spans go to the collector that was named, and to nobody it points at.
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** The JSON mapping of OTLP: ids in hexadecimal, numbers of 64 bits as text, enumerations as numbers. */
export function otlpOf(spans: readonly Span[], version: string) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'tender', 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'tender', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan(span: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanosecondsOf(span.beganMs),
    endTimeUnixNano: nanosecondsOf(span.endedMs),
    attributes: attributesOf(span.attributes),
    status: span.isError ? { code: STATUS_ERROR } : {},
  };
}

function nanosecondsOf(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`;
}

function attributesOf(attributes: Span['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }],
  );
}
