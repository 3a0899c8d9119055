// Tries a Stripe account without money: whether it answers, whose key it is, and, with a test key, whether the account
// may be given card numbers at all.

import type { TestLine } from '../acquirer.ts';
import { isForbidden, refusalOf, unclear } from './judgement.ts';
import type { Talk } from './stripe-line.ts';

/** Stripe's own number for tests: no live account takes it. */
const TEST_CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };

/** `noticeUrl`: where Stripe sends notices; undefined when they cannot be checked. */
export async function tryStripe(talk: Talk, noticeUrl: string | undefined): Promise<TestLine[]> {
  const balance = await talk({ method: 'GET', path: '/v1/balance' });
  if (!balance.heard) return [{ what: 'Stripe answers', works: false, detail: balance.reason }];
  const answers = { what: 'Stripe answers', works: true };
  const refusal = refusalOf(balance);
  const key = 'the secret key is accepted';
  if (refusal) {
    const detail = isForbidden(refusal) ? wrongKey(refusal.status) : unclear(balance).reason;
    return [answers, { what: key, works: false, detail }];
  }
  const isLive = balance.body.livemode === true;
  const mode = isLive ? 'live mode: payments move money' : 'test mode: no money moves';
  return [
    answers,
    { what: key, works: true, detail: mode },
    ...(isLive ? [] : [await tryCardNumbers(talk)]),
    { what: 'notices', works: true, detail: noticeUrl === undefined ? NO_SECRET : `are taken at ${noticeUrl}` },
  ];
}

const NO_SECRET = 'are not taken, as no webhookSecret is set: Stripe is asked on a schedule instead';

function wrongKey(status: number): string {
  return status === 401 ? 'the key is wrong or was revoked' : 'the key lacks the right to read the balance';
}

async function tryCardNumbers(talk: Talk): Promise<TestLine> {
  const what = 'the account takes card numbers';
  const heard = await talk({ method: 'POST', path: '/v1/payment_methods', fields: { type: 'card', card: TEST_CARD } });
  if (heard.heard && !refusalOf(heard)) return { what, works: true };
  const why = 'Stripe must open raw card data for the account';
  return { what, works: false, detail: `${why} (${unclear(heard).reason})` };
}
