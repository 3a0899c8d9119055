// A gateway's whole life in a few seconds, for those who look at its books afterwards.

import { DEMO_TERMINAL } from '../../src/domain/acquirer/terminal.ts';
import type { Difference, JournalComparison, SettlementComparison } from '../../src/domain/money/reconciliation.ts';
import { instructionStore } from '../../src/storage/orders/instructions.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { CARD, type Fields, newOrderId, type ReplyBody, type TestGateway } from '../harness.ts';
import { BROWSER, begun, finalOf, sale as threeDSecureSale } from './authenticating.ts';
import { rebill, recurringPayment, storeCard } from './stored-cards.ts';

/** So few that a comparison takes several pages. */
const A_FEW = 7;

/** Every kind of order, and every kind of end. Answers a preauthorization with one capture of 40.00 USD. */
export async function liveThroughEverything(gateway: TestGateway): Promise<ReplyBody> {
  const { demo, bank } = gateway;
  const usd = (amount: string) => ({ amount, currency: 'USD' });
  const oauth = async (path: string, fields: Record<string, string>) => {
    const { status, text } = await demo.oauth(path, { client_orderid: newOrderId(), ...fields });
    if (status !== 200) throw new Error(`${path} answered ${status} ${text}`);
  };
  for (const cvv2 of ['123', '116', '217', '209']) await demo.sale({ cvv2, amount: '50000' });
  await gateway.untilAllFinal();
  const sale = await demo.saleUntilFinal({ amount: '100.00' });
  await demo.followUpUntilFinal('return', sale, usd('30.00'));
  await demo.followUpUntilFinal('void', await demo.saleUntilFinal());
  const reference = await storeCard(demo);
  await rebill(demo, reference, { amount: '11.16', enumerate_amounts: '5.00,2.50' });
  await recurringPayment(demo, { amount: '3.00' });
  await oauth('/api/v4/payout', { ...usd('10.00'), credit_card_number: CARD });
  await returnedPayout(gateway, { ...usd('6.00'), credit_card_number: CARD });
  await oauth('/api/v4/payout', { ...usd('11.16'), credit_card_number: CARD });
  await oauth('/api/v4/payout-check', { ...usd('4.00'), credit_card_number: CARD });
  const payer = { credit_card_number: CARD, expire_month: '12', expire_year: '2031', cvv2: '123' };
  for (const receiver of ['5555555555554444', '5105105105105100']) {
    const names = { card_printed_name: 'ANN EXAMPLE', 'destination-card-no': receiver };
    await oauth('/api/v4/transfer', { ...usd('10.00'), ...payer, ...names });
  }
  for (const card of [TEST_CARDS.frictionless, TEST_CARDS.failed, TEST_CARDS.notEnrolled]) {
    await finalOf(gateway, await begun(gateway, threeDSecureSale(card, BROWSER)));
  }
  const preauth = await demo.preauthUntilFinal();
  await demo.followUpUntilFinal('return', preauth, usd('25.00'));
  bank.faults.set({ seed: 3, refuseRate: 0.2, loseRequestRate: 0.2, loseAnswerRate: 0.3 });
  await Promise.all(Array.from({ length: 8 }, () => demo.sale()));
  await gateway.untilAllFinal();
  bank.faults.set({});
  const captured = await demo.preauthUntilFinal();
  await demo.followUpUntilFinal('capture', captured, usd('40.00'));
  await gateway.untilAllFinal();
  return captured;
}

/** A payout of the demo merchant that the bank approves, returns, and tells of at its door. */
export async function returnedPayout(gateway: TestGateway, fields: Fields): Promise<ReplyBody> {
  const client_orderid = newOrderId();
  await gateway.demo.oauth('/api/v4/payout', { ...fields, client_orderid });
  const paid = await gateway.demo.untilFinal(client_orderid);
  const reference = await gateway.bankReference(paid['paynet-order-id']);
  await gateway.bank.reverse(reference);
  const { status } = await toldReturned(gateway, reference);
  if (status !== 200) throw new Error(`the notice was answered with ${status}`);
  return paid;
}

export function toldReturned({ origin }: TestGateway, reference: string): Promise<Response> {
  const body = JSON.stringify({ returned: reference });
  return fetch(`${origin}/paynet/bank/${DEMO_TERMINAL}`, { method: 'POST', body });
}

/** What this comparison finds between the gateway's instructions at a terminal and the bank's lines it was made of. */
export async function differencesAt(
  { database }: TestGateway,
  comparison: JournalComparison | SettlementComparison,
  terminal = DEMO_TERMINAL,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (let after = { merchantId: 0, orderId: 0 }; ; ) {
    const { instructions, last } = await instructionStore(database).page(after, A_FEW, terminal);
    for (const one of instructions) found.push(...comparison.compare(one));
    if (!last) return [...found, ...comparison.rest()];
    after = last;
  }
}
