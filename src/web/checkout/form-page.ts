// The page on which a payer enters a card. Card number and security code are never written back into it.

import { brandRanges, CARD_BRANDS } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { lookText } from '../../domain/merchant/look.ts';
import { AUTHENTICATION_CANCELLED } from '../../domain/three-d-secure/authentication.ts';
import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import { attributes, type Html, html, type Piece } from '../design/html.ts';
import type { WebReply } from '../route.ts';
import { declineReason, issuersWords, orderLine, summary } from './about-order.ts';
import { brandMarks, brandName, codePictures, shownBrands } from './card-pictures.ts';
import {
  type FieldName,
  longestOf,
  missingFields,
  PAYER_FIELDS,
  type PayerField,
  type PayerFieldName,
  type Wrong,
} from './fields.ts';
import { countries, momentText, shownAmount } from './formats.ts';
import { type PageContext, page } from './layout.ts';
import { ownerOf, shopOf } from './owner.ts';
import type { TextName } from './texts/en.ts';

export type FormState = {
  readonly wrong?: Wrong;
  /** What was entered before; secret fields are never shown from it. */
  readonly entered?: ReadonlyMap<string, string>;
  /** Why the card could not be accepted just now. */
  readonly trouble?: string;
  /** The card was sent for a try that is over: another card was tried in the meantime. */
  readonly isUnsent?: boolean;
  readonly status?: number;
  /** Proves that the form was sent from this page. */
  readonly proof: string;
};

export function formPage(context: PageContext, order: PayerOrder, given: FormState): WebReply {
  const { say, language } = context;
  const state = { ...given, entered: given.entered ?? keptFrom(order) };
  const amount = shownAmount({ minor: order.transaction.amount, currency: order.order.currency }, language);
  const owner = ownerOf(order);
  const { title, button } = wordsFor(context, order, amount);
  const intro = lookText(order.look, 'intro', language);
  const asked = missingFields(order);
  const asksFirst = asked.includes('email');
  const body = html`<div class="columns">
${summary(context, order)}
<section class="panel entry" aria-labelledby="entry">
<div class="heading"><h2 id="entry">${say(asksFirst ? 'contact' : 'cardDetails')}</h2>${!asksFirst && marks(context, order)}</div>
${intro !== undefined && html`<p class="intro" dir="auto">${intro}</p>`}
${notices(context, order, state)}
<form method="post" action="${context.path}?lang=${language}" novalidate data-card-form data-brands="${brandRanges()}"${accepted(context, order)}>
<input type="hidden" name="try" value="${order.transaction.seq}">
<input type="hidden" name="proof" value="${state.proof}">
${browserFields()}
${asksFirst && contactFields(context, order, state)}
${cardFields(context, order, state)}
${payerFields(context, state, asked)}
<button type="submit" data-busy="${say('sending')}">${button}</button>
${context.isPlain !== true && html`<p class="safe">${say('cardIsSafe', { merchant: owner.name })}</p>`}
<p class="fine">${paragraph(context, order)}</p>
</form>
${wayOut(context, order, state)}
</section>
</div>
${orderLine(context, order)}`;
  // Between two cards the form's own way back ends the order; a link beside it would leave it open.
  const shop = order.wayOut === undefined ? shopOf(order) : undefined;
  return page(context, { title, body, owner, shop, status: state.status ?? 200 });
}

/** The codes of banks that say that a card has expired. */
const EXPIRED: ReadonlySet<string | undefined> = new Set(['101', '201']);

/** What need not be typed again after a decline: most people try the same card, or another one of their own. */
function keptFrom({ card, declineCode }: PayerOrder): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  if (card === undefined || declineCode === undefined) return kept;
  const { expireMonth, expireYear, holder } = card;
  if (holder !== undefined) kept.set('card_printed_name', holder);
  if (expireMonth === undefined || expireYear === undefined || EXPIRED.has(declineCode)) return kept;
  const [month, year] = [expireMonth, expireYear % 100].map((part) => String(part).padStart(2, '0'));
  return kept.set('expiry', `${month} / ${year}`);
}

function marks({ say }: PageContext, { brands: taken }: PayerOrder): Piece {
  const brands = shownBrands(taken);
  if (brands.length === 0) return undefined;
  return brandMarks(brands, say('acceptedCards', { brands: brands.map(brandName).join(', ') }));
}

/** For the page's script, where not every brand is taken. */
function accepted({ say }: PageContext, order: PayerOrder): Html {
  const { brands } = order;
  if (brands.length === 0 || brands.length === CARD_BRANDS.length) return attributes({});
  const taken = { 'data-accepted': brands.join(' ') };
  return attributes({ ...taken, 'data-error-brand': say('cardNotTaken', { merchant: ownerOf(order).name }) });
}

/** The e-mail address comes first: whoever leaves before the card can be written to. */
function contactFields(context: PageContext, order: PayerOrder, state: FormState): Html {
  return html`${payerField(context, state, 'email')}
<div class="heading"><h2>${context.say('cardDetails')}</h2>${marks(context, order)}</div>`;
}

/** The way back to the shop between two cards: a form like the one for the card, with the same proof. */
function wayOut({ say, path, language }: PageContext, order: PayerOrder, { proof }: FormState): Piece {
  if (order.wayOut === undefined) return undefined;
  const words = order.wayOut === 'shop' ? say('backToShop', { merchant: ownerOf(order).name }) : say('cancel');
  return html`<form method="post" action="${path}?lang=${language}" class="way-out">
<input type="hidden" name="try" value="${order.transaction.seq}">
<input type="hidden" name="proof" value="${proof}">
<button type="submit" class="quiet" name="leave" value="true">${words}</button>
</form>`;
}

function wordsFor({ say }: PageContext, { transaction, merchant, look }: PayerOrder, amount: string) {
  const words = { amount, merchant: look.name ?? merchant.name };
  switch (transaction.type) {
    case 'payout':
      return { title: say('payoutFrom', words), button: say('payoutButton', words) };
    case 'account-verification':
      return { title: say('verifyFor', words), button: say('verifyButton') };
    case 'preauth':
      return { title: say('holdFor', words), button: say('holdButton', words) };
    default:
      return { title: say('payTo', words), button: say('payButton', words) };
  }
}

/** A text with a time in the middle. */
function paragraph({ say, language }: PageContext, { payableUntil }: PayerOrder): Piece {
  const [before = '', after = ''] = say('payBefore', { time: '\u0000' }).split('\u0000');
  return [before, momentText(payableUntil, 'time', language), after];
}

/** Some texts do not say which field they are about, so its name is added. */
function named({ say }: PageContext, name: FieldName, text: TextName): string {
  if (text !== 'fieldMissing' && text !== 'fieldWrong') return say(text);
  const label = name in PAYER_FIELDS ? PAYER_FIELDS[name as PayerFieldName].label : 'holder';
  return say('namedFault', { field: say(label), fault: say(text) });
}

function notices(context: PageContext, order: PayerOrder, { wrong = {}, trouble, isUnsent = false }: FormState): Piece {
  const { say } = context;
  const faulty = Object.entries(wrong) as [FieldName, TextName][];
  if (faulty.length > 0) {
    return html`<div class="notice bad" role="alert" tabindex="-1" data-focus>
<p><strong>${say('checkFields')}</strong></p>
<ul>${faulty.map(([name, text]) => html`<li><a href="#${name}">${named(context, name, text)}</a></li>`)}</ul>
</div>`;
  }
  if (trouble !== undefined) return html`<p class="notice bad" role="alert">${trouble}</p>`;
  return order.declineCode === undefined ? undefined : declined(context, order, { code: order.declineCode, isUnsent });
}

/** Tells how the card before was declined and, if another card came from an outdated page, that it was not used. */
function declined(
  context: PageContext,
  order: PayerOrder,
  { code, isUnsent }: { code: string; isUnsent: boolean },
): Html {
  const { say } = context;
  const { cardsLeft: count, card, transaction } = order;
  const before = isUnsent && card && say('cardBefore', { digits: card.lastFour });
  const reason = declineReason(code, transaction.type);
  const more = count === 1 ? say('tryLast') : say('trySome', { count: String(count) });
  return html`<div class="notice bad" role="alert">
<p><strong>${say(before ? 'cardNotSent' : declineText(code, transaction.type))}</strong></p>
<p>${[before, reason && say(reason), more].filter(Boolean).join(' ')}</p>
${issuersWords(context, order)}
</div>`;
}

function declineText(code: string, type: PayerOrder['transaction']['type']): TextName {
  if (code === AUTHENTICATION_CANCELLED) return 'cancelledText';
  return type === 'payout' ? 'payoutDeclined' : 'declinedTryAgain';
}

/** The fields for what 3-D Secure asks about a browser; a script fills them in. */
function browserFields(): Html[] {
  const names = ['color_depth', 'java_enabled', 'language', 'screen_height', 'screen_width', 'time_zone'];
  return names.map((name) => html`<input type="hidden" name="browser_${name}" value="" data-browser="${name}">`);
}

function cardFields(context: PageContext, order: PayerOrder, state: FormState): Piece {
  const { say } = context;
  const number = {
    name: 'credit_card_number',
    label: 'cardNumber',
    input: {
      autocomplete: 'cc-number',
      inputmode: 'numeric',
      maxlength: 27,
      dir: 'ltr',
      placeholder: '0000 0000 0000 0000',
      'data-error-missing': say('numberMissing'),
      'data-error-wrong': say('numberWrong'),
    },
  } as const;
  const holder = {
    name: 'card_printed_name',
    label: 'holder',
    input: { autocomplete: 'cc-name', maxlength: 128, 'data-error-missing': say('holderMissing') },
  } as const;
  if (order.transaction.type === 'payout') return [field(context, state, number), field(context, state, holder)];
  const expiry = {
    name: 'expiry',
    label: 'expiry',
    input: {
      autocomplete: 'cc-exp',
      inputmode: 'numeric',
      maxlength: 9,
      dir: 'ltr',
      placeholder: say('expiryExample'),
      'data-error-missing': say('expiryMissing'),
      'data-error-wrong': say('expiryWrong'),
      'data-error-expired': say('cardExpired'),
    },
  } as const;
  const cvv = {
    name: 'cvv2',
    label: 'cvv',
    hint: order.brands.includes('AMEX') ? 'cvvHint' : 'cvvBack',
    picture: codePictures(),
    input: {
      autocomplete: 'cc-csc',
      inputmode: 'numeric',
      maxlength: 4,
      dir: 'ltr',
      placeholder: '000',
      'data-hint-back': say('cvvBack'),
      'data-hint-front': say('cvvFront'),
      'data-error-missing': say('cvvMissing'),
      'data-error-wrong': say('cvvWrong'),
    },
  } as const;
  return [
    field(context, state, number),
    html`<div class="pair">${field(context, state, expiry)}${field(context, state, cvv)}</div>`,
    field(context, state, holder),
  ];
}

/** What else is asked for; the e-mail address stands before the card. */
function payerFields(context: PageContext, state: FormState, asked: readonly PayerFieldName[]): Piece {
  const missing = asked.filter((name) => name !== 'email');
  if (missing.length === 0) return undefined;
  const { say } = context;
  return html`<fieldset><legend>${say('yourDetails')}</legend>${missing.map((name) => payerField(context, state, name))}</fieldset>`;
}

function payerField(context: PageContext, state: FormState, name: PayerFieldName): Html {
  const { say, language } = context;
  const known: PayerField = PAYER_FIELDS[name];
  const { label, autocomplete, type, wrong = 'fieldWrong' } = known;
  const faults = { 'data-error-missing': say('fieldMissing'), 'data-error-wrong': say(wrong) };
  const input = { autocomplete, type, maxlength: 256, 'data-longest': longestOf(name), ...faults };
  if (name !== 'country') return field(context, state, { name, label, input });
  const chosen = state.entered?.get(name);
  const options = countries(language).map(
    ([code, country]) => html`<option${attributes({ value: code, selected: code === chosen })}>${country}</option>`,
  );
  return wrapped(context, state, { name, label }, (marks) => {
    return html`<select${attributes({ ...marks, autocomplete, ...faults })}><option value="">${say('chooseCountry')}</option>${options}</select>`;
  });
}

type FieldParts = {
  readonly name: FieldName;
  readonly label: TextName;
  readonly hint?: TextName;
  readonly picture?: Html;
};

/** These are never written back into the page, whatever was wrong. */
const SECRET: ReadonlySet<FieldName> = new Set(['credit_card_number', 'cvv2']);

function field(
  context: PageContext,
  state: FormState,
  parts: FieldParts & { readonly input: Readonly<Record<string, string | number | undefined>> },
): Html {
  const value = SECRET.has(parts.name) ? undefined : harmless(state.entered?.get(parts.name));
  return wrapped(context, state, parts, (marks) => {
    return html`<input${attributes({ type: 'text', ...parts.input, ...marks, value })}>`;
  });
}

/** People type card numbers into any field, so a text that holds one is not written back either. */
function harmless(text: string | undefined): string | undefined {
  return text === undefined || maskCardNumbers(text) !== text ? undefined : text;
}

/** The payer's details that take a whole line, even where there is room for two. */
const WIDE: ReadonlySet<FieldName> = new Set(['email', 'address1', 'country']);

type Marks = Readonly<Record<string, string | boolean | undefined>>;

function wrapped(
  { say }: PageContext,
  { wrong = {} }: FormState,
  { name, label, hint, picture }: FieldParts,
  control: (marks: Marks) => Html,
): Html {
  const text = wrong[name];
  const described = [hint && `${name}-hint`, `${name}-error`].filter(Boolean).join(' ');
  const marks: Marks = {
    id: name,
    name,
    required: true,
    'aria-describedby': described,
    'aria-invalid': text === undefined ? undefined : 'true',
  };
  return html`<div class="field${WIDE.has(name) && ' wide'}">
<label for="${name}">${say(label)}</label>
<div class="control">${control(marks)}${picture}</div>
<div>${hint && html`<p class="hint" id="${name}-hint">${say(hint)}</p>`}
<p class="fault" id="${name}-error">${text && say(text)}</p></div>
</div>`;
}
