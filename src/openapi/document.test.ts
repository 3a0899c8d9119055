import { describe, expect, test } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { canonicalName, readForm } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { sale } from '../operations/v2/sale.ts';
import { controlDigest } from '../signing/control.ts';
import { openApiDocument } from './document.ts';
import { examples } from './examples.ts';

const ABOUT = { baseUrl: 'http://localhost:8080/paynet', version: '1.2.3' };

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read here as a stranger would
const document: any = JSON.parse(JSON.stringify(openApiDocument(ABOUT)));

const all: readonly Operation[] = operations;

function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => (name === key ? [value] : valuesOf(key, value)));
}

describe('the OpenAPI document', () => {
  test('is the same every time', () => {
    expect(JSON.parse(JSON.stringify(openApiDocument(ABOUT)))).toEqual(document);
  });

  test('names the version and the base address', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
    expect(document.servers).toMatchObject([{ url: 'http://localhost:8080/paynet' }]);
  });

  test('introduces itself in paragraphs whose stars only make words bold', () => {
    for (const paragraph of document.info.description.split('\n\n'))
      expect(paragraph.replace(/\*\*[^*]+\*\*/g, '')).not.toContain('*');
  });

  test('every reference leads somewhere', () => {
    const references = new Set(valuesOf('$ref', document) as string[]);
    expect(references.size).toBeGreaterThan(30);
    for (const reference of references) {
      const steps = reference.replace('#/', '').split('/');
      const target = steps.reduce((node, step) => node?.[step], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  test('carries the names of operations that strict signing needs', () => {
    for (const { name, path } of all) {
      const { post } = document.paths[`${path}/{endpointId}`];
      expect(post['x-operation-name']).toBe(name);
      expect(post.description).toContain(`Operation \`${name}\`.`);
    }
    expect(document.info.description).toContain('`x-operation-name`');
  });

  test('promises an Idempotency-Key where orders are made or changed, and nowhere else', () => {
    const without = all.filter(({ path }) => {
      const { parameters } = document.paths[`${path}/{endpointId}`].post;
      return !parameters.some(({ $ref }: { $ref: string }) => $ref.endsWith('/idempotencyKey'));
    });
    expect(without.map(({ name }) => name).sort()).toEqual([
      'CARDINFO',
      'CARDREF',
      'CARDREF_V4',
      // This operation takes none, because a recurring payment is known by its client_orderid alone.
      'CREATE_RP_V4',
      'STATUS',
      'STATUS_V4',
      'TDS_UPLOAD_CRES_RESULT',
      'TDS_UPLOAD_METHOD_URL_RESULT',
      'TDS_UPLOAD_PARES_RESULT',
    ]);
  });

  test('has every operation, each under its own id', () => {
    expect(Object.keys(document.paths)).toEqual(all.map(({ path }) => `${path}/{endpointId}`));
    const ids = valuesOf('operationId', document);
    expect(new Set(ids).size).toBe(all.length);
  });

  test.each(all.map((operation) => [operation.name, operation] as const))(
    '%s asks for what its form asks for',
    (_, { path, schema, request, response }) => {
      const { post } = document.paths[`${path}/{endpointId}`];
      const described = document.components.schemas[schema];
      const fields = Object.values(request.fields);
      expect(described.required).toEqual(fields.filter(({ required }) => required).map(({ wire }) => wire));
      expect(Object.keys(described.properties)).toEqual(fields.map(({ wire }) => wire));
      expect(Object.keys(post.responses)).toEqual(['200', '400', '404', '405', '429', '500']);
      expect(post.responses[200].content['application/vnd.pay+json'].schema.$ref).toContain(response.name);
    },
  );

  test('security schemes that are used are described', () => {
    const used = new Set((valuesOf('security', document) as object[][]).flat().flatMap(Object.keys));
    expect([...used].sort()).toEqual(Object.keys(document.components.securitySchemes).sort());
  });

  test('control formulas are spelled out', () => {
    const described = (path: string) => document.paths[`/api/${path}/{endpointId}`].post.description;
    expect(described('v2/sale')).toContain(
      'SHA-1(`endpointId` + `client_orderid` + `amount` (in minor units) + `email` + control key)',
    );
    expect(described('3ds/v1/upload-cres-result')).toContain('`login` + `client-order-id` + `orderid` + control key');
    expect(described('v2/capture')).toContain('`amount` (in minor units, when sent) + `currency` (when sent)');
  });

  test('says what is checked: not empty, no control characters, amount and currency together, kinds of addresses', () => {
    const { SaleRequest, CaptureRequest } = document.components.schemas;
    const { client_orderid, order_desc, ipaddress, city } = SaleRequest.properties;
    expect(client_orderid).toMatchObject({ type: 'string', minLength: 1, maxLength: 128 });
    expect(city).not.toHaveProperty('minLength');
    const allows = ({ pattern }: { pattern: string }, text: string) => new RegExp(pattern, 'u').test(text);
    const texts = ['Zoë (1)', 'a\tb', 'a\nb', 'a\u0000b', 'a\u0085b'];
    expect(texts.map((text) => allows(client_orderid, text))).toEqual([true, false, false, false, false]);
    expect(texts.map((text) => allows(order_desc, text))).toEqual([true, true, true, false, false]);
    expect(ipaddress.anyOf.map(({ type }: { type: string }) => type)).toEqual(['string', 'string']);
    expect(CaptureRequest.dependentRequired).toEqual({ amount: ['currency'], currency: ['amount'] });
  });

  test('tells of every operation whether it has security at the level of HTTP, and what a control covers', () => {
    for (const { path, auth } of all) {
      const { post } = document.paths[`${path}/{endpointId}`];
      const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
      expect(post.security.length > 0).toBe(scheme.scheme === 'oauth');
      if (scheme.scheme === 'control') expect(post['x-control']).toMatchObject({ over: scheme.over });
    }
  });

  test('other spellings are mentioned', () => {
    const { client_orderid } = document.components.schemas.SaleRequest.properties;
    expect(client_orderid.description).toContain('`client-order-id`');
  });
});

describe('the examples', () => {
  const key = new Secret('9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638');

  test('are signed with the key of the demo merchant', () => {
    const { client_orderid = '', email = '', control } = examples.SALE!.request;
    expect(controlDigest(['101', client_orderid, '1042', email], key).toString('hex')).toBe(control);
    const asked = examples.STATUS!.request;
    const values = [asked.login!, asked.client_orderid!, asked.orderid!];
    expect(controlDigest(values, key).toString('hex')).toBe(asked.control);
  });

  test('are good requests', () => {
    const parameters = new Map(
      Object.entries(examples.SALE!.request).map(([name, text]) => [canonicalName(name), text]),
    );
    const context = { now: Date.parse('2026-11-15'), currency: 'USD', notation: 'major' } as const;
    expect(readForm(sale.request, parameters, context).faults).toEqual([]);
  });
});
