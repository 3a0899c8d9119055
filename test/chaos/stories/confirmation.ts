// The merchant's word on a payout that waits for it, repeated until the balance covers it: a payout that nobody
// confirms would still wait at the end of the run.

import { pause, type Reply, type ReplyBody } from '../../harness.ts';
import { INSUFFICIENT_BALANCE, type Requests } from '../requests.ts';
import { keyed } from '../ways.ts';
import { STORED_CARD } from './story.ts';

const TRIES = 60;
const AGAIN_AFTER_MS = 1_000;
/** Many payouts' worth. */
const COVER = '500.00';

/**
 * From so many hands at once, each possibly at another node: all that are answered are answered with the same order.
 */
export async function confirm(requests: Requests, order: ReplyBody, hands = 1): Promise<void> {
  const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid, at } = order;
  const pay = () =>
    requests.answer((client) => client.oauth('/api/v4/payout-pay', { client_orderid, orderid }, { ...at }));
  for (let tries = 1; tries <= TRIES; tries++) {
    const replies = await Promise.all(Array.from({ length: hands }, pay));
    const heard = replies.filter(({ body }) => body['error-code'] !== INSUFFICIENT_BALANCE);
    for (const reply of heard) await take(requests, order, reply);
    if (heard.length > 0) return;
    await cover(requests);
    await pause(AGAIN_AFTER_MS);
  }
  requests.complain('PAYOUT_V4_PAY', { status: 0, text: `${client_orderid} was never covered` });
}

async function take(requests: Requests, order: ReplyBody, reply: Reply): Promise<void> {
  if (reply.status !== 200 || reply.body['paynet-order-id'] !== order['paynet-order-id'])
    return requests.complain('PAYOUT_V4_PAY', reply);
  requests.count('PAYOUT_V4_PAY');
  await requests.promised('PAYOUT_V4_PAY', order);
}

async function cover(requests: Requests): Promise<void> {
  const fields = { amount: COVER, credit_card_number: STORED_CARD, cvv2: '123' };
  const sell = keyed((client) => client.sale);
  const sale = await requests.order('SALE', fields, sell);
  if (sale) await requests.isApproved(sale);
}
