// An example of each method of the client, as it stands in the method's comment. test/scenarios/client.test.ts runs
// every one. Besides `client` they know what a shop has at hand: `card` (the four fields of a card), `paid` and
// `hold` (`client_orderid` and `orderid` of an approved sale and preauthorization), `checked` (of a checked payout),
// `stored` (a card reference), `subscription` (a recurring payment) and `step` (what 3-D Secure waits for).

export const clientExamples: Readonly<Record<string, string>> = {
  uploadCresResult: `
const { order, cRes } = step;
await client.uploadCresResult({ 'client-order-id': order.client_orderid, orderid: order.orderid, cRes });`,
  uploadMethodUrlResult: `
const { order, threeDSServerTransID } = step;
await client.uploadMethodUrlResult({
  'client-order-id': order.client_orderid,
  orderid: order.orderid,
  threeDSServerTransID,
  threeDSCompInd: 'Y',
});`,
  uploadParesResult: `
const { order, paRes, md } = step;
await client.uploadParesResult({ 'client-order-id': order.client_orderid, orderid: order.orderid, paRes, md });`,
  accountVerificationForm: `
const form = await client.accountVerificationForm({ client_orderid: 'avf-1', email: 'ann@example.com' });
return form['redirect-url']; // send the payer there`,
  accountVerification: `
await client.accountVerification({ client_orderid: 'av-1', email: 'ann@example.com', ...card });
return await client.waitForEnd({ client_orderid: 'av-1' });`,
  capture: `
await client.capture({ ...hold, amount: '5.00', currency: 'USD' });
return await client.waitForEnd(hold);`,
  createCardRef: `
const { 'card-ref-id': cardrefid } = await client.createCardRef(paid);
return cardrefid; // for client.makeRebill`,
  getCardInfo: `
const info = await client.getCardInfo({ cardrefid: stored });
return \`\${info['card-type']} ending in \${info['last-four-digits']}\`;`,
  makeRebill: `
await client.makeRebill({
  client_orderid: 'rebill-1',
  cardrefid: stored,
  amount: '10.42',
  currency: 'USD',
  ipaddress: '203.0.113.7',
});
return await client.waitForEnd({ client_orderid: 'rebill-1' });`,
  paymentForm: `
const form = await client.paymentForm({
  client_orderid: 'pf-1',
  order_desc: 'Socks',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
});
return form['redirect-url']; // send the payer there`,
  payoutForm: `
const form = await client.payoutForm({
  client_orderid: 'of-1',
  order_desc: 'A prize',
  amount: '10.42',
  currency: 'USD',
});
return form['redirect-url']; // send the payee there`,
  payout: `
await client.payout({
  client_orderid: 'payout-1',
  amount: '10.42',
  currency: 'USD',
  credit_card_number: '4111111111111111',
});
return await client.waitForEnd({ client_orderid: 'payout-1' });`,
  preauthForm: `
const form = await client.preauthForm({
  client_orderid: 'hf-1',
  order_desc: 'A room',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
});
return form['redirect-url']; // send the payer there`,
  preauth: `
await client.preauth({
  client_orderid: 'hold-1',
  order_desc: 'A room',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  ...card,
});
return await client.waitForEnd({ client_orderid: 'hold-1' }); // then client.capture`,
  return: `
await client.return({ ...paid, amount: '1.00', currency: 'USD', comment: 'One sock was missing' });
return await client.waitForEnd(paid);`,
  saleForm: `
const form = await client.saleForm({
  client_orderid: 'form-1',
  order_desc: 'Two tickets',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  redirect_url: 'https://shop.example/thanks', server_callback_url: 'http://localhost:3000/paid',
});
return form['redirect-url']; // send the payer there`,
  sale: `
await client.sale({
  client_orderid: 'sale-1',
  order_desc: 'Two tickets',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  ...card,
});
const end = await client.waitForEnd({ client_orderid: 'sale-1' });
if (end.status === 'approved') return end['approval-code'];`,
  status: `
const { status, 'error-message': why } = await client.status({ client_orderid: paid.client_orderid });
return why ?? status;`,
  void: `
await client.void(paid);
return await client.waitForEnd(paid);`,
  createCardRefV4: `
const { 'recurring-payment-id': id } = await client.createCardRefV4(paid);
return id; // for payouts and transfers`,
  createRecurringPayment: `
const { 'recurring-payment-id': id } = await client.createRecurringPayment({
  client_orderid: 'magazine-1',
  order_desc: 'A magazine',
  rp_card_type: 'SRC',
  amount: '9.00',
  currency: 'USD',
  interval: 1, interval_unit: 'month', ...card,
});
return id;`,
  payoutCheck: `
const { 'paynet-order-id': orderid } = await client.payoutCheck({
  client_orderid: 'check-1', amount: '10.42', currency: 'USD', credit_card_number: '4111111111111111',
});
return orderid; // then client.payoutPay`,
  payoutPay: `
await client.payoutPay(checked);
return await client.waitForEnd(checked);`,
  payoutV4: `
await client.payoutV4({
  client_orderid: 'iban-1',
  amount: '10.42',
  currency: 'USD',
  account_number: 'DE89 3704 0044 0532 0130 00',
  account_name: 'Ann Example',
});
return await client.waitForEnd({ client_orderid: 'iban-1' });`,
  processRecurringPayment: `
await client.processRecurringPayment({ client_orderid: 'extra-1', 'recurring-payment-id': subscription });
return await client.waitForEnd({ client_orderid: 'extra-1' });`,
  panEligibilitySend: `
await client.panEligibilitySend({ 'client-order-id': 'may-send-1', 'sending-card-ref-id': stored });
const end = await client.waitForEnd({ client_orderid: 'may-send-1' });
return end['sending-eligible'];`,
  panEligibilityReceive: `
await client.panEligibilityReceive({
  'client-order-id': 'may-take-1',
  'receiving-card-number': '5555555555554444',
});
const end = await client.waitForEnd({ client_orderid: 'may-take-1' });
return end['receiving-eligible'];`,
  panEligibilityBoth: `
await client.panEligibilityBoth({
  'client-order-id': 'may-both-1',
  'sending-card-ref-id': stored,
  'receiving-card-number': '5555555555554444',
});
return await client.waitForEnd({ client_orderid: 'may-both-1' });`,
  transfer: `
await client.transfer({
  client_orderid: 'gift-1',
  amount: '10.42',
  currency: 'USD',
  ...card,
  'destination-card-no': '5555555555554444',
});
return await client.waitForEnd({ client_orderid: 'gift-1' });`,
  transferByRef: `
await client.transferByRef({
  client_orderid: 'gift-2',
  amount: '10.42',
  currency: 'USD',
  'source-card-ref-id': stored,
  'destination-card-no': '5555555555554444',
});
return await client.waitForEnd({ client_orderid: 'gift-2' });`,
  makeRebillSale: `
await client.makeRebillSale({
  client_orderid: 'rebill-2',
  cardrefid: stored,
  amount: '10.42',
  currency: 'USD',
  ipaddress: '203.0.113.7',
});
return await client.waitForEnd({ client_orderid: 'rebill-2' });`,
  makeRebillPreauth: `
await client.makeRebillPreauth({
  client_orderid: 'rebill-3',
  cardrefid: stored,
  amount: '10.42',
  currency: 'USD',
  ipaddress: '203.0.113.7',
});
return await client.waitForEnd({ client_orderid: 'rebill-3' }); // then client.capture`,
  syncAccountVerification: `
const end = await client.syncAccountVerification({
  client_orderid: 'sync-1',
  email: 'ann@example.com',
  ...card,
});
return end.status;`,
  transferByRefV2: `
await client.transferByRefV2({
  client_orderid: 'gift-3',
  amount: '10.42',
  currency: 'USD',
  'source-card-ref-id': stored,
  'destination-card-ref-id': stored,
});
return await client.waitForEnd({ client_orderid: 'gift-3' });`,
  saleV4: `
await client.saleV4({
  client_orderid: 'sale-2',
  order_desc: 'Two tickets',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  ...card,
});
return await client.waitForEnd({ client_orderid: 'sale-2' });`,
  statusV4: `
const { status } = await client.statusV4({ client_orderid: paid.client_orderid });
return status;`,
};
