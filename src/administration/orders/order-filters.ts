// What people may know of the orders they look for, as inputs of a verb.

import { id, line, word } from '../../domain/input-kinds.ts';
import { MAX_CLIENT_ORDER_ID, ORDER_OPERATIONS } from '../../domain/order/order.ts';
import { PUBLIC_STATUSES } from '../../domain/order/stages.ts';
import {
  type AskedOrders,
  cardEndsKind,
  firstMoment,
  lastMoment,
  soughtAmount,
  soughtCurrency,
  soughtText,
} from '../../domain/search/order-search.ts';
import { mayGive } from '../verb/inputs.ts';

const LONGEST_EMAIL = 254;
const LONGEST_ADDRESS = 45;
const LONGEST_NAME = 40;

/** For lists: those made in a range of time. */
export const timeFilters = {
  from: mayGive(firstMoment, 'only those made at this moment or day, or later', { as: '--from <moment>' }),
  to: mayGive(lastMoment, 'only those made before this moment, or on this day or earlier', { as: '--to <moment>' }),
};

export const orderFilters = {
  orderId: mayGive(id, 'only the one with this id', { as: '--order <id>', title: 'Order id' }),
  clientOrderId: mayGive(line(MAX_CLIENT_ORDER_ID), 'only those that their merchant gave this id', {
    as: '--client-order <id>',
    title: "Merchant's id",
  }),
  rrn: mayGive(soughtText('a retrieval reference number', LONGEST_NAME), 'only those whose bank gave this RRN', {
    as: '--rrn <number>',
    title: 'RRN',
  }),
  approvalCode: mayGive(soughtText('an approval code', LONGEST_NAME), 'only those approved with this code', {
    as: '--approval-code <code>',
    title: 'Approval code',
  }),
  card: mayGive(
    cardEndsKind,
    'only those of cards that end so, such as 1111, or that begin and end so, such as 411111******1111',
    { as: '--card <digits>', title: 'Card: last four, or first six and last four' },
  ),
  email: mayGive(soughtText('an e-mail address', LONGEST_EMAIL), 'only those of this e-mail address', {
    as: '--email <address>',
    title: "Payer's e-mail",
  }),
  address: mayGive(soughtText('a network address', LONGEST_ADDRESS), 'only those of payers at this network address', {
    as: '--address <ip>',
    title: "Payer's network address",
  }),
  amount: mayGive(soughtAmount, 'only those of this amount, with --currency', {
    as: '--amount <amount>',
    title: 'Amount',
  }),
  amountFrom: mayGive(soughtAmount, 'only those of this amount or more, with --currency', {
    as: '--amount-from <amount>',
    title: 'Amount from',
  }),
  amountTo: mayGive(soughtAmount, 'only those of this amount or less, with --currency', {
    as: '--amount-to <amount>',
    title: 'Amount to',
  }),
  currency: mayGive(soughtCurrency, 'only those in this currency', { as: '--currency <code>', title: 'Currency' }),
  status: mayGive(word(PUBLIC_STATUSES), 'only those with this status', { as: '--status <status>', title: 'Status' }),
  reason: mayGive(
    soughtText('a reason', LONGEST_NAME),
    'only those that ended for this reason: the code of a decline such as 116, a rule such as card-blocked, or expired, abandoned, error',
    { as: '--reason <reason>', title: 'Reason of its end' },
  ),
  operation: mayGive(word(ORDER_OPERATIONS), 'only those of this type', { as: '--type <type>', title: 'Type' }),
  endpointId: mayGive(id, 'only those of this endpoint', { as: '--endpoint <id>', title: 'Endpoint' }),
  terminal: mayGive(soughtText('the name of a terminal', LONGEST_NAME), 'only those that went to this terminal', {
    as: '--terminal <name>',
    title: 'Terminal',
  }),
  ...timeFilters,
};

/** All of it in one order, so that marks know the same search again. */
export function askedOrders(given: Partial<AskedOrders>): AskedOrders {
  // Object.keys and Object.fromEntries have lost which names they are.
  const names = Object.keys(orderFilters) as (keyof AskedOrders)[];
  return Object.fromEntries(names.map((name) => [name, given[name]])) as AskedOrders;
}
