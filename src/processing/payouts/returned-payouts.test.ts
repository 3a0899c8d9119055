import { describe, expect, it } from 'vitest';
import type { InquiryAnswer } from '../../domain/acquirer/acquirer-answer.ts';
import type { Order } from '../../domain/order/order.ts';
import type { Door } from '../orders/door.ts';
import { ReturnedPayouts } from './returned-payouts.ts';

const APPROVED: InquiryAnswer = { word: 'approved', approvalCode: '', rrn: '', processorTxId: '' };
const DECLINED: InquiryAnswer = { word: 'declined', code: '914' };
const RETURNED: InquiryAnswer = { ...DECLINED, returned: true };

type Paid = { type?: string; legs?: number; stage?: string };

async function heard(answer: InquiryAnswer, { type = 'payout', legs = 1, stage = 'approved' }: Paid = {}) {
  const order = { transactions: [{ seq: 1, type, legs, stage }] } as unknown as Order;
  const told: string[] = [];
  const returns = new ReturnedPayouts({
    clock: { now: () => 0, sleep: async () => {} },
    door: {
      change: async (...[, { type: said }]: Parameters<Door['change']>) => {
        told.push(said);
        return { order, moved: true };
      },
    } as Pick<Door, 'change'>,
    work: { askAbout: async () => answer },
    figures: { countAgain: async () => void told.push('counted again') },
  });
  const said = await returns.hear(order, 1);
  return [typeof said === 'object' ? said.notTaken : said, told.length];
}

const OF_TRANSFER = expect.stringMatching('transfer');
const CONTRADICTED = expect.stringMatching('does not say that it was returned');

describe('that a bank returned a payout', () => {
  it.each<[string, InquiryAnswer, Paid, unknown[]]>([
    ['the bank says so', RETURNED, {}, ['booked', 2]],
    ['the bank declines what it had approved', DECLINED, {}, [CONTRADICTED, 0]],
    ['the bank stands by it', APPROVED, {}, ['nothing-to-ask', 0]],
    ['the bank does not know', { word: 'unknown', reason: '' }, {}, ['unanswered', 0]],
    ['the bank never had it', { word: 'not-found' }, {}, ['unanswered', 0]],
    ['the payout is under way', RETURNED, { stage: 'asking' }, ['unanswered', 0]],
    ['the payout was declined', RETURNED, { stage: 'declined' }, ['nothing-to-ask', 0]],
    ['it is a transfer out of the balance', RETURNED, { type: 'transfer' }, ['booked', 2]],
    ['it is a transfer from a card', RETURNED, { type: 'transfer', legs: 2 }, [OF_TRANSFER, 0]],
    ['it is a sale', RETURNED, { type: 'sale' }, ['no-payout', 0]],
  ])('when %s', async (_, answer, paid, expected) => {
    expect(await heard(answer, paid)).toEqual(expected);
  });
});
