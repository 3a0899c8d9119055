// What a payer's browser may see of an order, and do with it. Only an unguessable link names the order.

import type { KnownBrand } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Look } from '../../domain/merchant/look.ts';
import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import { declineBefore, failedCards, isLocked, payableUntil, triesOf } from '../../domain/order/hosted-form.ts';
import { type Order, type OrderKey, purposeOf, type Transaction } from '../../domain/order/order.ts';
import { FORM_MS } from '../../domain/order/retry-schedule.ts';
import { shopAddressOf } from '../../domain/order/shop-address.ts';
import { type Stage, stages } from '../../domain/order/stages.ts';
import { present } from '../../domain/present.ts';
import { isAuthenticationDecline } from '../../domain/three-d-secure/authentication.ts';
import type { OrderView, StoredCard } from '../../storage/store.ts';
import { type FinalRedirect, finalRedirect, type RedirectFields, redirectUrlOf } from './final-redirect.ts';
import { type FormCardParts, type PayerInput, takeCard } from './form-cards.ts';
import { isMark, type PayerLinks } from './payer-links.ts';

/** How long after its end a link still shows how the order ended. */
const RESULT_MS = 24 * 60 * 60 * 1000;

/** How long after an order was made its link is of any use. */
export const LINKS_LAST_MS = FORM_MS + RESULT_MS;

/** Where a payer stands: a card is asked for, something is under way, or it is over. */
export type PayerState =
  | 'card'
  | 'authentication'
  /** The bank wants the payer at an address of its own. */
  | 'challenge'
  | 'processing'
  | 'kept'
  | 'approved'
  | 'declined'
  | 'locked'
  | 'filtered'
  | 'failed'
  /** The time is over, and the service will end the order in a moment. */
  | 'late'
  | 'expired'
  /** The link shows no longer how the order ended. */
  | 'gone';

export type PayerOrder = {
  readonly token: string;
  readonly state: PayerState;
  readonly order: Order;
  readonly details: OrderView['details'];
  /** The latest try. */
  readonly transaction: Transaction;
  /** The card of the latest try, which pays or is paid. */
  readonly card: StoredCard | undefined;
  /** The card that a transfer passes the money on to. */
  readonly payee: StoredCard | undefined;
  readonly receiptId: string;
  readonly merchant: Merchant;
  readonly endpoint: Endpoint;
  readonly look: Look;
  readonly payableUntil: number;
  /** Why the previous card was declined, and how many more may be tried. */
  readonly declineCode: string | undefined;
  readonly cardsLeft: number;
  /** Where the payer may go after a decline instead: back to the shop, or nowhere because the merchant gave no URL. */
  readonly wayOut: 'shop' | 'nowhere' | undefined;
  /** What the issuer wants a payer to read whom it did not confirm. */
  readonly issuerSays: string | undefined;
  readonly redirect: FinalRedirect | undefined;
  /** The shop itself, for a payer who leaves without an outcome to bring. */
  readonly shopUrl: string | undefined;
  /** Whether the payer gets the receipt by e-mail too. */
  readonly isMailed: boolean;
  /** The brands the form takes; only known while it asks for a card. */
  readonly brands: readonly KnownBrand[];
};

export type Found = PayerOrder | 'foreign';

export type CheckoutParts = {
  readonly gateway: FormCardParts & { readonly clock: Clock };
  readonly links: PayerLinks;
  readonly redirectFields: RedirectFields;
  /** Remembers to send a payer the receipt of an order; undefined where none are sent. */
  readonly planReceipt?: ((order: OrderKey, language: string) => Promise<void>) | undefined;
};

export class Checkout {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** `foreign`: we did not make this link. */
  async find(token: string): Promise<Found> {
    const { gateway, links, redirectFields: fieldsOf } = this.#parts;
    const link = links.read(token);
    if (!link) return 'foreign';
    const now = gateway.clock.now();
    const { merchantId, orderId } = link;
    const view = await gateway.store.findOrderView({ merchantId, orderId, clientOrderId: undefined });
    const merchant = gateway.configuration.byId(merchantId);
    const endpoint = view && gateway.configuration.endpoint(view.order.endpointId);
    if (!view || !merchant || !endpoint) return 'foreign';
    const look = gateway.configuration.look(endpoint.endpointId);
    const isGone = now >= link.until + RESULT_MS;
    const sendsMail = this.#parts.planReceipt !== undefined;
    const { routing } = gateway;
    return payerOrder(token, view, { merchant, endpoint, look, fieldsOf, now, isGone, routing, sendsMail });
  }

  /** A mark only we can make, for one try of one form, so that no page elsewhere can send the form. */
  proofOf(order: PayerOrder): string {
    return present(this.#proofs(order)[0]).toString('base64url');
  }

  isProof(order: PayerOrder, text: string): boolean {
    return this.#proofs(order).some((expected) => isMark(text, expected));
  }

  #proofs({ token, transaction }: PayerOrder): Buffer[] {
    return this.#parts.gateway.vault.linkMarks(['payer-form', token, String(transaction.seq)]);
  }

  /** Ends the order of a payer who goes back to the shop, if its form still asks for another card. */
  async leave({ order, transaction }: PayerOrder): Promise<void> {
    await this.#parts.gateway.door.change(order, { type: 'payer-left', seq: transaction.seq }, { known: order });
  }

  /** Takes the payer's card if the form still waits for it; what became of the order is found as before. */
  async giveCard(
    { order, transaction }: PayerOrder,
    input: PayerInput,
    { language }: { readonly language: string },
  ): Promise<Refusal | undefined> {
    // Before the card: whatever happens from here on, the receipt is not forgotten.
    const { planReceipt } = this.#parts;
    if (planReceipt && isMailed(transaction)) await planReceipt(order, language);
    const result = await takeCard(this.#parts.gateway, order, input);
    return 'transactions' in result ? undefined : result;
  }
}

function payerOrder(token: string, view: OrderView, around: Around): PayerOrder {
  const { order, details, receiptId } = view;
  const { merchant, endpoint, look, fieldsOf, now, isGone } = around;
  const transaction = purposeOf(order);
  const state = isGone ? 'gone' : stateOf(order, transaction.stage, now);
  // When a payout waits for its merchant's confirmation, the payee has nothing more to do.
  const isOver = !isGone && (stages[transaction.stage].final || state === 'kept');
  const before = order.transactions[transaction.seq - 2];
  return {
    token,
    state,
    order,
    details,
    transaction,
    card: transaction.type === 'payout' ? view.targetCard : view.card,
    payee: transaction.type === 'transfer' ? view.targetCard : undefined,
    receiptId,
    merchant,
    endpoint,
    look,
    payableUntil: payableUntil(order),
    declineCode: declineBefore(order)?.code,
    cardsLeft: triesOf(order) - failedCards(order),
    wayOut: wayOutOf(order, details, state),
    issuerSays: issuersWords(view, [transaction, before]),
    redirect: isOver
      ? finalRedirect(view, transaction, { merchant, descriptor: endpoint.descriptor, fieldsOf })
      : undefined,
    shopUrl: shopAddressOf(details, order),
    isMailed: around.sendsMail && order.form !== undefined && isMailed(transaction) && details.email !== undefined,
    brands: state === 'card' ? brandsOf(around, view, transaction) : [],
  };
}

type Around = {
  readonly merchant: Merchant;
  readonly endpoint: Endpoint;
  readonly look: Look;
  readonly fieldsOf: RedirectFields;
  readonly now: number;
  readonly isGone: boolean;
  readonly sendsMail: boolean;
  readonly routing: Pick<FormCardParts['routing'], 'brandsFor'>;
};

/** Only payments and holds have a receipt worth a message. */
function isMailed({ type }: Transaction): boolean {
  return type === 'sale' || type === 'preauth';
}

function brandsOf({ endpoint, routing }: Around, { order, details }: OrderView, { type, amount: minor }: Transaction) {
  const { orderId, operation, currency, alternatives } = order;
  const asked = { operation, type, amount: { minor, currency }, alternatives, details };
  return routing.brandsFor(endpoint, { ...asked, card: undefined, payee: undefined }, orderId);
}

function wayOutOf(order: Order, details: OrderView['details'], state: PayerState): PayerOrder['wayOut'] {
  if (state !== 'card' || declineBefore(order) === undefined) return undefined;
  return redirectUrlOf(details, 'given-up') === undefined ? 'nowhere' : 'shop';
}

function declineCodeOf({ answer }: Transaction): string | undefined {
  return answer?.word === 'declined' ? answer.code : undefined;
}

/** What the issuer said about the latest declined try, which is the one shown to the payer. */
function issuersWords({ authentication }: OrderView, tries: readonly (Transaction | undefined)[]): string | undefined {
  const declined = tries.find((one) => one?.stage === 'declined' && isAuthenticationDecline(declineCodeOf(one) ?? ''));
  if (authentication?.step.name !== 'over' || authentication.seq !== declined?.seq) return undefined;
  return authentication.step.outcome.cardholderInfo;
}

const STATES: Readonly<Partial<Record<Stage, PayerState>>> = {
  authenticating: 'authentication',
  challenged: 'challenge',
  waiting: 'kept',
  approved: 'approved',
  declined: 'declined',
  filtered: 'filtered',
  error: 'failed',
  expired: 'expired',
  abandoned: 'expired',
  'given-up': 'declined',
};

function stateOf(order: Order, stage: Stage, now: number): PayerState {
  if (stage === 'awaiting-payer') return now < payableUntil(order) ? 'card' : 'late';
  if (isLocked(order)) return 'locked';
  return STATES[stage] ?? (stages[stage].final ? 'failed' : 'processing');
}
