// What became of a request that was tried, step by step: the string that was signed, the request, the answer, its
// status until it was final, the callback, and code that does the same.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { tableOf } from '../pieces/tables.ts';
import { badge, block, facts, mono, panel, stateBadge } from '../pieces/values.ts';
import { codeSamples } from './code-samples.ts';

type Tried = AnswerTo<'tryRequest'>;
type Step = Tried['request'];

/** What the form chose, which answers hold only masked. */
type Chosen = { readonly number: string; readonly code: string; readonly endpointId: number };

export function triedSteps(tried: Tried, chosen: Chosen, visit: Visit): Html {
  const { request, polls, callback, redirectUrl } = tried;
  const steps: Piece[] = [
    html`<li><h3>The string is signed</h3>${signedOf(request)}</li>`,
    html`<li><h3>The request is sent</h3><p>${mono(`POST ${tried.address}${request.path}`)}</p>
${pairs(request.headers, 'Headers', '')}${pairs(request.fields, 'Fields', 'No fields.')}</li>`,
    html`<li><h3>It is answered</h3>${replyOf(request)}</li>`,
    polls.length > 0 &&
      html`<li><h3>Its status is asked for until it is final</h3>${pollsOf(polls)}${endOf(tried)}</li>`,
    redirectUrl !== null &&
      html`<li><h3>The payer goes to a page</h3>
<p>${webLink(redirectUrl)}</p></li>`,
    callback !== null && html`<li><h3>The merchant is told</h3>${callbackOf(tried, visit)}</li>`,
  ];
  return html`${panel('steps', 'What happened', html`${summary(tried)}<ol class="steps">${steps.filter((one) => one !== false)}</ol>`, { wide: true })}
${panel('code', 'The same in code', samples(tried, chosen), { wide: true })}`;
}

function summary({ orderId, clientOrderId, login, request }: Tried): Html {
  const order =
    orderId === null
      ? 'none was made'
      : html`<a href="/console/orders/${orderId}">${orderId}</a>, with all that happened to it`;
  const serial = /"serial-number"\s*:\s*"([0-9a-f-]{36})"/.exec(request.reply)?.[1];
  return facts([
    ['Merchant', login],
    ["Merchant's id of the order", mono(clientOrderId)],
    ['Order', order],
    ['Request in the journal', serial !== undefined && html`<a href="/console/requests/${serial}">${serial}</a>`],
  ]);
}

function signedOf({ signed, string, control }: Step): Html {
  const rows = [...signed, { name: 'control key', value: '<MERCHANT_CONTROL_KEY>' }];
  return html`${pairs(rows, 'What is signed, in order', '')}
${facts([
  ['Together', mono(string)],
  ['Its SHA-1, sent as control', mono(control)],
])}`;
}

function replyOf({ status, reply }: Step): Html {
  return html`<p>${badge(`HTTP ${status}`, status === 200 ? 'good' : 'bad')}</p>${block(pretty(reply), 'The answer')}`;
}

/** JSON line by line; whatever else as it came. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function pollsOf(polls: readonly Step[]): Html {
  const rows = polls.map((step, index) => ({ ...step, number: index + 1 }));
  const last = polls.at(-1);
  return html`${tableOf({
    label: 'Requests for its status',
    columns: {
      Request: ({ number }) => `STATUS, number ${number}`,
      Signed: { of: ({ string }) => mono(string), kind: 'wide' },
      Answer: ({ status }) => badge(`HTTP ${status}`, status === 200 ? 'good' : 'bad'),
      Status: ({ reply }) => statusIn(reply),
    },
    rows,
    otherwise: '',
  })}${last && block(pretty(last.reply), 'The last answer')}`;
}

function statusIn(reply: string): Piece {
  const status = /"status"\s*:\s*"(\w+)"/.exec(reply)?.[1] ?? new URLSearchParams(reply).get('status')?.trim();
  return status !== undefined && stateBadge(status);
}

const endOf = ({ isFinal }: Tried) =>
  !isFinal && html`<p class="notice">It is not final yet. The page of the order shows what becomes of it.</p>`;

/** An address of another host is shown and not followed unless it is one of the web. */
function webLink(address: string): Piece {
  return /^https?:\/\//.test(address) ? html`<a href="${address}" rel="noreferrer">${address}</a>` : mono(address);
}

function callbackOf({ callback, orderId, request }: Tried, visit: Visit): Html {
  const url = request.fields.find(({ name }) => name === 'server_callback_url')?.value;
  const where =
    url === undefined
      ? html`<p>No server_callback_url was sent, so nobody is called. With one, it would be called with these values:</p>`
      : html`<p>${mono(url)} is called with these values.
${visit.may('listCallbacks') && html`<a href="/console/callbacks?orderId=${orderId ?? ''}">See what it answered</a>`}</p>`;
  return html`${where}${pairs(
    (callback ?? []).filter(({ value }) => value !== ''),
    'Values of the callback',
    'Nothing is told.',
  )}`;
}

function pairs(rows: Step['fields'], label: string, otherwise: string): Piece {
  if (rows.length === 0 && otherwise === '') return undefined;
  return tableOf({
    label,
    columns: { Name: ({ name }) => name, Value: { of: ({ value }) => mono(value), kind: 'wide' } },
    rows,
    otherwise,
  });
}

const OWN_FIELDS = new Set(['client_orderid', 'control']);

function samples({ address, request, key }: Tried, { number, code, endpointId }: Chosen): Html {
  const whole = (name: string, value: string) => {
    if (name === 'credit_card_number') return number;
    return name === 'cvv2' ? code : value;
  };
  const fields = request.fields
    .filter(({ name }) => !OWN_FIELDS.has(name))
    .map(({ name, value }) => [name, whole(name, value)] as const);
  const figure = request.signed[2]?.value ?? '';
  const given = { url: address + request.path, endpointId, figure, fields, key: key ?? undefined };
  const texts = codeSamples(given).map(
    ({ name, text }) => html`<details class="folded"${name === 'curl' && html` open`}><summary>${name}</summary>
${block(text, `The request with ${name}`)}</details>`,
  );
  const strict =
    request.headers.length > 0 &&
    html`<p class="notice">This endpoint demands strict signing. The code below
does not write the header X-Signature: the reference of the interface says how.</p>`;
  const whose =
    key === null
      ? 'Put your control key into it first; nobody can read it here.'
      : 'The key is the demo merchant’s, which everybody knows.';
  return html`<p>Each of these signs and sends a new order. ${whose}</p>${strict}${texts}`;
}
