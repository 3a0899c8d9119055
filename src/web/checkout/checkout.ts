// The payer's pages at /pay/{token}. The page depends only on the state of the order, so reloading, going back and a
// second tab all show the same. A card is accepted once per try, and every post that worked is answered with a redirect
// to this page.

import { digitsOf } from '../../domain/as-typed.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Parameters } from '../../operations/form.ts';
import type { Checkout, PayerOrder } from '../../processing/checkout/checkout.ts';
import type { Assets } from '../design/assets.ts';
import { seeOther, type WebReply, type WebRequest, type WebRoute } from '../route.ts';
import { browserOf } from './browser-facts.ts';
import { addressOf, isEntered, readEntry } from './fields.ts';
import { formPage } from './form-page.ts';
import { chooseLanguage } from './language.ts';
import { type PageContext, pageContext } from './layout.ts';
import { brokenPage, noticePage, outcomePage, waitPage } from './outcome-pages.ts';

export type CheckoutRouteParts = {
  readonly checkout: Checkout;
  readonly clock: Clock;
  readonly assets: Assets;
  readonly basePath: string;
  /** The public origin, such as https://pay.example.com. */
  readonly origin: () => string;
};

const MAX_FIELDS = 60;
/** Longer than any valid field, so a value that is cut here is still found to be too long. */
const MAX_VALUE = 4_096;

/** Control characters are dropped, except tabs and line ends: the check of each field judges those. */
const UNKEPT = /[^\P{Cc}\t\r\n]/gu;

/** Marks the page that answers a payer who asked to go back to the shop. */
const LEFT = 'left';

/** After this time the payer is told that it takes longer than usual. */
const LONG_MS = 20_000;

export function checkoutRoute(parts: CheckoutRouteParts): WebRoute {
  const prefix = '/pay/';
  const broken: WebRoute['broken'] = (request) => brokenPage({ ...parts, prefix }, request);
  return { prefix, handle: (request) => answer(parts, request), broken };
}

async function answer(parts: CheckoutRouteParts, request: WebRequest): Promise<WebReply> {
  const { checkout, assets, basePath } = parts;
  const [token = '', below] = request.rest.split('/', 2);
  const language = chooseLanguage(request.query.get('lang'), request.headers['accept-language']);
  const found = await checkout.find(token);
  const isOurs = found !== 'foreign' && (below === undefined || below === 'state');
  const path = isOurs ? `${basePath}/pay/${token}` : undefined;
  const context = pageContext({ language, assets, basePath, path, isPlain: parts.origin().startsWith('http:') });
  if (!isOurs) return noticePage(context, { status: 404, title: 'foreignTitle', text: 'foreignText' });
  if (below === 'state') return stateReply(found);
  if (request.method === 'POST') return take(parts, context, found, request);
  return show(parts, context, found, { hasLeft: request.query.has(LEFT) });
}

function show(
  { checkout, clock, basePath }: CheckoutRouteParts,
  context: PageContext,
  order: PayerOrder,
  { hasLeft }: { hasLeft: boolean },
): WebReply {
  switch (order.state) {
    case 'card':
      return formPage(context, order, { proof: checkout.proofOf(order) });
    case 'authentication':
      return seeOther(`${basePath}/3ds/${order.token}?lang=${context.language}`);
    case 'challenge':
      return seeOther(`${basePath}/challenge/${order.token}?lang=${context.language}`);
    case 'processing':
      return waitPage(context, order, {
        state: order.state,
        isLong: clock.now() - order.transaction.changedAt > LONG_MS,
      });
    default:
      return outcomePage(context, order, { isAwaited: hasLeft && order.transaction.stage === 'given-up' });
  }
}

/** The page's script polls this while the bank is asked. */
function stateReply({ state }: PayerOrder): WebReply {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ state }) };
}

async function take(
  parts: CheckoutRouteParts,
  context: PageContext,
  order: PayerOrder,
  request: WebRequest,
): Promise<WebReply> {
  const { checkout, origin } = parts;
  const here = seeOther(`${context.path}?lang=${context.language}`);
  const notSentHere = noticePage(context, { status: 403, title: 'notSentHereTitle', text: 'notSentHereText' });
  if (!isFromHere(request, origin())) return notSentHere;
  const sent = sentFields(request.body);
  const isOutdated = Number(sent.get('try')) !== order.transaction.seq;
  // The form was sent for a try that is over (second click, other tab, back button), so its outcome is shown instead.
  if (order.state !== 'card') return here;
  if (isOutdated && isAnotherCard(order, sent)) {
    return formPage(context, order, { proof: checkout.proofOf(order), entered: sent, isUnsent: true, status: 409 });
  }
  if (isOutdated) return here;
  if (!checkout.isProof(order, sent.get('proof') ?? '')) return notSentHere;
  if (!sent.has('leave')) return (await takeCard(parts, context, { order, sent, request })) ?? here;
  await checkout.leave(order);
  return seeOther(`${context.path}?lang=${context.language}&${LEFT}`);
}

/** The form again, when the card could not be taken. */
async function takeCard(
  { checkout, clock }: CheckoutRouteParts,
  context: PageContext,
  { order, sent, request }: { order: PayerOrder; sent: Parameters; request: WebRequest },
): Promise<WebReply | undefined> {
  const shown = { proof: checkout.proofOf(order), entered: sent };
  const entry = readEntry(order, sent, clock.now());
  if (!isEntered(entry)) return formPage(context, order, { ...shown, wrong: entry, status: 422 });
  const browser = browserOf(sent, request.headers);
  const details = { ...entry.details, ...addressOf(order, request.address), payerAddress: request.address, browser };
  const given = { seq: order.transaction.seq, card: entry.card, details };
  const refusal = await checkout.giveCard(order, given, context);
  return refusal && formPage(context, order, { ...shown, ...troubleOf(context, order, refusal) });
}

/** Whether the last digits differ from those of the card that was tried before. */
function isAnotherCard({ card }: PayerOrder, sent: Parameters): boolean {
  const digits = digitsOf(sent.get('credit_card_number') ?? '');
  return card !== undefined && digits !== '' && !digits.endsWith(card.lastFour);
}

function troubleOf({ say }: PageContext, { merchant, look }: PayerOrder, { faults: [{ error }] }: Refusal) {
  const named = { merchant: look.name ?? merchant.name };
  switch (error) {
    case 'unavailable':
      return { trouble: say('unavailable'), status: 503 };
    case 'no-terminal':
      return { trouble: say('cardNotTaken', named), status: 422 };
    default:
      return { trouble: say('closed', named), status: 403 };
  }
}

/** Browsers tell from where a form was sent; for one that does not, only the proof in the form counts. */
function isFromHere({ headers }: WebRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || headers.origin === origin;
}

/** The fields, trimmed, without empty ones; of a name that is sent twice the first counts. */
function sentFields(body: Buffer): Parameters {
  const sent = new Map<string, string>();
  for (const [name, value] of [...new URLSearchParams(body.toString('utf8'))].slice(0, MAX_FIELDS)) {
    const text = value.slice(0, MAX_VALUE).replace(UNKEPT, '').trim();
    if (text !== '' && !sent.has(name)) sent.set(name, text);
  }
  return sent;
}
