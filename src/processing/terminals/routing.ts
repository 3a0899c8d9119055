// Where an order goes: the rules of its endpoint, what its terminals take, and how they stand at this moment.

import { acceptedBrands } from '../../domain/acquirer/accepted-brands.ts';
import { type TriedRule, tryRules } from '../../domain/acquirer/route-trial.ts';
import { type DayUse, NoRoute, type RoutableTerminal, routeOf } from '../../domain/acquirer/routing.ts';
import {
  ROUTED_KINDS,
  type RoutedKind,
  type RoutingFacts,
  type RoutingRule,
  readRules,
} from '../../domain/acquirer/routing-rules.ts';
import { DEMO_TERMINAL, type Route, type Terminal } from '../../domain/acquirer/terminal.ts';
import { binOf, brandOf, CARD_BRANDS, issuerDigitsOf, type KnownBrand } from '../../domain/card/card.ts';
import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { isMerchantInitiated } from '../../domain/order/order.ts';
import { movesNoMoney, type TransactionType } from '../../domain/order/transaction-types.ts';
import type { StoredCard } from '../../storage/store.ts';
import type { BinBook } from '../cards/bin-book.ts';
import type { Payee } from '../cards/payee.ts';
import type { OrderRequest, PayingCard } from '../orders/order-request.ts';
import type { OpenTerminal } from './terminal.ts';

export type RoutingParts = {
  readonly bins: Pick<BinBook, 'issuerOf'>;
  readonly breakers: { isOpen(terminal: string): boolean };
  readonly days: { today(terminal: string): DayUse };
  readonly mode: 'sandbox' | 'production';
  readonly terminals: { all(): readonly (Pick<OpenTerminal, 'does'> & { readonly settings: Terminal })[] };
};

/** What is routed: a request, or an order whose card was just entered. */
export type RoutedOrder = Pick<
  OrderRequest,
  'operation' | 'type' | 'amount' | 'alternatives' | 'card' | 'payee' | 'legs' | 'details'
>;

/** Where an order begins: `route` only where there was something to choose. */
export type OrderBeginning = { readonly route?: Route; readonly terminal: string };

/** The endpoints of an installation have few different rules. */
const MAX_REMEMBERED = 1_000;

export class Routing {
  readonly #parts: RoutingParts;
  readonly #rules = new Map<string, readonly RoutingRule[]>();
  #seen: ReturnType<RoutingParts['terminals']['all']> | undefined;
  #wasOpenToAll = false;

  constructor(parts: RoutingParts) {
    this.#parts = parts;
  }

  begin(
    { endpointId, route: rules }: Pick<Endpoint, 'endpointId' | 'route'>,
    order: RoutedOrder,
    orderId: number,
  ): OrderBeginning | Refusal {
    // The most usual case by far, and on the way of every sale.
    if (rules === undefined && this.#isOpenToAll) return BEGINS_AT_DEMO;
    const terminals = this.#terminals();
    const ownRules = rules === undefined ? undefined : this.#rulesOf(rules);
    const unroutable = ownRules ? undefined : this.unroutable({ endpointId, route: rules });
    if (unroutable) return unroutable;
    const found = routeOf(ownRules ?? DEFAULT, this.#factsOf(order, orderId), terminals);
    if (found instanceof NoRoute) return refuse('no-terminal', { hint: found.hint });
    const [terminal = DEMO_TERMINAL] = found.terminals;
    return ownRules ? { route: found, terminal } : { terminal };
  }

  /** The brands a payer may use for an order whose card is not known yet. */
  brandsFor(
    { route: rules, ...endpoint }: Pick<Endpoint, 'endpointId' | 'route'>,
    order: RoutedOrder,
    orderId: number,
  ): readonly KnownBrand[] {
    if (rules === undefined && this.#isOpenToAll) return CARD_BRANDS;
    if (this.unroutable({ ...endpoint, route: rules })) return [];
    // Whoever enters a card is the payer.
    const facts = { ...this.#factsOf(order, orderId), initiator: 'payer' } as const;
    return acceptedBrands(rules === undefined ? DEFAULT : this.#rulesOf(rules), facts, this.#terminals());
  }

  /** What each rule would make of an order that is not there, for people who ask. */
  wouldGo(
    { route: rules }: Pick<Endpoint, 'route'>,
    facts: Omit<RoutingFacts, 'orderId' | 'binCountry'>,
  ): readonly TriedRule[] {
    const binCountry =
      facts.bin === undefined
        ? undefined
        : this.#parts.bins.issuerOf({ bin: facts.bin, issuerDigits: undefined })?.country;
    const whole = { ...facts, orderId: 0, binCountry };
    return tryRules(rules === undefined ? DEFAULT : this.#rulesOf(rules), whole, this.#terminals());
  }

  /** Whether endpoints without rules have a terminal that takes whatever comes; looked at when terminals change. */
  get #isOpenToAll(): boolean {
    const all = this.#parts.terminals.all();
    if (all !== this.#seen) {
      this.#seen = all;
      const demo = all.find(({ settings }) => settings.name === DEMO_TERMINAL);
      const mayBeUsed = this.#parts.mode === 'sandbox' || all.length === 1;
      this.#wasOpenToAll = mayBeUsed && demo !== undefined && takesAll(demo);
    }
    return this.#wasOpenToAll;
  }

  /** Why an endpoint takes no orders at all, whatever they are. */
  unroutable({ endpointId, route: rules }: Pick<Endpoint, 'endpointId' | 'route'>): Refusal | undefined {
    const hasOthers = this.#parts.terminals.all().some(({ settings }) => settings.name !== DEMO_TERMINAL);
    if (rules !== undefined || this.#parts.mode === 'sandbox' || !hasOthers) return undefined;
    return refuse('no-terminal', { hint: `end point ${endpointId} has no route` });
  }

  #terminals(): RoutableTerminal[] {
    const { breakers, days, terminals } = this.#parts;
    return terminals.all().map(({ does, settings }) => ({
      ...settings,
      does,
      isFailing: breakers.isOpen(settings.name),
      today: days.today(settings.name),
    }));
  }

  #rulesOf(text: string): readonly RoutingRule[] {
    const known = this.#rules.get(text);
    if (known) return known;
    if (this.#rules.size >= MAX_REMEMBERED) this.#rules.clear();
    const read = readRules(text);
    this.#rules.set(text, read);
    return read;
  }

  #factsOf(
    { operation, type, amount, alternatives = [], card, payee, legs, details }: RoutedOrder,
    orderId: number,
  ): RoutingFacts {
    const cards = [card && cardOf(card), payee && cardOf(payee)].filter((one) => one !== undefined);
    const [first] = cards;
    return {
      orderId,
      kinds: kindsOf(type, legs),
      brands: cards.map(({ brand }) => brand),
      bin: first && (first.issuerDigits ?? first.bin),
      binCountry: this.#parts.bins.issuerOf(first)?.country,
      currency: amount.currency,
      amounts: movesNoMoney(type) ? [] : [amount.minor, ...alternatives],
      initiator: isMerchantInitiated({ operation }) || !isPayerThere(operation, card) ? 'merchant' : 'payer',
      payerCountry: details.country,
    };
  }
}

const BEGINS_AT_DEMO: OrderBeginning = { terminal: DEMO_TERMINAL };

function takesAll({ does, settings }: ReturnType<RoutingParts['terminals']['all']>[number]): boolean {
  const { enabled, currencies, brands, operations, minimum, maximum, dayAmount, dayCount } = settings;
  const hasBounds = [minimum, maximum, dayAmount, dayCount].some((bound) => bound !== undefined);
  const isChoosy = [currencies, brands, operations].some((list) => list.length > 0);
  return enabled && !isChoosy && !hasBounds && ROUTED_KINDS.every((kind) => does.includes(kind));
}

/** An endpoint without rules has one terminal. */
const DEFAULT: readonly RoutingRule[] = [{ conditions: [], terminals: [DEMO_TERMINAL] }];

/** Who pays from a balance asks for it as the merchant, and so does a transfer from a card that was stored before. */
function isPayerThere(operation: OrderRequest['operation'], card: PayingCard | undefined): boolean {
  if (!card) return false;
  return operation !== 'transfer' || ('typed' in card ? card.typed.cvv : card.cvv) !== undefined;
}

type KnownOfCard = Pick<StoredCard, 'brand' | 'bin' | 'issuerDigits'>;

function cardOf(card: PayingCard | Payee): KnownOfCard | undefined {
  if ('account' in card) return undefined;
  if ('stored' in card) return card.stored;
  const number = card.typed.number.reveal();
  return { brand: brandOf(number), bin: binOf(number), issuerDigits: issuerDigitsOf(number) };
}

function kindsOf(type: TransactionType, legs = 1): readonly RoutedKind[] {
  switch (type) {
    case 'sale':
    case 'preauth':
      return [type];
    case 'account-verification':
      return ['verification'];
    case 'pan-eligibility':
      return ['eligibility'];
    case 'transfer':
      return legs === 2 ? ['pull', 'push'] : ['push'];
    case 'payout':
      return ['push'];
    default:
      throw new Error(`A ${type} goes where its money is`);
  }
}
