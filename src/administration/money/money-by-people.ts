// How people move the money of orders: by the rules that merchants' requests meet, at once or, above an amount that is
// set for the merchant, once a second person has approved it.

import { Refusal } from '../../domain/errors.ts';
import { readMoney } from '../../domain/merchant/setting-kinds.ts';
import { type Money, writeAmount } from '../../domain/money/money.ts';
import type { DeedBy } from '../../domain/order/decide.ts';
import { mayComeBack } from '../../domain/order/follow-up.ts';
import {
  isReturnedPayout,
  type Order,
  type OrderKey,
  purposeOf,
  type Transaction,
  transactionOf,
} from '../../domain/order/order.ts';
import {
  DEED_LASTS_MS,
  equalBefore,
  isDeedOver,
  movedBy,
  needsSecondPerson,
} from '../../domain/people/second-person.ts';
import { shown } from '../../domain/text.ts';
import { newSerialNumber } from '../../processing/node/serial-numbers.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { WaitingDeed } from '../../storage/people/waiting-deeds.ts';
import { merchantIdsOf } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { InvalidInput } from '../verb/invalid-input.ts';

/** More deeds than this do not wait at the same time. */
const MOST_WAITING = 1_000;

type MoneyParts = Parts<
  | 'afterwards'
  | 'asker'
  | 'clock'
  | 'configuration'
  | 'counts'
  | 'deeds'
  | 'door'
  | 'ids'
  | 'money'
  | 'orders'
  | 'timelines'
  | 'unfinished'
  | 'who'
>;

/** A deed as it is asked for. */
export type AskedDeed = Pick<WaitingDeed, 'kind' | 'reason'> &
  Partial<Pick<WaitingDeed, 'seq' | 'outcome' | 'source' | 'again'>> & {
    readonly order: Order;
    readonly amount: Money;
  };

export type Waits = Pick<WaitingDeed, 'deedId' | 'expiresAt'>;

/** The order after the deed, or as it is while the deed waits. */
export type DoneDeed = { readonly order: Order; readonly waits: Waits | undefined };

/** An order of a merchant that the person may see; kept from others until the transaction is over. */
export async function lockedOrder(orderId: number, parts: MoneyParts): Promise<Order | undefined> {
  const all = await parts.configuration.read();
  const merchantId = await parts.timelines.merchantOf(orderId, merchantIdsOf(undefined, all));
  return merchantId === undefined ? undefined : lockOrder({ merchantId, orderId }, parts);
}

async function lockOrder(key: OrderKey, { deeds, orders }: MoneyParts): Promise<Order | undefined> {
  await deeds.lockOrder(key);
  return (await orders.load([key])).get(key.orderId);
}

export async function mustFindOrder(orderId: number, parts: MoneyParts): Promise<Order> {
  const order = await lockedOrder(orderId, parts);
  if (order) return order;
  throw new InvalidInput(`there is no order ${shown(orderId)}; "tender order list" shows the newest`);
}

/** What only a running gateway can do. */
export function mustRun({ money }: Pick<MoneyParts, 'money'>): NonNullable<MoneyParts['money']> {
  if (!money) throw new InvalidInput('no gateway runs here; start it, and do it then');
  return money;
}

/** Does it, or lets it wait for a second person. */
export async function doOrWait(deed: AskedDeed, parts: MoneyParts): Promise<DoneDeed> {
  const { order, amount } = deed;
  refuseEqual(deed, parts);
  const before = movedBy(order, await parts.deeds.begunAlone(order));
  const above = amountsOf(order, await parts.configuration.read());
  if (!needsSecondPerson(amount, before, above)) {
    return { order: await carryOut(deed, { asked: askerText(parts) }, parts), waits: undefined };
  }
  return { order, waits: await letWait(deed, parts) };
}

function amountsOf({ merchantId }: Order, { merchants }: Configuration): Money[] {
  const { secondPersonAbove = [] } = merchants.find((one) => one.merchantId === merchantId) ?? {};
  return secondPersonAbove.flatMap((text) => readMoney(text) ?? []);
}

function askerText({ who = 'somebody' }: MoneyParts): string {
  return who;
}

/** A part that was captured or returned a short time ago is not captured or returned again by mistake. */
function refuseEqual({ kind, order, amount, again }: AskedDeed, { clock }: MoneyParts): void {
  if (again || (kind !== 'capture' && kind !== 'return')) return;
  const seq = equalBefore(order, kind, amount.minor, clock.now());
  if (seq === undefined) return;
  const at = new Date(transactionOf(order, seq).createdAt).toISOString();
  throw new InvalidInput(
    `order ${order.orderId} has an equal ${kind} of ${written(amount)}, transaction ${seq} of ${at}; give --again if another one is meant`,
  );
}

async function letWait(deed: AskedDeed, parts: MoneyParts): Promise<Waits> {
  const { kind, order, amount, reason, seq, outcome, source, again = false } = deed;
  const now = parts.clock.now();
  const waiting = (await parts.deeds.list()).filter((one) => !isDeedOver(one, now));
  if (waiting.length >= MOST_WAITING) {
    throw new InvalidInput(`${MOST_WAITING} deeds wait already; approve or reject some first`);
  }
  const same = waiting.find(
    (one) => one.orderId === order.orderId && one.kind === kind && one.seq === seq && one.amount === amount.minor,
  );
  if (same && !again) {
    throw new InvalidInput(`an equal ${kind} of ${written(amount)} waits already, as deed ${same.deedId}`);
  }
  const { from: deedId } = await parts.ids.take(1);
  const expiresAt = now + DEED_LASTS_MS;
  const { merchantId, orderId } = order;
  const asked = { askedBy: askerText(parts), asker: parts.asker, askedAt: now, expiresAt };
  const what = { kind, merchantId, orderId, seq, outcome, amount: amount.minor, currency: amount.currency };
  await parts.deeds.add({ deedId, ...what, source, again, reason, ...asked });
  return { deedId, expiresAt };
}

/** The deed that waits under this number, with its order, whose rules decide now. */
export async function waitingDeed(
  deedId: number,
  parts: MoneyParts,
): Promise<{ readonly waiting: WaitingDeed; readonly deed: AskedDeed }> {
  const all = await parts.configuration.read();
  const visible = merchantIdsOf(undefined, all);
  const waiting = (await parts.deeds.list()).find((one) => one.deedId === deedId && visible.includes(one.merchantId));
  if (!waiting) throw new InvalidInput(`there is no deed ${deedId} that waits; "tender deed list" shows all`);
  if (isDeedOver(waiting, parts.clock.now())) throw new InvalidInput(`deed ${deedId} has waited too long and is over`);
  const order = await lockOrder(waiting, parts);
  if (!order) throw new InvalidInput(`there is no order ${waiting.orderId} any more`);
  return { waiting, deed: { ...waiting, order, amount: { minor: waiting.amount, currency: waiting.currency } } };
}

export function carryOutApproved(deed: AskedDeed, by: DeedBy, parts: MoneyParts): Promise<Order> {
  refuseEqual(deed, parts);
  return carryOut(deed, by, parts);
}

async function carryOut(deed: AskedDeed, by: DeedBy, parts: MoneyParts): Promise<Order> {
  const { kind, order, amount, reason } = deed;
  if (kind === 'settlement') return deed.source ? bookBack(deed, by, parts) : settle(deed, by, parts);
  const { door, orders: store, ids } = parts;
  const on = { door, store, nextId: async () => (await ids.take(1)).from };
  const money = mustRun(parts);
  const begun = await (kind === 'payout'
    ? money.payOut({ order, by, reason }, on)
    : money.followUp({ order, kind, amount, from: deed.source, by, reason }, on));
  if (begun instanceof Refusal) throw refusedAs(begun);
  parts.afterwards?.(begun.goOn);
  return begun.order;
}

async function settle(deed: AskedDeed, by: DeedBy, { door, unfinished }: MoneyParts): Promise<Order> {
  const { order, seq = 0, outcome = 'approved', reason } = deed;
  const { orderId } = order;
  if (!(await unfinished.lockStuck(orderId, seq))) {
    throw new InvalidInput(`order ${orderId} has no transaction ${seq} that waits for a person`);
  }
  const { order: after } = await door.change(order, { type: 'settled', seq, outcome, note: reason, by });
  if (transactionOf(after, seq).stage !== 'stuck') return after;
  throw new InvalidInput(`order ${orderId}: its money was on the way back, so it can only be declined or reversed`);
}

/** The settlement of a payment that had ended: its bank returned the payout, as people say. */
async function bookBack({ order, reason }: AskedDeed, by: DeedBy, { clock, counts, door }: MoneyParts): Promise<Order> {
  const { seq } = mustHavePaidOut(order);
  const requestSerial = newSerialNumber(clock.now());
  const { order: after } = await door.change(order, { type: 'payout-returned', seq, requestSerial, by, reason });
  await counts.countAgain(order.createdAt, clock.now());
  return after;
}

/** The payout that its bank may have returned; throws `InvalidInput` where there is none, or it is booked back. */
export function mustHavePaidOut(order: Order): Transaction {
  const paid = purposeOf(order);
  if (mayComeBack(order, paid.seq)) return paid;
  const back = order.transactions.find((one) => isReturnedPayout(order, one));
  throw new InvalidInput(
    back
      ? `order ${order.orderId} is booked back already, as transaction ${back.seq}`
      : `order ${order.orderId}: only a payout from a balance that was approved can come back`,
  );
}

/** In the words a merchant would be told. */
export function refusedAs({ faults }: Refusal): InvalidInput {
  return new InvalidInput(...faults.map(({ message }) => message));
}

export function written(amount: Money): string {
  return `${writeAmount(amount, 'major')} ${amount.currency}`;
}
