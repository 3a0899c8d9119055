// An OpenTelemetry collector as the OTLP specification describes it: takes POST /v1/traces in JSON, refuses what is not
// in its JSON mapping, and keeps the spans. It shares no code with the gateway.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status: { readonly code?: number };
};

const NANOSECONDS = /^\d{19}$/;

/** What is wrong with a span, in the words of the mapping. */
function faultsOf(span: CollectedSpan): string[] {
  const faults: string[] = [];
  if (!/^[0-9a-f]{32}$/.test(span.traceId)) faults.push('traceId is not 16 bytes in hexadecimal');
  if (!/^[0-9a-f]{16}$/.test(span.spanId)) faults.push('spanId is not 8 bytes in hexadecimal');
  if (span.parentSpanId !== undefined && !/^[0-9a-f]{16}$/.test(span.parentSpanId)) faults.push('parentSpanId');
  if (!NANOSECONDS.test(span.startTimeUnixNano)) faults.push('startTimeUnixNano is no fixed64 as text');
  if (!NANOSECONDS.test(span.endTimeUnixNano)) faults.push('endTimeUnixNano is no fixed64 as text');
  if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano)) faults.push('it ends before it begins');
  if (![1, 2, 3, 4, 5].includes(span.kind)) faults.push('kind is no number of the enumeration');
  for (const { key, value } of span.attributes) {
    const kinds = Object.keys(value);
    const isValue = kinds.length === 1 && Object.values(value).every((one) => typeof one === 'string');
    if (!isValue) faults.push(`${key} has not one value as text`);
  }
  return faults;
}

export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  readonly faults: string[] = [];
  readonly texts: string[] = [];
  /** What it answers; 200 takes everything. */
  status = 200;
  readonly #server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') {
        this.faults.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      }
      this.texts.push(text);
      if (this.status === 200) this.#take(JSON.parse(text));
      response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(sent: { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }): void {
    for (const span of sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))) {
      this.spans.push(span);
      this.faults.push(...faultsOf(span));
    }
  }
}

export function attributeOf({ attributes }: CollectedSpan, wanted: string): string | undefined {
  const found = attributes.find(({ key }) => key === wanted)?.value;
  return found?.stringValue ?? found?.intValue;
}
