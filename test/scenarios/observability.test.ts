// What who runs a gateway sees of it: a line per request, spans of one trace at a collector, and figures that the alert
// rules and the dashboard in deploy/ name. Nothing of a card is in any of them.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { otlpPython } from '../clients/generators.ts';
import { describeGateway, saleFields, until } from '../harness.ts';
import { attributeOf, type CollectedSpan, OtlpCollector } from '../otlp-collector.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const PROMTOOL = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync);
const OTLP_READER = fileURLToPath(new URL('../clients/otlp-messages.py', import.meta.url));
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

const collector = await new OtlpCollector().open();
afterAll(() => collector.close());

describeGateway('a gateway that is watched', { settings: { requestLog: true, otlpUrl: collector.url } }, (gateway) => {
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const linesOf = (outcome: string) =>
    gateway.log
      .flatMap((text) => text.trim().split('\n'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.message === 'request' && line.outcome === outcome);

  it('a payment is one trace: request, bank and callback, below the step that called', async () => {
    const shop = await gateway.shop();
    const traceId = `${TRACE.slice(0, -4)}${Math.floor(Math.random() * 0xffff)
      .toString(16)
      .padStart(4, '0')}`;
    const headers = { traceparent: `00-${traceId}-${CALLER}-01` };
    const { body } = await gateway.demo.sale({ server_callback_url: shop.url() }, { headers });
    await until('its callback came', () => shop.of(body).length === 1);
    await until('its spans came', () => spansOf(traceId).length === 5);
    const named = (name: string) => spansOf(traceId).find((span) => span.name === name) as CollectedSpan;
    const request = named('POST /paynet/api/v2/sale/{endpointId}');
    expect(request).toMatchObject({ kind: 2, parentSpanId: CALLER });
    expect(attributeOf(request, 'tender.order_id')).toBe(body['paynet-order-id']);
    expect(attributeOf(request, 'http.response.status_code')).toBe('200');
    const bank = named('bank sale');
    expect(bank).toMatchObject({ kind: 3, parentSpanId: request.spanId });
    expect(attributeOf(bank, 'tender.outcome')).toBe('approved');
    // One before the bank is asked, one with its answer.
    const commits = spansOf(traceId).filter((span) => span.name === 'database commit');
    expect(commits).toMatchObject(Array(2).fill({ kind: 3, parentSpanId: request.spanId, status: {} }));
    expect(attributeOf(commits[0] as CollectedSpan, 'db.system.name')).toBe('postgresql');
    const callback = named('callback');
    expect(callback).toMatchObject({ kind: 3, parentSpanId: request.spanId });
    expect(shop.of(body)[0]?.headers.traceparent).toBe(`00-${traceId}-${callback.spanId}-01`);
    expect(linesOf('processing')).toContainEqual(
      expect.objectContaining({
        ...{ level: 'info', method: 'POST', operation: 'SALE', merchantId: 1, status: 200, traceId },
        ...{ orderId: Number(body['paynet-order-id']), milliseconds: expect.any(Number) },
      }),
    );
    expect(collector.faults).toEqual([]);
  });

  it('a caller that does not sample gets no spans, and a wrong header begins a trace of its own', async () => {
    const unsampled = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
    await gateway.demo.sale({}, { headers: { traceparent: `00-${unsampled}-${CALLER}-00` } });
    const before = collector.spans.length;
    const { body } = await gateway.demo.sale({}, { headers: { traceparent: '4111111111111111' } });
    const isItsRequest = (span: CollectedSpan) => attributeOf(span, 'tender.order_id') === body['paynet-order-id'];
    await until('its span came', () => collector.spans.slice(before).some(isItsRequest));
    expect(collector.spans.find(isItsRequest)?.parentSpanId).toBeUndefined();
    expect(spansOf(unsampled)).toEqual([]);
  });

  it('a refusal is a line with its code, and neither lines nor spans hold anything that was sent', async () => {
    const card = '4111111111111111';
    await gateway.demo.sale({ credit_card_number: card, email: 'somebody@secret.example', expire_month: '13' });
    await gateway.demo.sale({ currency: card, client_orderid: 'order-of-secret' });
    await until('the refusals are told', () => linesOf('validation-error').length >= 2);
    expect(linesOf('validation-error').at(-1)).toMatchObject({ status: 400, errorCode: expect.any(Number) });
    await until('their spans came', () =>
      collector.spans.some((span) => attributeOf(span, 'tender.outcome') === 'validation-error'),
    );
    const all = [...gateway.log, ...collector.texts].join('\n');
    for (const sent of [card, saleFields.credit_card_number, 'secret.example', 'order-of-secret']) {
      expect(all).not.toContain(sent);
    }
  });

  it('every figure that the rules and the dashboard name is told', async () => {
    await gateway.demo.saleUntilFinal();
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    const told = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    const files = await Promise.all(
      ['prometheus/alerts.yaml', 'prometheus/alerts.test.yaml', 'grafana/tender.json'].map((path) =>
        readFile(`${DEPLOY}${path}`, 'utf8'),
      ),
    );
    const named = new Set(files.flatMap((file) => file.match(/\b(?:tender|nodejs|process)_[a-z0-9_]+/g) ?? []));
    expect(named.size).toBeGreaterThan(20);
    // This is told where the interface serves TLS by itself.
    const unserved = ['tender_certificate_seconds_left'];
    const plain = (name: string) => (told.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''));
    expect([...named].filter((name) => !told.has(plain(name)) && !unserved.includes(name))).toEqual([]);
    // It finds fault with names that the library gives to figures of Node.
    const ours = text.split('\n').filter((line) => /^(# (HELP|TYPE) )?tender_/.test(line));
    if (PROMTOOL) execFileSync(PROMTOOL, ['check', 'metrics'], { input: `${ours.join('\n')}\n`, stdio: 'pipe' });
  });
});

it("spans are read by OpenTelemetry's own definitions", async () => {
  const python = await otlpPython();
  if ('why' in python) return void process.stderr.write(`NOT TRIED: ${python.why}\n`);
  const input = `${collector.texts.join('\n')}\n`;
  const found = JSON.parse(execFileSync(python.program, [OTLP_READER], { input, encoding: 'utf8', stdio: 'pipe' }));
  const kinds = ['SERVER POST /paynet/api/v2/sale/{endpointId}', 'CLIENT bank sale', 'CLIENT database commit'];
  for (const kind of [...kinds, 'CLIENT callback']) expect(found[`SPAN_KIND_${kind}`]).toBeGreaterThan(0);
  const read = Object.values<number>(found).reduce((sum, count) => sum + count, 0);
  expect(read).toBe(collector.spans.length);
  // What the mapping does not have is refused, so that reading means something.
  const wrong = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 'client', nmae: 'x' }] }] }] });
  const refused = () => execFileSync(python.program, [OTLP_READER], { input: `${wrong}\n`, stdio: 'pipe' });
  expect(refused).toThrow(/ParseError/);
});

it('the alert rules are right by their own tests, and each has a part in the guide', async () => {
  const rules = await readFile(`${DEPLOY}prometheus/alerts.yaml`, 'utf8');
  const guide = await readFile(fileURLToPath(new URL('../../docs/guides/observability.md', import.meta.url)), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(alerts.length).toBeGreaterThan(10);
  const headings = new Set([...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name));
  expect(alerts.filter((name) => !headings.has(name))).toEqual([]);
  for (const name of alerts) expect(rules).toContain(`runbook: docs/guides/observability.md#${name.toLowerCase()}`);
  if (!PROMTOOL) return;
  execFileSync(PROMTOOL, ['check', 'rules', `${DEPLOY}prometheus/alerts.yaml`], { stdio: 'pipe' });
  execFileSync(PROMTOOL, ['test', 'rules', `${DEPLOY}prometheus/alerts.test.yaml`], { stdio: 'pipe' });
});
