// Two gateways on one database: whichever of them the payer, the merchant and the networks reach, each step is taken
// once.

import { expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { type Client, describeGateway } from '../harness.ts';
import { asking, BROWSER, begun, finalOf, REQUIRED, sale, untilStep } from './authenticating.ts';
import { answerIssuer, formOf, Payer, SCREEN } from './payer.ts';

describeGateway('3-D Secure on two nodes', {}, (gateway) => {
  if (gateway.kind !== 'postgres') {
    it('is for a database that two can share', () => expect(gateway.kind).toBe('pglite'));
    return;
  }
  const { demo } = gateway;
  let other: Client | undefined;
  const second = async () => {
    other ??= await gateway.second();
    return other;
  };
  const questionsOf = (id: string) =>
    gateway.networks.transcript().filter(({ name, message }) => name === 'AReq' && message.threeDSServerTransID === id);

  it('a payer who is sent to one finishes at the other', async () => {
    const elsewhere = await second();
    const accepted = await elsewhere.sale(sale(TEST_CARDS.challengeMethod), { endpoint: REQUIRED });
    const status = await untilStep(gateway, accepted.body, 'method-url');
    const payer = new Payer();
    const page = await payer.openWhenReady(status['redirect-to']);
    const handOver = await payer.send(formOf(page, 1), SCREEN);
    const question = await payer.send(formOf(handOver));
    await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
    const asked = { client_orderid: status['merchant-order-id'] };
    await expect.poll(async () => (await elsewhere.status(asked, { endpoint: REQUIRED })).body.status).toBe('approved');
  });

  it('the same upload at both asks the issuer once', async () => {
    const elsewhere = await second();
    const status = await asking(gateway, TEST_CARDS.challengeMethod, {});
    const id = status['tds-method-url-frame-3ds-server-trans-id'];
    const fields = {
      ...{
        threeDSServerTransID: id,
        browserAcceptHeader: 'text/html',
        browserUserAgent: 'Test',
        browserLanguage: 'en',
      },
    };
    const replies = await Promise.all(
      [demo, elsewhere, demo, elsewhere].map((client) => client.upload('method-url', status, fields)),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    await untilStep(gateway, status, 'challenge');
    expect(questionsOf(id)).toHaveLength(1);
  });

  it('the same result at both is taken once, and paid once', async () => {
    const elsewhere = await second();
    gateway.networks.faults.set({ results: 'never' });
    const status = await asking(gateway, TEST_CARDS.challenge, BROWSER);
    const payer = new Payer();
    const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
    await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
    gateway.networks.faults.set({});
    const ares = gateway.networks.transcript().findLast(({ name }) => name === 'ARes')?.message;
    const result = {
      ...{ messageType: 'RReq', messageVersion: '2.2.0', messageCategory: '01', transStatus: 'Y', eci: '05' },
      ...{ threeDSServerTransID: ares?.threeDSServerTransID, acsTransID: ares?.acsTransID, dsTransID: ares?.dsTransID },
      ...{ authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', authenticationType: '01', interactionCounter: '01' },
    };
    const addresses = [`${gateway.origin}/paynet`, elsewhere.baseUrl];
    const answers = await Promise.all(
      [...addresses, ...addresses].map(async (base) => {
        const reply = await fetch(`${base}/3ds/results`, { method: 'POST', body: JSON.stringify(result) });
        return reply.json();
      }),
    );
    for (const answer of answers) expect(answer).toMatchObject({ messageType: 'RRes', resultsStatus: '01' });
    expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved', eci: '05' });
    expect(await gateway.bookedFor(status['paynet-order-id'])).toHaveLength(1);
  });

  it('what one node accepted and did not begin, another begins', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    await finalOf(gateway, order);
    // As if the node had died between the order and its authentication.
    const id = order['paynet-order-id'];
    await gateway.query(`delete from authentications where order_id = ${id}`);
    await gateway.query(`update transactions set stage = 'authenticating', changed_at = now() - interval '20 seconds',
      due_at = now() + interval '14 minutes', approval_code = null, rrn = null, processor_tx_id = null where order_id = ${id}`);
    await expect.poll(() => gateway.query(`select step from authentications where order_id = ${id}`)).not.toEqual([]);
  });
});
