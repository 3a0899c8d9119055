import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { OtlpCollector } from '../../test/otlp-collector.ts';
import { systemClock } from '../domain/clock.ts';
import { type Span, SpanExport } from './span-export.ts';

const span: Span = {
  ...{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', parentId: undefined },
  ...{ name: 'POST', kind: 'server', beganMs: 1_800_000_000_000.25, endedMs: 1_800_000_000_012, isError: false },
  attributes: { 'http.response.status_code': 200, 'tender.operation': 'SALE', 'tender.order_id': undefined },
};

let collector: OtlpCollector | undefined;
afterEach(() => collector?.close());

async function exporting() {
  const taking = await new OtlpCollector().open();
  collector = taking;
  let dropped = 0;
  const parts = {
    version: '1',
    clock: systemClock,
    dropped: (count: number) => {
      dropped += count;
    },
  };
  return { taking, spans: new SpanExport({ ...parts, url: `${taking.url}/` }), dropped: () => dropped };
}

it('sends spans in the JSON mapping of OTLP', async () => {
  const { taking, spans, dropped } = await exporting();
  spans.add(span);
  spans.add({ ...span, parentId: '1111111111111111', kind: 'client', isError: true });
  await spans.send();
  expect(taking.faults).toEqual([]);
  expect(taking.spans).toEqual([
    {
      traceId: span.traceId,
      spanId: span.spanId,
      name: 'POST',
      kind: 2,
      startTimeUnixNano: '1800000000000250000',
      endTimeUnixNano: '1800000000012000000',
      attributes: [
        { key: 'http.response.status_code', value: { intValue: '200' } },
        { key: 'tender.operation', value: { stringValue: 'SALE' } },
      ],
      status: {},
    },
    expect.objectContaining({ parentSpanId: '1111111111111111', kind: 3, status: { code: 2 } }),
  ]);
  expect(JSON.parse(taking.texts[0] ?? '').resourceSpans[0].resource.attributes[0]).toEqual({
    key: 'service.name',
    value: { stringValue: 'tender' },
  });
  expect(dropped()).toBe(0);
});

it('counts what a collector does not take, and does not wait for one that is away', async () => {
  const { taking, spans, dropped } = await exporting();
  taking.status = 503;
  spans.add(span);
  await spans.send();
  expect(dropped()).toBe(1);
  await taking.close();
  spans.add(span);
  await spans.send();
  expect(dropped()).toBe(2);
});

it('keeps no more than its queue holds', async () => {
  const { taking, spans, dropped } = await exporting();
  for (let one = 0; one < 5_000; one++) spans.add(span);
  expect(dropped()).toBe(5_000 - 4_096);
  await spans.send();
  expect(taking.spans).toHaveLength(4_096);
  expect(taking.texts).toHaveLength(8);
});

it('follows no collector elsewhere', async () => {
  const { taking, spans, dropped } = await exporting();
  const pointing = createServer((_, response) => {
    response.writeHead(307, { location: `${taking.url}/v1/traces` }).end();
  });
  await new Promise<void>((resolve) => pointing.listen(0, '127.0.0.1', resolve));
  const { port } = pointing.address() as AddressInfo;
  const parts = { version: '1', clock: systemClock, dropped: () => {} };
  const pointed = new SpanExport({ ...parts, url: `http://127.0.0.1:${port}` });
  pointed.add(span);
  await pointed.send();
  expect(taking.texts).toEqual([]);
  spans.add(span);
  await spans.send();
  expect([taking.texts.length, dropped()]).toEqual([1, 0]);
  await new Promise((resolve) => pointing.close(resolve));
});
