// Orders, as an operator sees them: a list, and one with its whole story.

import { id, line } from '../../domain/input-kinds.ts';
import { acquirerReference, MAX_CLIENT_ORDER_ID, type Order, type Transaction } from '../../domain/order/order.ts';
import { movedBy } from '../../domain/people/second-person.ts';
import { writeMark } from '../../domain/search/mark.ts';
import { isListedById } from '../../domain/search/order-lead.ts';
import { orderSearchOf } from '../../domain/search/order-search.ts';
import { shown } from '../../domain/text.ts';
import type { OrderPlace } from '../../storage/orders/order-search.ts';
import { merchantIdsOf, merchantLogin, merchantOf, onlyMerchant } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { mayGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { aPageOf, pageInputs, pageRowsOf, placeAfter, USUAL_PAGE } from '../verb/pages.ts';
import { minute } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { namesReference } from './bank-exchanges.ts';
import { listedOrderView, wholeOrderView } from './order-answers.ts';
import { askedOrders, orderFilters } from './order-filters.ts';
import { orderText } from './order-text.ts';
import { type BankMessageTold, lineOfOrder, wholeViewOfOrder } from './order-views.ts';

/** Of requests, changes, bookings and tries to tell the merchant, the latest so many of each. */
const STORY_LIMIT = 200;

export const listOrders = defineReading({
  name: 'listOrders',
  command: 'order list',
  summary: 'find orders by what is known of them, the newest first',
  merchants: 'own',
  example: 'tender order list --card 1111 --from 2027-01-31T11:30:00Z --to 2027-01-31T12:30:00Z',
  given: { login: onlyMerchant, ...orderFilters, ...pageInputs },
  answer: aPageOf(listedOrderView),
  run: async ({ login, after, limit = USUAL_PAGE, ...given }, { configuration, timelines }) => {
    const read = orderSearchOf(askedOrders(given));
    if ('faults' in read) throw new InvalidInput(...read.faults);
    const { search } = read;
    const all = await configuration.read();
    const sought = { login, search };
    const isById = isListedById(search);
    const [orderId, createdAt] = placeAfter(sought, after, isById ? ['number'] : ['number', 'number']) ?? [];
    // `placeAfter` has read a mark of these kinds.
    const place = orderId === undefined ? undefined : ({ orderId, createdAt } as OrderPlace);
    const { found, next } = await timelines.search({
      merchantIds: merchantIdsOf(login, all),
      search,
      after: place,
      limit,
    });
    return {
      found: found.map((order) => lineOfOrder(order, all)),
      next: next && writeMark(sought, isById ? [next.orderId] : [next.orderId, next.createdAt ?? 0]),
    };
  },
  show: pageRowsOf(
    {
      ORDER: (one) => one.orderId,
      MERCHANT: (one) => one.login,
      "MERCHANT'S ID": (one) => one.clientOrderId,
      OPERATION: (one) => one.operation,
      AMOUNT: (one) => `${one.amount} ${one.currency}`,
      STATUS: (one) => one.status,
      MADE: (one) => minute(one.createdAt),
    },
    'There are no such orders.',
  ),
});

export const showOrder = defineVerb({
  name: 'showOrder',
  summary: 'show an order and its story, and write into the audit chain who looked',
  merchants: 'own',
  role: 'operator',
  conduct: 'cards',
  given: {
    orderId: mayGive(id, 'its id', { told: 'order' }),
    login: mayGive(merchantLogin, 'whose order it is', { told: 'merchant' }),
    clientOrderId: mayGive(line(MAX_CLIENT_ORDER_ID), 'the id the merchant gave it', { told: true }),
  },
  answer: wholeOrderView,
  run: async ({ orderId, login, clientOrderId }, parts) => {
    const { clock, configuration, deeds, orders, timelines } = parts;
    const all = await configuration.read();
    const name = orderId ?? clientOrderId;
    if (name === undefined) throw new InvalidInput('orderId is missing: the id of an order is needed');
    if (orderId === undefined && login === undefined) {
      throw new InvalidInput('login is missing: the login of a merchant is needed');
    }
    const merchantId =
      login === undefined
        ? await timelines.merchantOf(Number(orderId), merchantIdsOf(undefined, all))
        : merchantOf(login, all).merchantId;
    const found =
      merchantId === undefined ? undefined : await orders.findOrderView({ merchantId, clientOrderId, orderId });
    if (!found) throw new InvalidInput(`there is no order ${shown(name)}; "tender order list" shows the newest`);
    return wholeViewOfOrder(found, {
      timeline: await timelines.read(found.order, STORY_LIMIT),
      all,
      now: clock.now(),
      movedAlone: movedBy(found.order, await deeds.begunAlone(found.order)),
      messages: messagesAbout(found.order, parts),
    });
  },
  show: orderText,
});

/**
 * What this node and the banks said to each other about an order, as far as its connectors keep it: messages that name
 * it. Merchants' people are not shown what is between the gateway and its banks.
 */
function messagesAbout(order: Order, { merchantId, terminalOffice }: Parts<'merchantId' | 'terminalOffice'>) {
  if (merchantId !== undefined || !terminalOffice) return undefined;
  const names = order.transactions.flatMap((one) => namesOf(order, one));
  const isAbout = (text: string) => names.some((name) => namesReference(text, name));
  return [...new Set(order.transactions.map(({ terminal }) => terminal))].flatMap((terminal) =>
    (terminalOffice.traced(terminal) ?? [])
      .filter(({ text }) => isAbout(text))
      .map(({ text: message, ...line }): BankMessageTold => ({ kind: 'bank', terminal, message, ...line })),
  );
}

/** Our names for its instructions, and what its bank calls it: answers of some banks tell only that. */
function namesOf(order: Order, { seq, leg: legs, answer }: Transaction): string[] {
  const ours = Array.from({ length: legs }, (_, index) => acquirerReference(order, { seq, leg: index + 1 }));
  const theirs = [answer?.rrn, answer?.processorTxId].filter((name) => name !== undefined);
  return [...ours, ...theirs.filter(isTelling)];
}

/** A short number may be anything: an amount, a time. */
const isTelling = (name: string) => name.length >= 12 || /[a-z]/i.test(name);
