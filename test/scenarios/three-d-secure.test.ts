// The simple flow of 3-D Secure: the merchant polls STATUS, sends the payer where it says, and waits for the end.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { describeGateway, type Fields, newOrderId, saleFields, sha1, until } from '../harness.ts';
import {
  addOptional,
  asking,
  BROWSER,
  begun,
  finalOf,
  OPTIONAL,
  outcomeOf,
  REQUIRED,
  sale,
  statusOf,
  stepOf,
  untilPayersTurn,
} from './authenticating.ts';
import { openForm } from './form-payer.ts';
import { answerIssuer, formOf, Payer, passChallenge, SCREEN } from './payer.ts';

const QUARTER_HOUR_MS = 15 * 60 * 1000;

describeGateway('3-D Secure', {}, (gateway) => {
  const { demo } = gateway;
  const final = (order: Fields, endpoint?: number) => finalOf(gateway, order, endpoint);

  beforeAll(() => addOptional(gateway));
  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  describe('without a question to the payer', () => {
    const authenticated = { status: 'approved', 'verified-3d-status': 'AUTHENTICATED', 'order-stage': 'sale_approved' };
    const refused = (code: string) => ({ status: 'declined', 'error-code': code, 'order-stage': 'sale_declined' });
    const passed = { status: 'approved', 'verified-3d-status': 'UNKNOWN' };

    it.each([
      ['frictionless', REQUIRED, { ...authenticated, eci: '05' }],
      ['frictionless21', REQUIRED, { ...authenticated, eci: '05' }],
      ['mastercardFrictionless', REQUIRED, { ...authenticated, eci: '02' }],
      ['attempt', REQUIRED, { ...authenticated, eci: '06' }],
      ['failed', REQUIRED, { ...refused('190'), 'verified-3d-status': 'NOT_AUTHENTICATED', eci: '07' }],
      ['rejected', REQUIRED, { ...refused('190'), 'verified-3d-status': 'NOT_AUTHENTICATED' }],
      ['unavailable', REQUIRED, refused('191')],
      ['informational', REQUIRED, refused('191')],
      ['notEnrolled', REQUIRED, { ...refused('191'), 'verified-3d-status': 'UNSUPPORTED' }],
      ['enrolmentUnknown', REQUIRED, refused('191')],
      ['frictionless', OPTIONAL, { ...authenticated, eci: '05' }],
      ['attempt', OPTIONAL, { ...authenticated, eci: '06' }],
      ['failed', OPTIONAL, refused('190')],
      ['rejected', OPTIONAL, refused('190')],
      ['unavailable', OPTIONAL, { ...passed, eci: '07' }],
      ['informational', OPTIONAL, { ...passed, eci: '07' }],
      ['notEnrolled', OPTIONAL, { status: 'approved', 'verified-3d-status': 'UNSUPPORTED', eci: '07' }],
    ] as const)('%s at gate %s', async (card, endpoint, expected) => {
      const order = await begun(gateway, sale(TEST_CARDS[card], BROWSER), endpoint);
      const status = await final(order, endpoint);
      expect(status).toMatchObject(expected);
      if (status.status === 'declined') expect(status['error-message']).toContain('3-D Secure');
      // The bank was told, or was never asked.
      const entries = await gateway.bookedFor(order['paynet-order-id']);
      expect(entries.map(({ eci }) => eci)).toEqual(status.status === 'approved' ? [status.eci] : []);
    });

    it('lets pass or refuses whom the issuer does not know, as the endpoint is set', async () => {
      await gateway.changeEndpoint(OPTIONAL, { unauthenticated: 'refuse' });
      await gateway.changeEndpoint(REQUIRED, { unauthenticated: 'pass' });
      const fields = sale(TEST_CARDS.unavailable, BROWSER);
      const [refused, passes] = [await begun(gateway, fields, OPTIONAL), await begun(gateway, fields)];
      expect(await final(refused, OPTIONAL)).toMatchObject({ status: 'declined', 'error-code': '191' });
      expect(await final(passes)).toMatchObject({ status: 'approved', 'verified-3d-status': 'UNKNOWN', eci: '07' });
      await gateway.changeEndpoint(OPTIONAL, { unauthenticated: 'by-gate' });
      await gateway.changeEndpoint(REQUIRED, { unauthenticated: 'by-gate' });
    });

    it('counts a payer who was not authenticated as no attempt on the card', async () => {
      const order = await begun(gateway, sale(TEST_CARDS.failed, BROWSER));
      await final(order);
      const [row] = await gateway.query(
        `select card_fingerprint from transactions where order_id = ${order['paynet-order-id']}`,
      );
      expect(row).toEqual({ card_fingerprint: null });
    });
  });

  describe('by security code in the sandbox', () => {
    it('111 is approved without', async () => {
      const order = await begun(gateway, sale(TEST_CARDS.failed, { cvv2: '111' }));
      const status = await final(order);
      expect(status).toMatchObject({ status: 'approved', 'verified-3d-status': 'UNKNOWN' });
      expect(status).not.toHaveProperty('eci');
    });

    it('321 is a challenge, and hint passes it', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, { ...BROWSER, cvv2: '321' });
      expect(status['tds-status']).toBe('challenge');
      await passChallenge(new Payer(), status, 'hint');
      expect(await final(status)).toMatchObject({ status: 'approved', eci: '05' });
    });

    it('321 is declined by the bank where nobody asks for 3-D Secure', async () => {
      expect(await demo.saleUntilFinal({ cvv2: '321' })).toMatchObject({ status: 'declined', 'error-code': '100' });
    });
  });

  describe('a challenge', () => {
    it('is passed with the right password, also after a wrong one', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge);
      expect(status).toMatchObject({
        ...{ status: 'processing', 'order-stage': 'sale_3d_validating', 'tds-status': 'challenge' },
        'redirect-to': expect.stringMatching(/^http:\/\/localhost:\d+\/paynet\/3ds\/[\w-]{50,}$/),
        html: expect.stringContaining(`<form method="post" action="`),
      });
      expect(status.html).toContain(status['redirect-to']);
      const end = await passChallenge(new Payer(), status, 'wrong', 'hint');
      expect(end).toMatchObject({ status: 303, url: status['redirect-to'].replace('/3ds/', '/pay/') });
      const done = await final(status);
      expect(done).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED', eci: '05' });
      expect(done).not.toHaveProperty('redirect-to');
      expect(done).not.toHaveProperty('tds-status');
    });

    it.each([
      ['three wrong passwords', ['no', 'nor', 'never'], '190'],
      ['a payer who cancels', ['cancel'], '193'],
    ] as const)('fails with %s', async (_, answers, code) => {
      for (const endpoint of [REQUIRED, OPTIONAL]) {
        const status = await asking(gateway, TEST_CARDS.mastercardChallenge, BROWSER, endpoint);
        await passChallenge(new Payer(), status, ...answers);
        expect(await final(status, endpoint)).toMatchObject({
          ...{ status: 'declined', 'error-code': code, 'verified-3d-status': 'NOT_AUTHENTICATED', eci: '00' },
        });
        expect(await gateway.bookedFor(status['paynet-order-id'])).toEqual([]);
      }
    });

    it('is spoken in 2.1.0 where the issuer knows no other', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge21);
      await passChallenge(new Payer(), status, 'hint');
      expect(await final(status)).toMatchObject({ status: 'approved' });
      expect(await outcomeOf(gateway, status)).toMatchObject({ protocol: '2.1.0', status: 'Y' });
    });

    it('is not passed by a browser that only says so', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge);
      const payer = new Payer();
      const handOver = await payer.openWhenReady(status['redirect-to']);
      const creq = JSON.parse(Buffer.from(formOf(handOver).fields.creq as string, 'base64url').toString());
      const { challengeWindowSize: _, ...ids } = creq;
      const forged = { ...ids, messageType: 'CRes', transStatus: 'Y' };
      const notify = status['redirect-to'].replace('/3ds/', '/3ds/notify/');
      const cres = Buffer.from(JSON.stringify(forged)).toString('base64url');
      const back = await payer.send({ action: notify, fields: { cres }, target: undefined });
      expect(back.text).toContain('One moment');
      expect(await stepOf(gateway, status)).toBe('challenge');
      // Nobody confirms it: not even an optional gate lets such a payer pass.
      gateway.clock.advance(61_000);
      expect(await final(status)).toMatchObject({ status: 'declined', 'error-code': '190' });
    });

    it('that is not completed in a quarter of an hour declines the order, whatever comes later', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge, BROWSER, OPTIONAL);
      const payer = new Payer();
      const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
      // The issuer's own patience is ten minutes from the last it saw of the payer.
      gateway.clock.advance(8 * 60_000);
      await answerIssuer(payer, question, 'wrong');
      gateway.clock.advance(QUARTER_HOUR_MS - 8 * 60_000);
      expect(await final(status, OPTIONAL)).toMatchObject({
        ...{ status: 'declined', 'error-code': '192' },
        'error-message': 'The payer did not complete the authentication (3-D Secure) in time.',
      });
      await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      expect((await statusOf(gateway, status, OPTIONAL)).status).toBe('declined');
      expect(await gateway.bookedFor(status['paynet-order-id'])).toEqual([]);
      const [row] = await gateway.query(
        `select sealed_cvv from transactions where order_id = ${status['paynet-order-id']}`,
      );
      expect(row).toEqual({ sealed_cvv: null });
    });

    it('that the issuer gives up waiting for is declined', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge);
      gateway.clock.advance(10 * 60_000 + 1);
      expect(await final(status)).toMatchObject({ status: 'declined', 'error-code': '190' });
      expect(await outcomeOf(gateway, status)).toMatchObject({ reason: '14', status: 'N' });
    });
  });

  describe('the browser', () => {
    it('is asked for where the merchant told nothing of it, and passes the method page first', async () => {
      const status = await asking(gateway, TEST_CARDS.challengeMethod, {});
      expect(status).toMatchObject({ 'tds-status': 'method-url', 'order-stage': 'sale_3d_validating' });
      const payer = new Payer();
      const page = await payer.openWhenReady(status['redirect-to']);
      const [method, goOn] = page.forms;
      expect(method?.target).toBe('method');
      const done = await payer.send(method as never);
      const framed = await payer.send(formOf(done));
      expect(framed.text).toContain('data-method-done');
      expect(framed.headers.get('x-frame-options')).toBeNull();
      expect(framed.headers.get('content-security-policy')).toContain('frame-ancestors *');
      const handOver = await payer.send(goOn as never, SCREEN);
      const question = await payer.send(formOf(handOver));
      await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      expect(await final(status)).toMatchObject({ status: 'approved' });
      const areq = gateway.networks.transcript().findLast(({ name }) => name === 'AReq');
      expect(areq?.message).toMatchObject({ threeDSCompInd: 'Y', browserScreenWidth: '1440', browserIP: '127.0.0.1' });
    });

    it('that runs no script goes on with a button, and the issuer is told so', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionlessMethod, {});
      const payer = new Payer();
      const page = await payer.openWhenReady(status['redirect-to']);
      expect(page.text).toContain('<button type="submit">Continue</button>');
      const end = await payer.send(formOf(page, 1));
      expect(end.status).toBe(303);
      expect(await final(status)).toMatchObject({ status: 'approved' });
      const areq = gateway.networks.transcript().findLast(({ name }) => name === 'AReq');
      expect(areq?.message).toMatchObject({ threeDSCompInd: 'N', browserJavascriptEnabled: false });
      expect(areq?.message).not.toHaveProperty('browserScreenWidth');
    });

    it('asks the issuer once, however often the button is pressed', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      const payer = new Payer();
      const goOn = formOf(await payer.openWhenReady(status['redirect-to']));
      await Promise.all([1, 2, 3, 4].map(() => payer.send(goOn, SCREEN)));
      expect(await final(status)).toMatchObject({ status: 'approved' });
      const id = status['tds-method-url-frame-3ds-server-trans-id'];
      const asked = gateway.networks
        .transcript()
        .filter(({ name, message }) => name === 'AReq' && message.threeDSServerTransID === id);
      expect(asked).toHaveLength(1);
    });

    it.each([
      ['a tab', { 'user-agent': 'Mozilla/5.0\t(a payer)' }],
      ['a control character', { accept: 'text/html\u0085' }],
      ['nothing', { 'user-agent': '', accept: '' }],
    ])('that says %s of itself does not get past the issuer by that', async (_, headers) => {
      const status = await asking(gateway, TEST_CARDS.challenge, {}, OPTIONAL);
      const { action } = formOf(await new Payer().openWhenReady(status['redirect-to']));
      const body = new URLSearchParams(SCREEN);
      expect((await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303);
      expect(await statusOf(gateway, status, OPTIONAL)).toMatchObject({ 'tds-status': 'challenge' });
    });

    it.each([
      ['challenge', 'challenge'],
      ['legacy', 'pareq'],
    ] as const)('that says strange things where the card is typed does not either: %s', async (card, step) => {
      const form = await openForm(gateway, 'sale-form', { currency: 'EUR' }, { endpoint: OPTIONAL });
      const screen = { browser_color_depth: '24', browser_screen_height: '900', browser_screen_width: '1440' };
      const typed = { credit_card_number: TEST_CARDS[card].number, ...screen, browser_time_zone: '-120' };
      await form.payer.pay(typed, { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (a\u0085payer)' });
      expect(await untilPayersTurn(gateway, form.reply.body, OPTIONAL)).toMatchObject({ 'tds-status': step });
    });

    it.each([
      ['challenge', 'challenge'],
      ['challenge', 'legacy'],
      ['legacy', 'legacy'],
      ['legacy', 'challenge'],
    ] as const)(
      'that brings again what came of the first card, %s, leaves the second one alone: %s',
      async (one, two) => {
        const { address, reply, payer } = await openForm(
          gateway,
          'sale-form',
          { currency: 'EUR' },
          { endpoint: REQUIRED },
        );
        const toIssuer = async (card: keyof typeof TEST_CARDS) => {
          await payer.pay({ credit_card_number: TEST_CARDS[card].number });
          const tab = new Payer();
          const page = await tab.openWhenReady(address.replace('/pay/', '/3ds/'));
          const handOver = card === 'challenge' ? await tab.send(formOf(page), SCREEN) : page;
          return { tab, question: await tab.send(formOf(handOver)) };
        };
        const first = await toIssuer(one);
        const back = formOf(await answerIssuer(first.tab, first.question, 'cancel'));
        await first.tab.send(back);
        await until('another card is asked for', async () => (await payer.state()) === 'card');
        const second = await toIssuer(two);
        await first.tab.send(back);
        gateway.clock.advance(61_000);
        await second.tab.send(formOf(await answerIssuer(second.tab, second.question, 'hint')));
        expect(await final(reply.body)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
      },
    );

    it.each(['shop.example:8443', 'shop:socks', 'https:'])('is asked whatever the shop is called: %s', async (site) => {
      const told = { ...BROWSER, site_url: site };
      expect(await asking(gateway, TEST_CARDS.challenge, told, OPTIONAL)).toMatchObject({ 'tds-status': 'challenge' });
    });

    it('with a link nobody made, or an old one, is shown nothing', async () => {
      const payer = new Payer();
      const base = `${gateway.origin}/paynet/3ds`;
      for (const link of ['1-2-3', 'x'.repeat(60), 'notify/1-2-3', '../../etc']) {
        expect((await payer.open(`${base}/${link}`)).status).toBe(404);
      }
      const status = await asking(gateway, TEST_CARDS.challenge);
      const other = status['redirect-to'].replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'));
      expect((await payer.open(other)).status).toBe(404);
      gateway.clock.advance(25 * 60 * 60 * 1000);
      expect((await payer.open(status['redirect-to'])).status).toBe(410);
    });
  });

  describe('version 1', () => {
    it('takes the payer to the issuer and believes what it has signed', async () => {
      const status = await asking(gateway, TEST_CARDS.legacy);
      expect(status).toMatchObject({ 'tds-status': 'pareq', 'tds-acs-url': expect.stringContaining('/acs/pareq') });
      const end = await passChallenge(new Payer(), status, 'hint');
      expect(end.status).toBe(303);
      expect(await final(status)).toMatchObject({
        status: 'approved',
        'verified-3d-status': 'AUTHENTICATED',
        eci: '05',
      });
      expect(await outcomeOf(gateway, status)).toMatchObject({ protocol: '1.0.2', status: 'Y' });
    });

    it.each([
      [['no', 'nor', 'never'], '190'],
      [['cancel'], '190'],
    ] as const)('is declined after %j', async (answers, code) => {
      const status = await asking(gateway, TEST_CARDS.legacy);
      await passChallenge(new Payer(), status, ...answers);
      expect(await final(status)).toMatchObject({ status: 'declined', 'error-code': code });
    });
  });

  describe('other operations', () => {
    it('a preauthorization is authenticated, and its capture is not', async () => {
      const accepted = await demo.preauth(sale(TEST_CARDS.frictionless, BROWSER), { endpoint: REQUIRED });
      const held = await final(accepted.body);
      expect(held).toMatchObject({ status: 'approved', 'transaction-type': 'preauth', eci: '05' });
      const captured = await demo.followUpUntilFinal('capture', held, {}, { endpoint: REQUIRED });
      expect(captured).toMatchObject({ status: 'approved', 'transaction-type': 'capture', eci: '05' });
    });

    it('an account verification is authenticated as what it is: not a payment', async () => {
      const { amount: _, currency: __, ...without } = saleFields;
      const fields: Fields = {
        ...without,
        ...BROWSER,
        client_orderid: newOrderId(),
        credit_card_number: TEST_CARDS.challenge.number,
      };
      const control = sha1(`${REQUIRED}${fields.client_orderid}${fields.email}${demo.key}`);
      const accepted = await demo.post(`/api/v2/account-verification/${REQUIRED}`, { ...fields, control });
      const status = await untilPayersTurn(gateway, accepted.body);
      expect(status).toMatchObject({ 'order-stage': 'account-verification_3d_validating' });
      await passChallenge(new Payer(), status, 'hint');
      expect(await final(status)).toMatchObject({ status: 'approved', 'card-ref-id': expect.any(String) });
    });

    it('a transfer from a typed card is authenticated, and a rebill is not', async () => {
      const fields: Fields = {
        ...{ client_orderid: newOrderId(), amount: '10.00', currency: 'EUR', expire_month: '12', expire_year: '2031' },
        ...{ credit_card_number: TEST_CARDS.challenge.number, cvv2: '123', 'destination-card-no': '5555555555554444' },
      };
      const accepted = await demo.oauth('/api/v4/transfer', fields, { endpoint: REQUIRED });
      const asked = await untilPayersTurn(gateway, accepted.body);
      expect(asked).toMatchObject({ 'order-stage': 'transfer_3d_validating', 'tds-status': 'method-url' });
      const payer = new Payer();
      const handOver = await payer.send(formOf(await payer.openWhenReady(asked['redirect-to'])), SCREEN);
      const question = await payer.send(formOf(handOver));
      await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      expect(await final(asked)).toMatchObject({ status: 'approved', 'transaction-type': 'transfer' });
      const [pull, push] = await gateway.bookedFor(asked['paynet-order-id']);
      expect([pull?.eci, push?.eci]).toEqual(['05', undefined]);
    });
  });

  it('a merchant with a long name is named by its beginning', async () => {
    const [before] = await gateway.query('select name from merchants where merchant_id = 1');
    const rename = async (name: string) => {
      await gateway.administer(`update merchants set name = '${name}' where merchant_id = 1`);
      await gateway.refresh();
    };
    await rename(`${'x'.repeat(39)}😀 and more`);
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    expect(await final(order)).toMatchObject({ status: 'approved' });
    const areq = gateway.networks.transcript().findLast(({ name }) => name === 'AReq');
    expect(areq?.message).toMatchObject({ merchantName: 'x'.repeat(39) });
    await rename(before?.name as string);
  });

  it('the same request again is the same order, also while the payer is asked', async () => {
    const fields = demo.signedSale(sale(TEST_CARDS.challenge, BROWSER), { endpoint: REQUIRED });
    const [first, second] = [
      await demo.sale(fields, { endpoint: REQUIRED }),
      await demo.sale(fields, { endpoint: REQUIRED }),
    ];
    expect(second.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    const again = await demo.sale({ ...fields, amount: '99.99', control: undefined }, { endpoint: REQUIRED });
    expect(again.status).toBe(400);
  });
});
