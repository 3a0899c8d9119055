// Plain orders: sold, held, captured, given back, undone, and asked about.

import { CARD, newOrderId, type ReplyBody, saleFields, sha1 } from '../../harness.ts';
import { isSurelySigned } from '../acknowledgements.ts';
import type { Requests } from '../requests.ts';
import { idempotent, keyed, oauthTo } from '../ways.ts';
import { anyCode, STORED_CARD, type Story, type StoryParts } from './story.ts';

export function orderStories({ requests }: StoryParts): readonly Story[] {
  return [
    { weight: 10, operations: ['SALE'], tell: () => sold(requests) },
    { weight: 9, operations: ['SALE', 'RETURN'], tell: () => returned(requests) },
    { weight: 6, operations: ['SALE', 'VOID'], tell: () => voided(requests) },
    { weight: 12, operations: ['PREAUTH', 'CAPTURE', 'VOID'], tell: () => held(requests) },
    { weight: 4, operations: ['SALE_V4'], tell: () => soldV4(requests) },
    { weight: 5, operations: ['ACCOUNT_VERIFICATION'], tell: () => verification(requests, 'ACCOUNT_VERIFICATION') },
    {
      weight: 3,
      operations: ['SYNC_ACCOUNT_VERIFICATION'],
      tell: () => verification(requests, 'SYNC_ACCOUNT_VERIFICATION'),
    },
    { weight: 3, operations: ['PAN_ELIGIBILITY_SEND'], tell: () => eligibility(requests, 'send') },
    { weight: 3, operations: ['PAN_ELIGIBILITY_RECEIVE'], tell: () => eligibility(requests, 'receive') },
    { weight: 3, operations: ['PAN_ELIGIBILITY_BOTH'], tell: () => eligibility(requests, 'both') },
    { weight: 8, operations: ['STATUS'], tell: () => status(requests, 'STATUS') },
    { weight: 3, operations: ['STATUS_V4'], tell: () => status(requests, 'STATUS_V4') },
  ];
}

async function sold(requests: Requests): Promise<ReplyBody | undefined> {
  const fields = { cvv2: anyCode(requests) };
  const sell = keyed((client) => client.sale);
  return requests.order('SALE', fields, sell, { at: requests.anyWay() });
}

async function soldV4(requests: Requests): Promise<void> {
  const { amount: _, ...card } = saleFields;
  const fields = { ...card, client_orderid: newOrderId(), cvv2: anyCode(requests) };
  await requests.order('SALE_V4', fields, oauthTo('/api/v4/sale'), { at: requests.anyWay() });
}

async function returned(requests: Requests): Promise<void> {
  const order = await sold(requests);
  if (!order || !(await requests.isApproved(order))) return;
  await requests.followUp('return', order, { amount: '1.00', currency: 'USD' });
  if (requests.chance(0.5)) await requests.followUp('return', order, { amount: '0.50', currency: 'USD' });
}

async function voided(requests: Requests): Promise<void> {
  const order = await sold(requests);
  if (order && (await requests.isApproved(order))) await requests.followUp('void', order);
}

async function held(requests: Requests): Promise<void> {
  const fields = { cvv2: anyCode(requests) };
  const hold = keyed((client) => client.preauth);
  const order = await requests.order('PREAUTH', fields, hold, { at: requests.anyWay() });
  if (!order || !(await requests.isApproved(order))) return;
  const captured = await requests.followUp('capture', order, { amount: '0.70', currency: 'USD' });
  if (!captured) return;
  if (requests.chance(0.3)) await requests.followUp('void', order);
  else if (requests.chance(0.4)) await requests.followUp('capture', order, { amount: '0.20', currency: 'USD' });
}

const VERIFICATIONS = {
  ACCOUNT_VERIFICATION: 'account-verification',
  SYNC_ACCOUNT_VERIFICATION: 'sync/account-verification',
} as const;

async function verification(requests: Requests, name: keyof typeof VERIFICATIONS): Promise<void> {
  const { client_orderid: _, amount: __, currency: ___, ...card } = saleFields;
  await requests.order(name, { ...card, amount: undefined }, (client, { fields, key, at }) => {
    const control = sha1(`${at.endpoint}${fields.client_orderid}${fields.email}${client.key}`);
    return client.post(`/api/v2/${VERIFICATIONS[name]}/${at.endpoint}`, { ...fields, control }, idempotent(key, at));
  });
}

async function eligibility(requests: Requests, kind: 'send' | 'receive' | 'both'): Promise<void> {
  const { card_printed_name, expire_month, expire_year } = saleFields;
  const from = { 'sending-card-number': CARD, 'card-printed-name': card_printed_name, expire_month, expire_year };
  const to = { 'receiving-card-number': STORED_CARD };
  const asked = { amount: undefined, ...(kind !== 'receive' && from), ...(kind !== 'send' && to) };
  const send = oauthTo(`/api/v2/pan-eligibility/${kind}`);
  const operation = `PAN_ELIGIBILITY_${kind.toUpperCase() as Uppercase<typeof kind>}` as const;
  await requests.order(operation, asked, (client, sent) => {
    const { client_orderid, ...fields } = sent.fields;
    return send(client, { ...sent, fields: { 'client-order-id': client_orderid, ...fields } });
  });
}

/** Of anything that was promised lately: by a name that finds it, and a follow-up by the request that made it. */
async function status(requests: Requests, name: 'STATUS' | 'STATUS_V4'): Promise<void> {
  const promised = requests.anyPromise();
  if (!promised) return;
  const { clientOrderId: client_orderid, orderId, serial, endpoint } = promised;
  const orderid = isSurelySigned(promised) && requests.chance(0.5) ? undefined : orderId;
  const at = endpoint === undefined ? requests.anyWay() : { endpoint };
  const asked = { client_orderid, orderid, 'by-request-sn': serial };
  const reply = await requests.accepted(name, (client) =>
    name === 'STATUS' ? client.status(asked, at) : client.oauth('/api/v4/status', asked, at),
  );
  if (reply && reply['paynet-order-id'] !== orderId)
    requests.complain(name, { status: 200, text: `${client_orderid} is ${reply['paynet-order-id']}` });
}
