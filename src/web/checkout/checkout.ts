// The payer's pages at /pay/{token}. What is shown depends only on where the order stands, so reloading, going back and
// a second tab all lead to the same place; a card is taken once per try, and every post is answered with the way back
// here.

import { digitsOf } from '../../domain/as-typed.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Parameters } from '../../operations/form.ts';
import type { Checkout, PayerOrder } from '../../processing/checkout/checkout.ts';
import type { Assets } from '../design/assets.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';
import { browserOf } from './browser-facts.ts';
import { addressOf, isEntered, readEntry } from './fields.ts';
import { formPage } from './form-page.ts';
import { chooseLanguage } from './language.ts';
import { type PageContext, pageContext } from './layout.ts';
import { noticePage, outcomePage, waitPage } from './outcome-pages.ts';

export type CheckoutRouteParts = {
  readonly checkout: Checkout;
  readonly clock: Clock;
  readonly assets: Assets;
  readonly basePath: string;
  /** The public origin, such as https://pay.example.com. */
  readonly origin: () => string;
};

const MAX_FIELDS = 60;
/** More than any field of the form takes: what is longer stays too long. */
const MAX_VALUE = 4_096;

/** Control characters, of which no field has any; those that end a line make it wrong. */
const UNKEPT = /[^\P{Cc}\t\r\n]/gu;

/** After which a payer is told that it takes longer than usual. */
const LONG_MS = 20_000;

export function checkoutRoute(parts: CheckoutRouteParts): WebRoute {
  return { prefix: '/pay/', handle: (request) => answer(parts, request) };
}

async function answer(parts: CheckoutRouteParts, request: WebRequest): Promise<WebReply> {
  const { checkout, assets, basePath } = parts;
  const [token = '', below] = request.rest.split('/', 2);
  const language = chooseLanguage(request.query.get('lang'), request.headers['accept-language']);
  const found = await checkout.find(token);
  const isOurs = found !== 'foreign' && (below === undefined || below === 'state');
  const path = isOurs ? `${basePath}/pay/${token}` : undefined;
  const context = pageContext({ language, assets, basePath, path });
  if (!isOurs) return noticePage(context, { status: 404, title: 'foreignTitle', text: 'foreignText' });
  if (found === 'gone') return noticePage(context, { status: 410, title: 'expiredTitle', text: 'goneText' });
  if (below === 'state') return stateReply(found);
  return request.method === 'POST' ? take(parts, context, found, request) : show(parts, context, found);
}

function show({ checkout, clock, basePath }: CheckoutRouteParts, context: PageContext, order: PayerOrder): WebReply {
  switch (order.state) {
    case 'card':
      return formPage(context, order, { proof: checkout.proofOf(order) });
    case 'authentication':
      return seeOther(`${basePath}/3ds/${order.token}?lang=${context.language}`);
    case 'processing':
      return waitPage(context, order, {
        state: order.state,
        isLong: clock.now() - order.transaction.changedAt > LONG_MS,
      });
    default:
      return outcomePage(context, order);
  }
}

/** What the page's script watches while the bank is asked. */
function stateReply({ state }: PayerOrder): WebReply {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ state }) };
}

async function take(
  { checkout, clock, origin }: CheckoutRouteParts,
  context: PageContext,
  order: PayerOrder,
  request: WebRequest,
): Promise<WebReply> {
  const here = seeOther(`${context.path}?lang=${context.language}`);
  if (!isFromHere(request, origin())) {
    return noticePage(context, { status: 403, title: 'notSentHereTitle', text: 'notSentHereText' });
  }
  const sent = sentFields(request.body);
  const seq = Number(sent.get('try'));
  const proof = checkout.proofOf(order);
  // Sent for a try that is over: a second click, another tab, the back button. What came of it is shown instead.
  if (order.state !== 'card') return here;
  if (seq !== order.transaction.seq) {
    const isUnsent = isAnotherCard(order, sent);
    return isUnsent ? formPage(context, order, { proof, entered: sent, isUnsent, status: 409 }) : here;
  }
  if (!checkout.isProof(order, sent.get('proof') ?? '')) {
    return noticePage(context, { status: 403, title: 'notSentHereTitle', text: 'notSentHereText' });
  }
  const entry = readEntry(order, sent, clock.now());
  if (!isEntered(entry)) return formPage(context, order, { proof, wrong: entry, entered: sent, status: 422 });
  const browser = browserOf(sent, request.headers);
  const details = { ...entry.details, ...addressOf(order, request.address), browser };
  const refusal = await checkout.giveCard(order, { seq, card: entry.card, details });
  return refusal ? formPage(context, order, { proof, entered: sent, ...troubleOf(context, order, refusal) }) : here;
}

/** Not the one that was tried before, as far as its last digits tell. */
function isAnotherCard({ card }: PayerOrder, sent: Parameters): boolean {
  const digits = digitsOf(sent.get('credit_card_number') ?? '');
  return card !== undefined && digits !== '' && !digits.endsWith(card.lastFour);
}

function troubleOf({ say }: PageContext, { merchant, look }: PayerOrder, { faults: [{ error }] }: Refusal) {
  const isPassing = error === 'unavailable';
  const trouble = isPassing ? say('unavailable') : say('closed', { merchant: look.name ?? merchant.name });
  return { trouble, status: isPassing ? 503 : 403 };
}

/** Browsers say from where a form was sent; where one does not, the proof in the form must do. */
function isFromHere({ headers }: WebRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || headers.origin === origin;
}

/** Trimmed, without empty ones; of a name that is sent twice the first counts. */
function sentFields(body: Buffer): Parameters {
  const sent = new Map<string, string>();
  for (const [name, value] of [...new URLSearchParams(body.toString('utf8'))].slice(0, MAX_FIELDS)) {
    const text = value.slice(0, MAX_VALUE).replace(UNKEPT, '').trim();
    if (text !== '' && !sent.has(name)) sent.set(name, text);
  }
  return sent;
}

function seeOther(location: string): WebReply {
  return { status: 303, headers: { Location: location }, body: '' };
}
