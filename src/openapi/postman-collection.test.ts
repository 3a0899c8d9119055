// The collection's own script is run here as the program runs it, against the signatures of the interface.

import { hash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { canonicalName } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { amountReadings } from '../signing/amount-readings.ts';
import { postmanCollection } from './postman-collection.ts';

const KEY = 'the-key';
const all: readonly Operation[] = operations;

type Item = {
  readonly name: string;
  readonly request: {
    readonly url: { readonly raw: string };
    readonly auth: {
      readonly type: string;
      readonly oauth1?: readonly { readonly key: string; readonly value: unknown }[];
    };
    readonly body: { readonly urlencoded: readonly { key: string; value: string; disabled?: true }[] };
  };
};

const collection = postmanCollection({ baseUrl: 'http://localhost:8080/paynet', version: '1' }) as {
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
  readonly item: readonly { readonly item: readonly Item[] }[];
  readonly variable: readonly { readonly key: string }[];
};

it('names the demo merchant only where it is', () => {
  const filledIn = (hasDemo: boolean) => {
    const { variable } = postmanCollection({ baseUrl: 'x', version: '1', hasDemo }) as Readonly<
      Record<'variable', readonly { readonly key: string; readonly value: string }[]>
    >;
    return variable.filter(({ value }) => value !== '').map(({ key }) => key);
  };
  expect(filledIn(true)).toEqual(expect.arrayContaining(['login', 'controlKey']));
  expect(filledIn(false)).toEqual(['baseUrl']);
});

const items = collection.item.flatMap(({ item }) => item);

/** What the script leaves in `control`. */
function controlBy(name: string, fields: Readonly<Record<string, string>>): string | undefined {
  const variables = new Map<string, string>([
    ['controlKey', KEY],
    ['endpoint', '101'],
  ]);
  const urlencoded = Object.entries(fields).map(([key, value]) => ({ key, value, disabled: false }));
  const pm = {
    info: { requestName: name },
    request: { body: { urlencoded: { all: () => [...urlencoded, { key: 'email', value: 'off', disabled: true }] } } },
    variables: {
      get: (key: string) => variables.get(key),
      set: (key: string, value: string) => variables.set(key, value),
      replaceIn: (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables.get(key) ?? ''),
    },
  };
  const require = () => ({ SHA1: (text: string) => hash('sha1', text, 'hex') });
  const { exec = [] } = collection.event.find(({ listen }) => listen === 'prerequest')?.script ?? {};
  runInNewContext(exec.join('\n'), { pm, require, Date, Math });
  return variables.get('control');
}

describe('the Postman collection', () => {
  it('has every operation once, at its path', () => {
    const expected = all.map(({ name, path }) => [name, `{{baseUrl}}${path}/{{endpoint}}`]);
    expect(items.map(({ name, request }) => [name, request.url.raw]).sort()).toEqual(expected.sort());
  });

  it.each(all.map((one) => [one.name, one] as const))('signs %s as it must be signed', (name, { auth, request }) => {
    const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
    const item = items.find((one) => one.name === name) as Item;
    const fields = Object.values(request.fields);
    expect(item.request.body.urlencoded.map(({ key }) => key)).toEqual(fields.map(({ wire }) => wire));
    const isOn = (wire: string) => !item.request.body.urlencoded.find(({ key }) => key === wire)?.disabled;
    expect(fields.filter(({ wire }) => isOn(wire)).map(({ wire }) => wire)).toEqual(
      fields.filter(({ required }) => required).map(({ wire }) => wire),
    );
    if (scheme.scheme === 'oauth') {
      const method = item.request.auth.oauth1?.find(({ key }) => key === 'signatureMethod')?.value;
      expect(method).toBe(scheme.method === 'either' ? 'HMAC-SHA1' : scheme.method);
      expect(controlBy(name, {})).toBeUndefined();
      return;
    }
    const wires = fields.filter(({ wire }) => scheme.over.includes(canonicalName(wire))).map(({ wire }) => wire);
    const sent = Object.fromEntries(wires.map((wire) => [wire, `value of ${wire}`]));
    if ('amount' in sent) Object.assign(sent, { amount: '10.42', currency: 'USD' });
    const values = scheme.over.map((one) => {
      if (one === 'endpointId') return '101';
      if (one === 'amount') return 'amount' in sent ? '1042' : '';
      return sent[wires.find((wire) => canonicalName(wire) === one) ?? ''] ?? '';
    });
    expect(controlBy(name, sent)).toBe(hash('sha1', values.join('') + KEY, 'hex'));
  });

  it.each([
    ['10.42', 'USD'],
    ['0.05', 'EUR'],
    ['1.234', 'KWD'],
    ['1.2', 'KWD'],
    ['105.0000', 'USD'],
    ['1042', 'USD'],
    ['1000', 'JPY'],
    ['1000.0', 'JPY'],
  ])('signs %s %s in the minor units of its currency', (amount, currency) => {
    const signed = amountReadings(amount, currency)[0]?.signed;
    const fields = { client_orderid: 'a', amount, currency };
    expect(controlBy('SALE', fields)).toBe(hash('sha1', `101a${signed}${KEY}`, 'hex'));
  });

  it('names no variable that it does not have or make', () => {
    const known = new Set([...collection.variable.map(({ key }) => key), 'control', 'new_orderid']);
    const named = [...JSON.stringify(items).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
});
