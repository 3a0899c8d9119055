// The gateway's verbs: everything an operation can ask for. Each checks the rules, writes through the one door and only
// then, once the order is durable, asks the acquirer.

import type { Issuer } from '../domain/card/bin-table.ts';
import { type Fault, invariant, type Refusal, refuse } from '../domain/errors.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { type Order, purposeOf, type Transaction, transactionOf } from '../domain/order/order.ts';
import { isFinal } from '../domain/order/stages.ts';
import type { OrderQuery, OrderView, StoredCard } from '../storage/store.ts';
import type { BinBook } from './cards/bin-book.ts';
import { createCardReference, findStoredCard, type MadeReference, referenceOf } from './cards/stored-cards.ts';
import { type OpenedForm, type OpenFormParts, openForm } from './checkout/open-form.ts';
import { acceptOrder } from './orders/accept-order.ts';
import { type CallbackUrls, callbackFaults } from './orders/callback-faults.ts';
import { type FollowUpRequest, followUp } from './orders/follow-up.ts';
import { MoneyDeeds } from './orders/money-deeds.ts';
import type { Accepted, OrderRequest, PayingCard } from './orders/order-request.ts';
import { askEligibility } from './payouts/eligibility.ts';
import { confirmPayout, type PayoutParts, payOut } from './payouts/payout.ts';
import { transferMoney } from './payouts/transfer.ts';
import {
  type ChargeParts,
  chargeRecurringPayment,
  earlierRecurringPayment,
  makeRecurringPayment,
} from './recurring/recurring-payments.ts';
import type { AnsweredRequests } from './requests/answered-requests.ts';
import type { Caller } from './requests/caller.ts';
import type { ControlReadings } from './requests/control-readings.ts';
import { earlierOrder } from './requests/repeats.ts';
import { strictRefusal } from './requests/strict-orders.ts';
import { type OpenTerminal, partialAtOf } from './terminals/terminal.ts';
import {
  type AuthenticationResult,
  authenticationResult,
  type PayerStep,
  payerAddress,
  payerStep,
} from './three-d-secure/payer-step.ts';
import { takeUpload, type UploadParts } from './three-d-secure/uploads.ts';

type VerificationRequest = Pick<OrderRequest, 'clientOrderId' | 'card' | 'details'> & {
  readonly currency: string | undefined;
};

type StatusQuery = Omit<OrderQuery, 'merchantId'> & { readonly bySerial: string | undefined };

export type Status = OrderView & {
  readonly transaction: Transaction;
  readonly descriptor: string | undefined;
  /** Follow-ups that may be of a part of the amount. */
  readonly partial: OpenTerminal['partial'];
  /** The banks of the cards, where the table of issuers knows them. */
  readonly issuer: Issuer | undefined;
  readonly targetIssuer: Issuer | undefined;
  /** Where the payer has to go now: to 3-D Secure, with the step that it waits for, or to an address of the bank. */
  readonly payer: { readonly address: string; readonly step: PayerStep | undefined } | undefined;
  /** How 3-D Secure went. */
  readonly authenticated: AuthenticationResult | undefined;
};

/** A stored card by its reference, and the security code if the payer gave it again. */
type RebillCard = { readonly reference: string } & Pick<Extract<PayingCard, { stored: unknown }>, 'cvv'>;

/** What all verbs need together; each takes its own part. */
export type GatewayParts = ChargeParts &
  OpenFormParts &
  PayoutParts &
  UploadParts & {
    readonly answered: AnsweredRequests;
    readonly bins: Pick<BinBook, 'issuerOf'>;
    readonly controls: ControlReadings;
  };

type Verb<Request, Reply> = (parts: GatewayParts, request: Request, caller: Caller) => Promise<Reply>;

/** Before a merchant is answered with an order, the request's serial number leads to it. */
function answered<Request, Reply extends Accepted>(verb: Verb<Request, Reply | Refusal>): typeof verb {
  return async (parts, request, caller) => {
    const reply = await verb(parts, request, caller);
    if ('order' in reply) await parts.answered.remember(reply, caller);
    return reply;
  };
}

const storedCardOf: Verb<Parameters<typeof createCardReference>[1], MadeReference | Refusal> = async (
  parts,
  query,
  caller,
) => {
  const made = await createCardReference(parts, query, caller);
  const { serialNumber } = caller;
  if ('view' in made) await parts.answered.remember({ order: made.view.order, serialNumber }, caller);
  return made;
};

/** How long a reply that tells the outcome waits for it, and how often it looks. Clients wait 20 seconds or more. */
const IN_TIME_MS = 15_000;
const LOOK_EVERY_MS = 100;

export class Gateway {
  readonly #parts: GatewayParts;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  readonly acceptOrder = this.#answering(acceptOrder);
  readonly earlierRecurringPayment = this.#verb(earlierRecurringPayment);
  /** Opens a hosted form on which the payer, or the payee, enters a card. */
  readonly openForm = this.#answering(openForm);
  readonly payOut = this.#answering(payOut);
  readonly confirmPayout = this.#answering(confirmPayout);
  readonly transfer = this.#controlled(answered(transferMoney));
  readonly askEligibility = this.#answering(askEligibility);
  /** Returns the id of the recurring payment. */
  readonly createRecurringPayment = this.#verb(makeRecurringPayment);
  readonly chargeRecurringPayment = this.#answering(chargeRecurringPayment);
  readonly createCardReference = this.#controlled(storedCardOf);
  /** Takes the result of a step of 3-D Secure that the merchant runs itself. */
  readonly takeUpload = this.#controlled(answered(takeUpload));

  /** What people do with the money of orders, in transactions of theirs. */
  get money(): MoneyDeeds {
    return new MoneyDeeds(this.#parts);
  }

  #verb<Request, Reply>(verb: Verb<Request, Reply>) {
    return (request: Request, caller: Caller): Promise<Reply> => verb(this.#parts, request, caller);
  }

  #answering<Request, Reply extends Accepted>(verb: Verb<Request, Reply | Refusal>) {
    return this.#verb(answered(verb));
  }

  /**
   * For operations that make no order, and for those that make one of card references: the controls of both begin with
   * the login, so that one digest may fit either, and an order's digest is compared with those of orders only.
   */
  #controlled<Request, Reply>(verb: Verb<Request, Reply>) {
    return async (request: Request, caller: Caller): Promise<Reply | Refusal> =>
      (await this.#controlRefusal(caller)) ?? verb(this.#parts, request, caller);
  }

  /** What is wrong with the callback URLs of a request that is refused for something else too. */
  callbackFaults(urls: CallbackUrls, endpoint: Endpoint): Fault[] {
    return callbackFaults(this.#parts.callbackPolicy(endpoint), urls);
  }

  /** The order, or the hosted form, that the same request made earlier, whatever has changed since. */
  async earlierOrder(clientOrderId: string, caller: Caller): Promise<OpenedForm | undefined> {
    const earlier = await earlierOrder(this.#parts, clientOrderId, caller);
    if (earlier) await this.#parts.answered.remember(earlier, caller);
    return earlier && { ...earlier, url: this.#parts.payerPages.addressOf(earlier.order) };
  }

  /** Asks whether a card is good: an order over zero, in the endpoint's currency unless the merchant names one. */
  verifyAccount({ currency, ...request }: VerificationRequest, caller: Caller): Promise<Accepted | Refusal> {
    const amount = { minor: 0n, currency: currency ?? caller.endpoint?.currency ?? '' };
    const order = { operation: 'account-verification', type: 'account-verification', amount } as const;
    return this.acceptOrder({ ...request, ...order }, caller);
  }

  /** Charges a stored card while the payer is away. */
  async rebill(request: Omit<OrderRequest, 'card'> & RebillCard, caller: Caller): Promise<Accepted | Refusal> {
    const refusal = await this.#controlRefusal(caller);
    if (refusal) return refusal;
    const { reference, cvv, ...order } = request;
    const stored = await findStoredCard(this.#parts, caller.merchant.merchantId, reference);
    if (!stored) return refuse('card-reference-not-found', { field: 'cardrefid' });
    return this.acceptOrder({ ...order, card: { stored, cvv } }, caller);
  }

  async followUp(request: FollowUpRequest, caller: Caller): Promise<Accepted | Refusal> {
    const refusal = (await this.#controlRefusal(caller)) ?? (await this.#signatureRefusal(caller));
    return refusal ?? answered(followUp)(this.#parts, request, caller);
  }

  async findStatus({ clientOrderId, orderId, bySerial }: StatusQuery, caller: Caller): Promise<Status | Refusal> {
    const { merchantId } = caller.merchant;
    const refusal = await this.#controlRefusal(caller);
    if (refusal) return refusal;
    const view = await this.#parts.store.findOrderView({ merchantId, clientOrderId, orderId });
    if (!view) return refuse('order-not-found', { field: 'orderid' });
    const notStrict = strictRefusal(this.#parts.configuration, view.order, caller);
    if (notStrict) return notStrict;
    const { transactions } = view.order;
    const transaction = bySerial ? await this.#transactionOf(view.order, bySerial.toLowerCase()) : transactions.at(-1);
    return transaction ? this.#statusOf(view, transaction) : refuse('order-not-found', { field: 'by-request-sn' });
  }

  /** How an order stands when it is final, when the payer is needed, or when a client would not wait any longer. */
  async statusInTime({ order: { merchantId, orderId } }: Accepted): Promise<Status> {
    const { clock, store } = this.#parts;
    const until = clock.now() + IN_TIME_MS;
    for (;;) {
      const view = await store.findOrderView({ merchantId, orderId, clientOrderId: undefined });
      invariant(view, 'an accepted order is gone');
      const status = await this.#statusOf(view, purposeOf(view.order));
      if (isFinal(status.transaction.stage) || status.payer || clock.now() >= until) return status;
      await clock.sleep(LOOK_EVERY_MS);
    }
  }

  async #statusOf(view: OrderView, transaction: Transaction): Promise<Status> {
    const { operation, endpointId } = view.order;
    // Fields are listed one by one: a copy with something added costs several times as much, on every status request.
    return {
      order: view.order,
      details: view.details,
      receiptId: view.receiptId,
      card: view.card,
      targetCard: view.targetCard,
      authentication: view.authentication,
      issuer: this.#parts.bins.issuerOf(view.card),
      targetIssuer: this.#parts.bins.issuerOf(view.targetCard),
      transaction,
      descriptor: this.#parts.configuration.endpoint(endpointId)?.descriptor,
      partial: partialAtOf(this.#parts.terminals)(purposeOf(view.order).terminal),
      cardReferenceId:
        view.cardReferenceId ??
        (operation === 'account-verification' ? await referenceOf(this.#parts, view) : undefined),
      payer: this.#payerOf(view),
      authenticated: view.authentication && authenticationResult(view.authentication, view.card?.brand ?? ''),
    };
  }

  /** What the payer has to do now. */
  #payerOf({ order, authentication }: OrderView): Status['payer'] {
    // The merchant cannot run this step itself.
    if (purposeOf(order).stage === 'challenged') {
      return { address: this.#parts.payerPages.challengeOf(order), step: undefined };
    }
    if (!authentication || transactionOf(order, authentication.seq).stage !== 'authenticating') return undefined;
    const { authentications, clock } = this.#parts;
    const step = payerStep(authentication, order, { ...authentications.parts, now: clock.now() });
    return step && { address: payerAddress(order, authentications.parts), step };
  }

  /** The transaction a request made, confirmed or was answered with. */
  async #transactionOf(order: Order, serial: string): Promise<Transaction | undefined> {
    const found = await this.#parts.answered.transactionOf(order, serial);
    if (found || order.operation !== 'payout') return found;
    return (await this.#parts.store.findConfirmation(order)) === serial ? purposeOf(order) : undefined;
  }

  async cardInfo(reference: string, caller: Caller): Promise<StoredCard | Refusal> {
    const refusal = await this.#controlRefusal(caller);
    if (refusal) return refusal;
    const card = await findStoredCard(this.#parts, caller.merchant.merchantId, reference);
    return card ?? refuse('card-reference-not-found', { field: 'cardrefid' });
  }

  /** A recorded request cannot be carried out again under another idempotency key, or under none. */
  async #signatureRefusal({ merchant, strict, idempotencyKey = '' }: Caller): Promise<Refusal | undefined> {
    if (strict === undefined) return undefined;
    const { controls } = this.#parts;
    const accepted = await controls.accepts(merchant.merchantId, Buffer.from(strict), Buffer.from(idempotencyKey));
    return accepted
      ? undefined
      : refuse('strict-signature-invalid', { hint: 'it was already used with another Idempotency-Key' });
  }

  /** Remembers the reading of a control; most orders keep their own instead. */
  async #controlRefusal({ merchant, control }: Caller): Promise<Refusal | undefined> {
    if (!control) return undefined;
    const accepted = await this.#parts.controls.accepts(merchant.merchantId, control.digest, control.reading);
    return accepted ? undefined : refuse('control-has-other-reading', { field: 'control' });
  }
}
