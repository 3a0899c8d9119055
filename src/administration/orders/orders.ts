// Orders, as an operator sees them: a list, one with its whole story, and a request by the serial number its reply
// carried.

import { formed, id, line } from '../../domain/input-kinds.ts';
import { MAX_CLIENT_ORDER_ID } from '../../domain/order/order.ts';
import { shown } from '../../domain/text.ts';
import { UUID } from '../../domain/uuid.ts';
import { merchantIdsOf, merchantLogin, merchantOf, onlyMerchant } from '../lookups.ts';
import { aList } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { orderView, requestView, wholeOrderView } from './order-answers.ts';
import { orderText, requestText } from './order-text.ts';
import { viewOfOrder, viewOfRequest, wholeViewOfOrder } from './order-views.ts';

const LIST_LIMIT = 100;
/** Of requests, changes, bookings and tries to tell the merchant, the latest so many of each. */
const STORY_LIMIT = 200;

export const listOrders = defineReading({
  name: 'listOrders',
  command: 'order list',
  summary: 'list orders, the newest first, 100 at a time',
  merchants: 'own',
  example: 'tender order list --merchant shop',
  given: { login: onlyMerchant, before: mayGive(id, 'only those older than this one', { as: '--before <id>' }) },
  answer: aList(orderView),
  run: async ({ login, before }, { configuration, timelines }) => {
    const all = await configuration.read();
    const listed = await timelines.list({ merchantIds: merchantIdsOf(login, all), before, limit: LIST_LIMIT });
    return listed.map((order) => viewOfOrder(order, order.stage, all));
  },
  show: rowsOf(
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
  run: async ({ orderId, login, clientOrderId }, { configuration, orders, timelines }) => {
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
    return wholeViewOfOrder(found, await timelines.read(found.order, STORY_LIMIT), all);
  },
  show: orderText,
});

export const showRequest = defineVerb({
  name: 'showRequest',
  command: 'request show',
  summary: 'show a request, also one that was refused, without its secrets',
  merchants: 'own',
  example: 'tender request show 0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69',
  role: 'operator',
  conduct: 'cards',
  given: {
    serialNumber: mustGive(formed(UUID, 'the serial-number of a reply'), 'the serial-number of its reply', {
      as: '<serial-number>',
      told: true,
    }),
  },
  answer: requestView,
  run: async ({ serialNumber }, { configuration, timelines }) => {
    const request = await timelines.findRequest(serialNumber);
    if (request) return viewOfRequest(request, await configuration.read());
    throw new InvalidInput(`the journal has no request ${serialNumber.toLowerCase()}`);
  },
  show: requestText,
});
