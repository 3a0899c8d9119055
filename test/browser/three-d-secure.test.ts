// 3-D Secure in a real browser, from the hosted form through the issuer's page and back: passed, failed, cancelled,
// timed out and without a question, and the way of a sale whose card the merchant sent.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { TEXTS } from '../../src/web/checkout/language.ts';
import { begun, REQUIRED, sale, TOLD, untilPayersTurn, untilStep } from '../scenarios/authenticating.ts';
import { openForm } from '../scenarios/form-payer.ts';
import { pay, says } from './card-page.ts';
import { describeInBrowser } from './chromium.ts';
import { ReturnPage } from './shop.ts';

const MINUTE_MS = 60_000;
const asking = { endpoint: REQUIRED };

describeInBrowser('3-D Secure', {}, (gateway, browser) => {
  const { demo } = gateway;
  let back: ReturnPage;

  beforeAll(async () => {
    back = await ReturnPage.open(demo.key);
  });
  afterEach(async () => {
    gateway.networks.faults.set({});
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await back.close();
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  const open = () => openForm(gateway, 'sale-form', { currency: 'EUR', redirect_url: back.url() }, asking);
  const final = (clientOrderId: string) => demo.untilFinal(clientOrderId, asking);
  const question = (page: Page) => page.locator('#password').waitFor();

  async function answer(page: Page, password: string): Promise<void> {
    await question(page);
    await page.locator('#password').fill(password);
    // In whatever language the issuer asks.
    await page.locator('button[value=confirm]').click();
  }

  it.each(['challenge', 'challengeMethod', 'challenge21', 'mastercardChallenge', 'legacy'] as const)(
    'is passed: %s',
    async (name) => {
      const { address, clientOrderId, orderId } = await open();
      const page = await browser.page();
      await page.goto(address);
      await pay(page, { number: TEST_CARDS[name].number });
      await answer(page, 'hint');
      await says(page, 'Payment received');
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
      const returned = back.returns.filter(({ fields }) => fields.orderid === orderId);
      expect(returned).toMatchObject([{ isRightlySigned: true, fields: { status: 'approved' } }]);
      expect(await final(clientOrderId)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
    },
  );

  it.each(['frictionless', 'frictionlessMethod', 'attempt'] as const)('asks nothing: %s', async (name) => {
    const { address, clientOrderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page, { number: TEST_CARDS[name].number });
    await says(page, 'Payment received');
    expect(await final(clientOrderId)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
  });

  it.each(['challengeMethod', 'challenge', 'frictionless'] as const)(
    'is run by a page of the merchant, with the same code for each card: %s',
    async (name) => {
      const order = await begun(gateway, sale(TEST_CARDS[name]));
      const status = await untilPayersTurn(gateway, order);
      const page = await browser.page();
      await page.goto(back.url('/3ds'));
      // What merchants' pages do: a hidden frame, a form that is posted into it, and the wait for its end.
      const method = {
        action: status['tds-method-url-frame-3ds-method-url'],
        threeDSMethodData: status['tds-method-url-frame-3ds-method-data'],
      };
      const shown = page.evaluate(`new Promise((resolve) => {
        addEventListener('message', ({ data }) => resolve(data));
        const { action, threeDSMethodData } = ${JSON.stringify(method)};
        document.body.innerHTML = '<iframe name="method" hidden></iframe>'
          + '<form method="post" target="method"><input name="threeDSMethodData"></form>';
        const form = document.forms[0];
        form.action = action;
        form.elements[0].value = threeDSMethodData;
        form.submit();
      })`);
      expect(await shown).toBe('three-d-secure-method-done');
      const threeDSServerTransID = status['tds-method-url-frame-3ds-server-trans-id'];
      const facts = name === 'challengeMethod' ? TOLD : {};
      const uploaded = await demo.upload('method-url', status, { threeDSServerTransID, threeDSCompInd: 'Y', ...facts });
      expect(uploaded.status).toBe(200);
      if (name !== 'frictionless') await untilStep(gateway, order, 'challenge');
      const areq = gateway.networks.transcript().findLast(({ name }) => name === 'AReq')?.message;
      expect(areq).toMatchObject({
        threeDSCompInd: name === 'challengeMethod' ? 'Y' : 'U',
        browserJavascriptEnabled: true,
      });
      if (name !== 'challengeMethod') expect(areq?.browserUserAgent).toContain('Chrome');
      if (name === 'frictionless')
        expect(await final(order['merchant-order-id'])).toMatchObject({ status: 'approved' });
    },
  );

  it('is failed by three wrong passwords, and another card is asked for', async () => {
    const { address, clientOrderId, orderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page, { number: TEST_CARDS.challenge.number });
    for (const _ of [1, 2, 3]) await answer(page, 'wrong');
    await says(page, 'Your bank could not confirm that it is you.');
    await says(page, 'You can try 2 more cards.');
    await pay(page, { number: TEST_CARDS.frictionless.number });
    await says(page, 'Payment received');
    expect(await final(clientOrderId)).toMatchObject({ status: 'approved', 'last-four-digits': '1000' });
    // The bank was never asked about the first card.
    const reference = await gateway.bankReference(orderId, 2);
    expect(await gateway.bookedFor(orderId)).toMatchObject([{ reference, outcome: 'approved' }]);
  });

  it('is cancelled three times, and the form is locked', async () => {
    const { address, clientOrderId, orderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    for (const text of ['You can try 2 more cards.', 'You can try one more card.', 'Too many declined cards']) {
      await pay(page, { number: TEST_CARDS.challenge.number });
      await question(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await says(page, text);
      if (!text.startsWith('Too')) await says(page, 'You cancelled the check at your bank.');
    }
    expect(await final(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '193' });
    expect(await gateway.bookedFor(orderId)).toEqual([]);
  });

  it('waits for the issuer’s word, though the browser brings back nothing that can be read', async () => {
    gateway.networks.faults.set({ challenge: 'malformed', results: 'never' });
    const { address, clientOrderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page, { number: TEST_CARDS.challenge.number });
    await answer(page, 'hint');
    await says(page, 'One moment, please');
    const navigations: string[] = [];
    page.on('framenavigated', (frame) => navigations.push(frame.url()));
    await page.waitForTimeout(2_500);
    expect(navigations).toEqual([]);
    gateway.clock.advance(MINUTE_MS);
    await says(page, 'Your bank could not confirm that it is you.');
    gateway.clock.advance(30 * MINUTE_MS);
    expect(await final(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '190' });
  });

  it('says what the issuer wants to be read', async () => {
    const { address } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page, { number: TEST_CARDS.failed.number });
    await says(page, 'Your bank could not confirm that it is you.');
    await says(page, 'Your bank does not confirm this payment. Please call it.');
  });

  it('times out after a quarter of an hour', async () => {
    const { address, clientOrderId, orderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page, { number: TEST_CARDS.challenge.number });
    await question(page);
    gateway.clock.advance(15 * MINUTE_MS);
    await page.goto(address);
    await says(page, 'You can try 2 more cards.');
    gateway.clock.advance(15 * MINUTE_MS);
    expect(await final(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '192' });
    expect(await gateway.bookedFor(orderId)).toEqual([]);
  });

  it('keeps the language the payer switched to, past the issuer', async () => {
    const { address } = await open();
    const page = await browser.page();
    await page.goto(address);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await pay(page, { number: TEST_CARDS.challengeMethod.number });
    await page.getByRole('button', { name: 'Bestätigen' }).waitFor();
    await answer(page, 'hint');
    await says(page, TEXTS.de.approvedTitle);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  it('works without scripts, by buttons', async () => {
    const { address, clientOrderId } = await open();
    const page = await browser.page({ javaScriptEnabled: false });
    await page.goto(address);
    await pay(page, { number: TEST_CARDS.challenge.number, expiry: '12 / 31' });
    // Our page, the issuer's, and its way back: each is left by its button.
    for (let steps = 0; steps < 6 && (await page.locator('#password').count()) === 0; steps++) {
      await page.getByRole('button').first().or(page.locator('#password')).first().waitFor();
      if ((await page.locator('#password').count()) === 0) await page.getByRole('button').first().click();
    }
    await answer(page, 'hint');
    for (let steps = 0; steps < 60 && (await page.getByText('Payment received').count()) === 0; steps++) {
      const button = page.getByRole('button', { name: 'Continue' });
      if (await button.count()) await button.first().click();
      await page.waitForTimeout(1_000);
    }
    await says(page, 'Payment received');
    expect(await final(clientOrderId)).toMatchObject({ status: 'approved' });
  });

  it('double clicks on the form begin one authentication', async () => {
    const { address, clientOrderId, orderId } = await open();
    const person = await browser.person();
    const [one, other] = [await person.newPage(), await person.newPage()];
    await one.goto(address);
    await other.goto(address);
    await pay(one, { number: TEST_CARDS.challenge.number });
    await question(one);
    await pay(other, { number: TEST_CARDS.frictionless.number });
    // The second tab is led to the question the first one asks.
    await question(other);
    await answer(one, 'hint');
    await says(one, 'Payment received');
    expect(await final(clientOrderId)).toMatchObject({ status: 'approved', 'last-four-digits': '1091' });
    expect(await gateway.bookedFor(orderId)).toHaveLength(1);
  });

  it('leads a payer whose card the merchant sent back to the merchant', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.challenge, { redirect_url: back.url('/sale') }));
    const status = await untilPayersTurn(gateway, order);
    const page = await browser.page();
    await page.goto(status['redirect-to']);
    await answer(page, 'hint');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    const returned = back.returns.filter(({ path }) => path === '/sale');
    expect(returned).toMatchObject([{ isRightlySigned: true, fields: { status: 'approved' } }]);
  });
});
