// Money that leaves: payouts at once or after a check, and transfers between cards or out of the balance.

import { CARD, type Fields, saleFields, sha1 } from '../../harness.ts';
import type { Requests } from '../requests.ts';
import { idempotent, oauthTo } from '../ways.ts';
import { confirm } from './confirmation.ts';
import type { StoredCards } from './stored-cards.ts';
import { anyCode, STORED_CARD, type Story, type StoryParts } from './story.ts';

/** By their amounts: approved, declined, or such that the bank takes its time. */
const AMOUNTS = ['1.00', '1.00', '1.00', '1.00', '1.16', '2.17'];
/** How many confirm a check at the same time. */
const HANDS = [1, 2, 2, 3];

export function movingMoneyStories({ requests, cards }: StoryParts): readonly Story[] {
  return [
    { weight: 5, operations: ['PAYOUT'], tell: () => payout(requests, cards, 'PAYOUT') },
    { weight: 5, operations: ['PAYOUT_V4'], tell: () => payout(requests, cards, 'PAYOUT_V4') },
    { weight: 8, operations: ['PAYOUT_V4_CHECK', 'PAYOUT_V4_PAY'], tell: () => checkedPayout(requests, cards) },
    { weight: 6, operations: ['TRANSFER'], tell: () => transfer(requests) },
    { weight: 6, operations: ['TRANSFER_BY_REF'], tell: () => transferByReference(requests, cards) },
    { weight: 3, operations: ['TRANSFER_BY_REF_V2'], tell: () => transferBetweenReferences(requests, cards) },
  ];
}

const PATHS = {
  PAYOUT: '/api/v2/payout',
  PAYOUT_V4: '/api/v4/payout',
  PAYOUT_V4_CHECK: '/api/v4/payout-check',
} as const;

async function payout(requests: Requests, cards: StoredCards, operation: keyof typeof PATHS) {
  const fields = { ...(await payee(requests, cards)), amount: requests.oneOf(AMOUNTS), currency: 'USD' };
  return requests.order(operation, fields, oauthTo(PATHS[operation]), { at: requests.anyWay() });
}

async function payee(requests: Requests, cards: StoredCards): Promise<Fields> {
  const card = { credit_card_number: CARD };
  const account = { account_number: 'DE89370400440532013000', account_name: 'Ann Example' };
  const reference = requests.chance(0.3) ? await cards.reference() : undefined;
  if (reference !== undefined) return { card_recurring_payment_id: reference };
  return requests.chance(0.5) ? card : account;
}

/** Whoever checks also confirms, so that every check is paid: once, however many hands confirm it. */
async function checkedPayout(requests: Requests, cards: StoredCards): Promise<void> {
  const order = await payout(requests, cards, 'PAYOUT_V4_CHECK');
  if (order) await confirm(requests, order, requests.oneOf(HANDS));
}

async function transfer(requests: Requests): Promise<void> {
  const { credit_card_number, card_printed_name, expire_month, expire_year } = saleFields;
  const card = { credit_card_number, card_printed_name, expire_month, expire_year, cvv2: anyCode(requests) };
  const from = requests.chance(0.7) ? card : { deposit2card: 'true', amount: '1.00' };
  const fields = { ...from, 'destination-card-no': STORED_CARD, currency: 'USD' };
  await requests.order('TRANSFER', fields, oauthTo('/api/v4/transfer'), { at: requests.anyWay() });
}

async function transferByReference(requests: Requests, cards: StoredCards): Promise<void> {
  const reference = await cards.reference();
  const fromCard = { 'source-card-ref-id': reference, 'destination-card-no': CARD };
  const fromBalance = { 'destination-card-ref-id': reference, amount: '1.00' };
  if (reference === undefined) return;
  const fields = { ...(requests.chance(0.5) ? fromCard : fromBalance), currency: 'USD' };
  await requests.order('TRANSFER_BY_REF', fields, oauthTo('/api/v4/transfer-by-ref'), { at: requests.anyWay() });
}

async function transferBetweenReferences(requests: Requests, cards: StoredCards): Promise<void> {
  const from = await cards.reference();
  const to = await cards.reference();
  if (from === undefined || to === undefined) return;
  const stored = { 'source-card-ref-id': from, 'destination-card-ref-id': to, amount: '1.00', currency: 'USD' };
  await requests.order('TRANSFER_BY_REF_V2', stored, (client, { fields, key, at }) => {
    const control = sha1(`${client.login}${fields.client_orderid}${from}${to}100USD${client.key}`);
    const sent = { login: client.login, ...fields, control };
    return client.post(`/api/v2/transfer-by-ref/${at.endpoint}`, sent, idempotent(key, at));
  });
}
