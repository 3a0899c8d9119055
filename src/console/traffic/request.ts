// One request: what came, what it was told, and for a wrong signature in a sandbox what should have been signed beside
// what was.

import type { AnswerTo } from '../../administration/administration.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { definePage, type Visit } from '../page.ts';
import { merchantLink, orderLink } from '../pieces/links.ts';
import { tableOf } from '../pieces/tables.ts';
import { facts, moment, mono, nothing, panel } from '../pieces/values.ts';
import { answered } from './requests.ts';
import { differences, type SignedPiece } from './signed-strings.ts';

type Request = AnswerTo<'showRequest'>;
type Signing = NonNullable<Request['signing']>;

/** Of a wrong signature: login, endpoint, key or signature do not fit. */
const WRONG_SIGNATURE = 20;

export const requestPage = definePage({
  path: 'requests/:serialNumber',
  needs: 'showRequest',
  async show(visit) {
    const request = await visit.ask('showRequest', { serialNumber: visit.params.serialNumber });
    return {
      title: `Request ${request.serialNumber}`,
      above: [['/console/requests', 'Requests']],
      body: html`${why(request)}
${signing(request, visit)}
<div class="panels">
${panel('facts', 'About it', about(request, visit), { wide: true })}
${panel('told', 'What it was told', members(request.reply, 'Values of the answer'), { wide: true })}
${panel('asked', 'What was sent, without secrets', members(request.request, 'Fields that came'), { wide: true })}
</div>`,
    };
  },
});

function about(request: Request, visit: Visit): Html {
  return facts([
    ['Came', moment(request.at)],
    ['Answered', answered(request)],
    ['Took', `${Math.round(request.milliseconds)} ms`],
    ['Operation', mono(request.operation)],
    ['Endpoint or group', request.pathId ?? undefined],
    ['Merchant', request.login === null ? 'not known: nobody has signed it rightly' : merchantLink(request)],
    ['Order', orderLink(visit, request.orderId)],
    ['Serial number', mono(request.serialNumber)],
  ]);
}

/** Every fault of a refused request in words. */
function why({ errorCode, reply }: Request): Piece {
  if (errorCode === null) return undefined;
  const { errors, 'error-message': message } = (reply ?? {}) as Told;
  const listed = Array.isArray(errors) ? errors.map((one) => String(one?.message ?? '')) : [];
  const faults = listed.length > 0 ? listed : [typeof message === 'string' ? message : `Error ${errorCode}`];
  return html`<div class="notice bad"><p><strong>It was refused:</strong></p>
<ul>${faults.map((one) => html`<li>${one}</li>`)}</ul></div>`;
}

type Told = { readonly errors?: readonly { readonly message?: unknown }[]; readonly 'error-message'?: unknown };

function signing({ signing: known, errorCode }: Request, { mode }: Visit): Piece {
  if (errorCode !== WRONG_SIGNATURE) return undefined;
  if (known !== null) {
    const shown = known.scheme === 'oauth' ? oauthSideBySide(known) : sideBySide(known);
    return panel('signing', 'What was signed', shown, { wide: true });
  }
  const says =
    mode === 'production'
      ? 'In production the gateway tells nobody what should have been signed. Try the same request in a sandbox.'
      : 'Nothing is known of what was signed: the request has no signature that could be read.';
  return panel('signing', 'What was signed', nothing(says), { wide: true });
}

function sideBySide({ expected, came, instead }: Signing): Html {
  const right = [...expected, { name: 'key', value: '<MERCHANT_CONTROL_KEY>' }];
  const marked = instead === null ? undefined : differences(right, instead.parts, instead.between);
  const found =
    instead === null
      ? html`<p>None of the usual mistakes gives the control that came. Is it another key, or another value than the one
that was sent?</p>`
      : html`<p class="notice bad">${instead.mistake}</p>`;
  return html`${found}
<div class="side-by-side">
<div><h3>Expected</h3>${written(marked?.expected ?? right.map((part) => ({ ...part, differs: false })))}</div>
<div><h3>Received</h3>${marked ? written(marked.came) : html`<p>Not known: only its digest came.</p>`}
${facts([['Control that came', mono(came === '' ? 'none' : came)]])}</div>
</div>
${tableOf({
  label: 'Parts of the string that is signed',
  columns: {
    Part: ({ name }) => name,
    Value: { of: ({ value }) => mono(value === '' ? '(empty)' : value), kind: 'wide' },
  },
  rows: right,
  otherwise: '',
})}
<p class="hint">The control is the SHA-1 of these values, one behind the other with nothing between them, in hexadecimal
digits.</p>`;
}

/** A base string covers every field, so that it is shown part by part, before it is encoded. */
function oauthSideBySide({ expected, came, instead }: Signing): Html {
  const marked = differences(expected, instead?.parts ?? expected);
  const found =
    instead === null
      ? html`<p>None of the usual mistakes gives the signature that came. Is it another key, or another value than the one
that was sent? <code>tender check-signature</code> tries it with the key that you have.</p>`
      : html`<p class="notice bad">${instead.mistake}</p>`;
  const parts = (pieces: readonly SignedPiece[]) =>
    html`<ol class="signed">${pieces.map((piece) => html`<li><code>${partOfBase(piece)}</code></li>`)}</ol>`;
  return html`${found}
<div class="side-by-side">
<div><h3>Expected</h3>${parts(marked.expected)}</div>
<div><h3>Received</h3>${instead ? parts(marked.came) : html`<p>Not known: only its signature came.</p>`}
${facts([['Signature that came', mono(came === '' ? 'none' : came)]])}</div>
</div>
<p class="hint">The base string is verb, URL and parameters, joined by ampersands: the parameters are encoded, sorted by
their names and joined, and URL and joined parameters are encoded once more. *** stands for values that are not kept.</p>`;
}

function partOfBase({ name, value, differs }: SignedPiece): Html {
  const text = name === 'verb' || name === 'URL' ? value : `${name}=${value}`;
  return differs ? html`<mark title="${name}">${text}</mark>` : html`<span title="${name}">${text}</span>`;
}

/** A string whose parts are told apart, those that differ marked. */
function written(pieces: readonly SignedPiece[]): Html {
  const shown = pieces.map(({ name, value, differs }) =>
    differs ? html`<mark title="${name}">${value}</mark>` : html`<span title="${name}">${value}</span>`,
  );
  return html`<p class="signed"><code>${shown}</code></p>`;
}

function members(value: unknown, label: string): Html {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  const rows = entries.map(([name, one]) => ({ name, text: typeof one === 'string' ? one : JSON.stringify(one) }));
  return tableOf({
    label,
    columns: { Name: ({ name }) => mono(name), Value: { of: ({ text }) => text, kind: 'wide' } },
    rows,
    otherwise: 'Nothing that is kept.',
  });
}
