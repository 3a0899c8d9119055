// What a payer's browser may see of an order, and do with it. Only an unguessable link names the order.

import type { Clock } from '../../domain/clock.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { Look } from '../../domain/merchant/look.ts';
import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import { declineBefore, failedCards, isLocked, payableUntil, triesOf } from '../../domain/order/hosted-form.ts';
import { type Order, purposeOf, type Transaction } from '../../domain/order/order.ts';
import { FORM_MS } from '../../domain/order/retry-schedule.ts';
import { type Stage, stages } from '../../domain/order/stages.ts';
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
  | 'expired';

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
};

export type Found = PayerOrder | 'foreign' | 'gone';

export type CheckoutParts = {
  readonly gateway: FormCardParts & { readonly clock: Clock };
  readonly links: PayerLinks;
  readonly redirectFields: RedirectFields;
};

export class Checkout {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** `foreign`: we did not make this link. `gone`: its time is over, and the order's outcome is no longer shown. */
  async find(token: string): Promise<Found> {
    const { gateway, links, redirectFields: fieldsOf } = this.#parts;
    const link = links.read(token);
    if (!link) return 'foreign';
    const now = gateway.clock.now();
    if (now >= link.until + RESULT_MS) return 'gone';
    const { merchantId, orderId } = link;
    const view = await gateway.store.findOrderView({ merchantId, orderId, clientOrderId: undefined });
    const merchant = gateway.configuration.byId(merchantId);
    const endpoint = view && gateway.configuration.endpoint(view.order.endpointId);
    if (!view || !merchant || !endpoint) return 'foreign';
    const look = gateway.configuration.look(endpoint.endpointId);
    return payerOrder(token, view, { merchant, endpoint, look, fieldsOf, now });
  }

  /** A mark only we can make, for one try of one form, so that no page elsewhere can send the form. */
  proofOf(order: PayerOrder): string {
    return (this.#proofs(order)[0] as Buffer).toString('base64url');
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
  async giveCard({ order }: PayerOrder, input: PayerInput): Promise<Refusal | undefined> {
    const result = await takeCard(this.#parts.gateway, order, input);
    return 'transactions' in result ? undefined : result;
  }
}

function payerOrder(
  token: string,
  view: OrderView,
  around: { merchant: Merchant; endpoint: Endpoint; look: Look; fieldsOf: RedirectFields; now: number },
): PayerOrder {
  const { order, details, receiptId } = view;
  const { merchant, endpoint, look, fieldsOf, now } = around;
  const transaction = purposeOf(order);
  const state = stateOf(order, transaction.stage, now);
  // When a payout waits for its merchant's confirmation, the payee has nothing more to do.
  const isOver = stages[transaction.stage].final || state === 'kept';
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
  };
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
