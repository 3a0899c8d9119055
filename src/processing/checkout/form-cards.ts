// The side of the door for cards that are entered on the hosted form. The card, the change of the order and what limits
// count are one transaction; it is written over the version it was decided on, so that a double click, a second tab, the
// back button and another node all find that the first card was taken, and charge nobody twice.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import { Refusal, refuse } from '../../domain/errors.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { changeBy } from '../../domain/order/change.ts';
import type { Command, Moment } from '../../domain/order/decide.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import { type Order, type OrderKey, purposeOf, transactionOf } from '../../domain/order/order.ts';
import type { Tally } from '../../domain/screening/screening.ts';
import { needsAuthentication } from '../../domain/three-d-secure/authentication.ts';
import type { GivenCard } from '../../storage/orders/forms.ts';
import type { OrderChange, OrderView, StoredCard } from '../../storage/store.ts';
import { cvvPlace } from '../../vault/places.ts';
import { sealCard, type TypedCard } from '../cards/payee.ts';
import { withoutNumbers } from '../cards/secret-details.ts';
import type { GatewayParts } from '../gateway.ts';
import { InTurn } from '../orders/in-turn.ts';
import { throughOutages } from '../orders/outages.ts';
import { limitedReason } from '../screening/screening.ts';

/** How often a card is decided anew because the order has changed. */
const MAX_CONFLICTS = 20;

/** What the payer entered. */
export type PayerInput = {
  /** The try it was entered for, as the form said. */
  readonly seq: number;
  readonly card: TypedCard & Pick<CardDetails, 'cvv'>;
  /** What the form asked for besides, and what the browser told about itself. */
  readonly details: OrderDetails;
};

export class FormCards {
  readonly #parts: GatewayParts;
  readonly #queue: InTurn;

  constructor(parts: GatewayParts, { lanes }: { lanes: number }) {
    this.#parts = parts;
    this.#queue = new InTurn({ lanes, clock: parts.clock });
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  /** Takes the card if the form still waits for it; answers the order as it stands afterwards. */
  give(key: OrderKey, input: PayerInput): Promise<Order | Refusal> {
    return this.#queue.run(key.orderId, () => this.#give(key, input));
  }

  async #give(key: OrderKey, input: PayerInput): Promise<Order | Refusal> {
    let mustWait = false;
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts++) {
      const { merchantId, orderId } = key;
      const view = await this.#parts.store.findOrderView({ merchantId, orderId, clientOrderId: undefined });
      if (!view) throw new Error(`There is no order ${orderId}`);
      const entry = await this.#entry(view, input, mustWait);
      if (!entry || entry instanceof Refusal) return entry ?? view.order;
      const outcome = await entry.write();
      if (outcome === 'written') return this.#goOn(entry.written(), input, entry.endpoint);
      // What the balance does not cover waits until the merchant confirms it.
      if (outcome !== 'conflict') mustWait = true;
    }
    throw new Error(`Order ${key.orderId} kept changing under us`);
  }

  /** Undefined when the form does not wait for this card any more. */
  async #entry(view: OrderView, input: PayerInput, mustWait: boolean) {
    const { clock, directory, door, forms, ids, screening, vault, work } = this.#parts;
    const { order } = view;
    const endpoint = directory.endpoint(order.endpointId);
    const isOpen = endpoint?.enabled && directory.byId(order.merchantId)?.enabled;
    const authenticates =
      endpoint !== undefined && needsAuthentication(endpoint, order.operation, { typed: input.card });
    const given: CardGiven = {
      type: 'card-given',
      seq: input.seq,
      filterReason: undefined,
      mustWait,
      needsAuthentication: authenticates,
    };
    // One moment for all of it: a form whose time ends while the card is written took it in time.
    const moment = door.moment;
    if (!taken(order, given, moment)) return undefined;
    if (!endpoint || !isOpen) return refuse('endpoint-disabled', { hint: String(order.endpointId) });
    if (work.isFull) return refuse('unavailable');

    const at = moment.now;
    await ids.held(at);
    if (vault.isStale && !(await vault.freshen())) return refuse('unavailable');
    const kept = this.#kept(view, input, ids.next(at));
    const rules = directory.screening(endpoint);
    const screened = { operation: order.operation, details: kept.details, ...this.#screened(order, input) };
    const listed = rules && (await screening.listedReason(order.merchantId, rules, screened));
    const limits = rules && !listed ? screening.limitsOn({ order, cards: [kept.card] }, rules, screened) : [];
    let written: GivenCard | undefined;
    const decideOn = (tallies: readonly Tally[]): GivenCard => {
      const filterReason = listed ?? limitedReason(limits, tallies, order.amount);
      written = this.#decided(order, { ...given, filterReason }, moment, kept);
      return written;
    };
    const { creditLimit } = endpoint;
    const giveCard = () => forms.giveCard({ order, at, limits, creditLimit, decide: decideOn });
    return {
      endpoint,
      write: () => throughOutages(clock, giveCard, at + vault.safeMs),
      written: () => (written as GivenCard).change.after,
    };
  }

  #kept({ order, details }: OrderView, input: PayerInput, cardId: number) {
    const { vault } = this.#parts;
    const { merchantId, orderId } = order;
    const { card } = input;
    const isPayout = purposeOf(order).type === 'payout';
    return {
      card: sealCard(vault, card, { merchantId, cardId }),
      role: isPayout ? ('receives' as const) : ('pays' as const),
      sealedCvv: card.cvv && vault.seal(card.cvv, cvvPlace(merchantId, orderId)),
      details: withoutNumbers({ ...details, ...input.details }, { card: undefined, payee: { typed: card } }),
    };
  }

  #screened(order: Order, { card }: PayerInput) {
    return purposeOf(order).type === 'payout' ? { payee: { typed: card } } : { card: { typed: card as CardDetails } };
  }

  #decided(
    order: Order,
    command: CardGiven,
    moment: Moment,
    kept: { card: StoredCard; role: GivenCard['role']; sealedCvv: GivenCard['sealedCvv']; details: OrderDetails },
  ): GivenCard {
    const change = taken(order, command, moment);
    if (!change) throw new Error(`The form of order ${order.orderId} took a card and then did not`);
    const sealedCvv = command.filterReason === undefined ? kept.sealedCvv : undefined;
    return { ...kept, sealedCvv, change, seq: command.seq, leaseOwner: this.#parts.instance };
  }

  #goOn(order: Order, { seq, card }: PayerInput, { descriptor }: Endpoint): Order {
    const { stage, type } = transactionOf(order, seq);
    const { authentications, work } = this.#parts;
    const paid = type === 'payout' ? { targetCard: card } : { card: card as CardDetails };
    const materials = { ...paid, descriptor };
    if (stage === 'sending') work.proceed(order, seq, materials);
    if (stage === 'authenticating') authentications.begin(order, seq, materials);
    return order;
  }
}

type CardGiven = Extract<Command, { type: 'card-given' }>;

/** Undefined when the form does not wait for the card. */
function taken(before: Order, command: CardGiven, moment: Moment): OrderChange | undefined {
  const change = changeBy(before, command, moment);
  if (change instanceof Refusal || change.events.length === 0) return undefined;
  return { before, ...change, begins: new Map() };
}
