// A Postman collection (v2.1) of every operation, derived from the same list as the OpenAPI document. Controls are made
// by a script before each request; OAuth 1.0a is signed by the program itself. As it stands it pays at a sandbox.

import { exponentOf, payableCurrencies } from '../domain/money/currency.ts';
import { canonicalName, type Field } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';
import { MEDIA_TYPE } from '../operations/response.ts';
import { demo } from '../processing/node/demo.ts';
import { examples } from './examples.ts';
import { signingText } from './signing-text.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const INTRODUCTION = `Every operation of the interface. The variables are those of a sandbox's demo merchant: put your own in their place.

Requests with a control are signed by the script of the collection, with the variable controlKey. Requests with OAuth 1.0a
are signed by the program: HMAC-SHA1 with controlKey, RSA-SHA256 with the PEM in privateKey. A request that makes an order
keeps its ids in client_orderid and orderid, so that STATUS, CAPTURE and others go on with it.`;

export type PostmanSubject = { readonly baseUrl: string; readonly version: string; readonly hasDemo?: boolean };

/** `hasDemo` says whether the demo merchant is there; without it who imports the collection fills in all of its own. */
export function postmanCollection({ baseUrl, version, hasDemo = true }: PostmanSubject): object {
  const all: readonly Operation[] = operations;
  const folders = [...new Set(all.map(folderOf))];
  return {
    info: { name: `Tender ${version}`, description: INTRODUCTION, schema: SCHEMA },
    variable: variables(baseUrl, hasDemo),
    event: [script('prerequest', signingScript(all)), script('test', KEEPING_SCRIPT)],
    item: folders.map((name) => ({ name, item: all.filter((one) => folderOf(one) === name).map(itemOf) })),
  };
}

/** `v2` of `/api/v2/sale`. */
function folderOf({ path }: Operation): string {
  return path.split('/')[2] ?? '';
}

function variables(baseUrl: string, hasDemo: boolean): object[] {
  const { login, controlKey } = demo;
  const endpoint = String(demo.endpoints[0].endpointId);
  const values = {
    baseUrl,
    ...(hasDemo ? { endpoint, login, controlKey } : { endpoint: '', login: '', controlKey: '' }),
    privateKey: '',
    client_orderid: '',
    orderid: '',
  };
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}

function itemOf(operation: Operation): object {
  const { name, path, summary, auth, request } = operation;
  const steps = path.split('/').slice(1);
  return {
    name,
    request: {
      method: 'POST',
      description: `${summary}\n\n${signingText(operation)}`,
      auth: authOf(auth.scheme === 'open' ? auth.ifSigned : auth),
      header: [{ key: 'Accept', value: MEDIA_TYPE }],
      url: { raw: `{{baseUrl}}${path}/{{endpoint}}`, host: ['{{baseUrl}}'], path: [...steps, '{{endpoint}}'] },
      body: { mode: 'urlencoded', urlencoded: Object.values(request.fields).map((field) => fieldOf(field, operation)) },
    },
    response: [],
  };
}

function authOf(auth: ControlAuth | OAuthAuth): object {
  if (auth.scheme === 'control') return { type: 'noauth' };
  const method = auth.method === 'either' ? 'HMAC-SHA1' : auth.method;
  const given = {
    signatureMethod: method,
    consumerKey: '{{login}}',
    ...(method === 'RSA-SHA256' ? { privateKey: '{{privateKey}}' } : { consumerSecret: '{{controlKey}}' }),
    version: '1.0',
    addParamsToHeader: true,
    // With it, programs sign an empty token that they do not send.
    addEmptyParamsToSign: false,
    includeBodyHash: false,
  };
  return { type: 'oauth1', oauth1: Object.entries(given).map(([key, value]) => ({ key, value, type: typeof value })) };
}

/** What is optional is there and switched off. */
function fieldOf({ wire, required, description }: Field<unknown>, operation: Operation): object {
  return {
    key: wire,
    value: sampleOf(canonicalName(wire), operation),
    description,
    type: 'text',
    ...(required ? {} : { disabled: true }),
  };
}

const VALUES: Readonly<Record<string, string>> = {
  ...examples.SALE?.request,
  login: '{{login}}',
  orderid: '{{orderid}}',
  control: '{{control}}',
  destination_card_no: '4444555566661111',
  redirect_url: 'https://shop.example/back',
  rp_card_type: 'SRC',
};

/** A request that names an order goes on with the last one; all others make one of their own. */
function sampleOf(name: string, { request }: Operation): string {
  const isFollowing = 'orderId' in request.fields;
  if (name === 'client_orderid') return isFollowing ? '{{client_orderid}}' : '{{new_orderid}}';
  return VALUES[name] ?? '';
}

function script(listen: 'prerequest' | 'test', exec: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec } };
}

/** The formulas and the decimals of currencies as data, and the few lines that join and digest. */
function signingScript(all: readonly Operation[]): string[] {
  const formulas = all.flatMap(({ name, auth }) => {
    const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
    return scheme.scheme === 'control' ? [`  ${name}: ${JSON.stringify(scheme.over.join(' '))},`] : [];
  });
  const unusual = payableCurrencies().filter((code) => exponentOf(code) !== 2);
  const decimals = unusual.map((code) => `${code}: ${exponentOf(code)}`);
  return [
    '// What the control of each operation covers, in this order; the control key stands behind it.',
    'const formulas = {',
    ...formulas,
    '};',
    `const decimals = { ${decimals.join(', ')} };`,
    "pm.variables.set('new_orderid', 'pm-' + Date.now() + '-' + Math.floor(Math.random() * 1000));",
    'const formula = formulas[pm.info.requestName];',
    'if (formula) {',
    "  const sent = { endpointId: pm.variables.get('endpoint') };",
    '  pm.request.body.urlencoded.all().filter((field) => !field.disabled).forEach((field) => {',
    "    const name = field.key.replace(/-/g, '_').replace('client_order_id', 'client_orderid');",
    "    sent[name] = pm.variables.replaceIn(field.value || '');",
    '  });',
    '  // Amounts are signed in minor units: 10.42 as 1042.',
    "  if ((sent.amount || '').includes('.')) {",
    '    const places = sent.currency in decimals ? decimals[sent.currency] : 2;',
    "    const [whole, fraction] = sent.amount.split('.');",
    "    const digits = whole + fraction.slice(0, places).padEnd(places, '0');",
    "    sent.amount = digits.replace(/^0+(?=\\d)/, '');",
    '  }',
    "  const text = formula.split(' ').map((name) => sent[name] || '').join('') + pm.variables.get('controlKey');",
    "  pm.variables.set('control', require('crypto-js').SHA1(text).toString());",
    '}',
  ];
}

const KEEPING_SCRIPT = [
  'const reply = pm.response.json();',
  "if (reply['paynet-order-id']) {",
  "  pm.collectionVariables.set('orderid', reply['paynet-order-id']);",
  "  pm.collectionVariables.set('client_orderid', reply['merchant-order-id']);",
  '}',
];
