// Paying in a real browser: each form and each end, with scripts and without, on a desktop and on a phone.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { opened, openForm } from '../scenarios/form-payer.ts';
import { TestShop } from '../test-shop.ts';
import { DECLINED, fillIn, heading, pay, says, send, typeIn } from './card-page.ts';
import { describeInBrowser, PHONE } from './chromium.ts';
import { MOVED, ReturnPage } from './shop.ts';

const MINUTE_MS = 60_000;

describeInBrowser('the hosted form', { acquirerTimeoutMs: 500, leaseMs: 1_500 }, (gateway, browser) => {
  const { demo } = gateway;
  let shop: TestShop;
  let back: ReturnPage;

  beforeAll(async () => {
    shop = await TestShop.open({ key: demo.key, now: () => gateway.clock.now() });
    back = await ReturnPage.open(demo.key);
  });
  afterEach(async () => {
    gateway.bank.faults.set({});
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await shop.close();
    await back.close();
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  const links = () => ({ redirect_url: back.url(), server_callback_url: shop.url(), merchant_data: 'basket 12' });
  const returnsOf = (orderId: string) => back.returns.filter(({ fields }) => fields.orderid === orderId);

  it('is paid, and the browser and the callback both tell the shop', async () => {
    const { address, orderId, clientOrderId, reply } = await openForm(gateway, 'sale-form', links());
    const page = await browser.page();
    await page.goto(address);
    expect(await page.title()).toBe('Payment to Demo merchant · Demo merchant');
    await typeIn(page);
    await send(page);
    await says(page, 'Payment received');
    await says(page, 'VISA ending in 1111');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(returnsOf(orderId)).toMatchObject([
      {
        path: '/back',
        method: 'POST',
        isRightlySigned: true,
        fields: { status: 'approved', client_orderid: clientOrderId, amount: '10.42', merchantdata: 'basket 12' },
      },
    ]);
    expect(returnsOf(orderId)[0]?.headers.referer).toBeUndefined();
    await until('the callback came', () => shop.of(reply.body).length === 1);
    expect(shop.of(reply.body)).toMatchObject([{ fields: { status: 'approved' }, complaints: [] }]);
  });

  it('helps while a card is typed, and says what is wrong at once', async () => {
    const { address } = await openForm(gateway, 'sale-form');
    const page = await browser.page();
    await page.goto(address);
    const number = page.locator('#credit_card_number');
    await number.pressSequentially('378282');
    expect(await page.locator('[data-chosen]').getAttribute('data-mark')).toBe('AMEX');
    await number.pressSequentially('246310005');
    expect(await number.inputValue()).toBe('3782 822463 10005');
    await number.fill('');
    await number.pressSequentially('4111111111111112');
    expect(await number.inputValue()).toBe('4111 1111 1111 1112');
    await page.locator('#expiry').pressSequentially('120');
    expect(await page.locator('#credit_card_number-error').textContent()).toContain('not valid');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    await page.locator('#expiry').pressSequentially('0');
    expect(await page.locator('#expiry').inputValue()).toBe('12 / 00');
    await send(page);
    expect(await page.locator('#expiry-error').textContent()).toBe('This card has expired.');
    expect(await page.locator('#cvv2-error').textContent()).toBe('Enter the security code.');
    // Nothing was sent, and the first field that is wrong has the cursor.
    expect(await page.evaluate('document.activeElement?.id')).toBe('credit_card_number');
    await number.press('Backspace');
    await number.pressSequentially('1');
    expect(await page.locator('#credit_card_number-error').textContent()).toBe('');
  });

  it('finds what is wrong before the card is sent, and takes numbers as people write them', async () => {
    const requiredFields = ['country', 'phone', 'cell_phone', 'state'];
    const { client, id } = await gateway.newMerchant({ requiredFields });
    const unsigned = { control: undefined, email: undefined };
    const asking = { client, endpoint: id };
    const { address, clientOrderId, orderId } = await openForm(gateway, 'payment-form', unsigned, asking);
    const page = await browser.page();
    await page.goto(address);
    await typeIn(page, { number: '٤١١١١١١١١١١١١١١١', expiry: '1/31', cvv: '۱۲۳' });
    expect(await page.locator('#credit_card_number').inputValue()).toBe('4111 1111 1111 1111');
    expect(await page.locator('#expiry').inputValue()).toBe('01 / 31');
    await page.locator('#email').fill('ann');
    await page.locator('#phone').fill('none');
    await page.locator('#state').fill('California');
    await send(page);
    const said = (name: string) => page.locator(`#${name}-error`).textContent();
    expect(await said('email')).toBe('Enter an e-mail address such as ann@example.com.');
    for (const name of ['phone', 'state']) expect(await said(name)).toBe('Please check this field.');
    for (const name of ['cell_phone', 'country']) expect(await said(name)).toBe('Please fill in this field.');
    // Nothing was sent, so nothing is lost.
    expect(await page.locator('#cvv2').inputValue()).toBe('123');
    await page.locator('#email').fill('ann@example.com');
    await page.locator('#phone').fill('+44 20 7946 0958');
    await page.locator('#cell_phone').fill('+1 (555) 123-4567');
    await page.locator('#state').fill('CA');
    await page.locator('#country').selectOption('US');
    await send(page);
    await says(page, 'Payment received');
    const status = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
    expect(status).toMatchObject({ status: 'approved', phone: '+442079460958' });
  });

  it('asks for another card after a decline, and is locked after three', async () => {
    const { address, orderId, clientOrderId } = await openForm(gateway, 'sale-form', links());
    const page = await browser.page();
    await page.goto(address);
    await pay(page, DECLINED);
    await says(page, 'You can try 2 more cards.');
    await pay(page, { cvv: '101' });
    await says(page, 'You can try one more card.');
    await says(page, 'The bank says that the card has expired.');
    await pay(page, DECLINED);
    await says(page, 'Too many declined cards');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(returnsOf(orderId)).toMatchObject([
      { isRightlySigned: true, fields: { status: 'declined', error_code: '116' } },
    ]);
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined' });
    await page.goto(address);
    expect(await heading(page).textContent()).toBe('Too many declined cards');
    expect(await gateway.bookedFor(orderId)).toHaveLength(3);
  });

  it('takes a payer back to the shop after a decline, by one click or two', async () => {
    const { address, orderId, clientOrderId, reply } = await openForm(gateway, 'sale-form', links());
    const page = await browser.page({ viewport: PHONE });
    await page.goto(address);
    await pay(page, DECLINED);
    await says(page, 'You can try 2 more cards.');
    await page.getByRole('button', { name: 'Return to Demo merchant' }).dblclick();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    const [first] = returnsOf(orderId);
    expect(first).toMatchObject({ isRightlySigned: true, fields: { status: 'declined', error_code: '116' } });
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '116' });
    await until('the callback came', () => shop.of(reply.body).length === 1);
    expect(await gateway.bookedFor(orderId)).toHaveLength(1);
  });

  it('does not send a payer to the shop again at once whom the back button brought from there', async () => {
    const { address, orderId } = await openForm(gateway, 'sale-form', links());
    // The clock stays with the browser, so it is one that no other test is given.
    const page = await browser.page({ viewport: { width: 1024, height: 768 } });
    await page.goto(address);
    await pay(page, DECLINED);
    await page.getByRole('button', { name: 'Return to Demo merchant' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    // The time of the page stands still, so that a busy machine does not decide this.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goBack();
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.clock.runFor(10_000);
    await says(page, 'Payment declined');
    expect(returnsOf(orderId)).toHaveLength(1);
  });

  it('lets a payer stay instead of going back', async () => {
    // A busy machine may take payers back before they have pressed the button: then the next one is quicker.
    const paid = async () => {
      const { address, orderId } = await openForm(gateway, 'sale-form', links());
      const page = await browser.page();
      await page.goto(address);
      await pay(page);
      const staying = page.getByRole('button', { name: 'Stay on this page' }).click({ timeout: 5_000 });
      return { page, orderId, isInTime: await staying.then(() => true).catch(() => false) };
    };
    let { page, orderId, isInTime } = await paid();
    for (let more = 0; more < 10 && !isInTime; more++) ({ page, orderId, isInTime } = await paid());
    expect(isInTime).toBe(true);
    await page.waitForTimeout(5_500);
    expect(returnsOf(orderId)).toEqual([]);
    await page.getByRole('button', { name: 'Return to Demo merchant' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(returnsOf(orderId)).toHaveLength(1);
  });

  it('goes back to a shop that sends browsers on to another origin', async () => {
    const { address, orderId } = await openForm(gateway, 'sale-form', { redirect_url: back.url(MOVED) });
    const page = await browser.page();
    await page.goto(address);
    await pay(page);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(returnsOf(orderId).map(({ path }) => path)).toEqual([MOVED, '/back']);
  });

  it('shows that the bank is asked, until it has answered', async () => {
    const { address } = await openForm(gateway, 'sale-form');
    const page = await browser.page();
    await page.goto(address);
    gateway.bank.faults.set({ messages: ['instruct'], loseAnswerRate: 1 });
    await pay(page);
    await says(page, 'Your bank is being asked.');
    expect(await page.getByRole('progressbar').count()).toBe(1);
    await says(page, 'Payment received');
  });

  describe('without scripts', () => {
    it('is paid, waited for, and left by a button', async () => {
      const { address, orderId } = await openForm(gateway, 'sale-form', links());
      const page = await browser.page({ javaScriptEnabled: false });
      await page.goto(address);
      gateway.bank.faults.set({ messages: ['instruct'], loseAnswerRate: 1 });
      await typeIn(page, { expiry: '12 / 31' });
      await send(page);
      await says(page, 'Your bank is being asked.');
      await says(page, 'Payment received');
      expect(returnsOf(orderId)).toEqual([]);
      await page.getByRole('button', { name: 'Return to Demo merchant' }).click();
      expect(await heading(page).textContent()).toBe('Welcome back');
      expect(returnsOf(orderId)).toMatchObject([{ isRightlySigned: true, fields: { status: 'approved' } }]);
    });

    it('says what is wrong, and keeps what may be kept', async () => {
      const { address } = await openForm(gateway, 'sale-form');
      const page = await browser.page({ javaScriptEnabled: false });
      await page.goto(address);
      await pay(page, { number: '4111111111111112', expiry: '12 / 31' });
      await says(page, 'Please check the marked fields.');
      expect(await page.locator('#credit_card_number').inputValue()).toBe('');
      expect(await page.locator('#cvv2').inputValue()).toBe('');
      expect(await page.locator('#card_printed_name').inputValue()).toBe('Ann Example');
      await page.getByRole('link', { name: 'This card number is not valid.' }).click();
      expect(page.url()).toContain('#credit_card_number');
    });
  });

  describe('is paid once', () => {
    it.each([true, false])('however often the button is pressed, with scripts: %s', async (javaScriptEnabled) => {
      const { address, orderId } = await openForm(gateway, 'sale-form');
      const page = await browser.page({ javaScriptEnabled });
      await page.goto(address);
      await fillIn(page, { expiry: '12 / 31' });
      await page.locator('form[data-card-form] button[type=submit]').dblclick({ noWaitAfter: true });
      await says(page, 'Payment received');
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    it('in two tabs', async () => {
      const { address, orderId } = await openForm(gateway, 'sale-form');
      const person = await browser.person();
      const [one, other] = [await person.newPage(), await person.newPage()];
      for (const page of [one, other]) {
        await page.goto(address);
        await fillIn(page);
      }
      await Promise.all([send(one), send(other)]);
      for (const page of [one, other]) await says(page, 'Payment received');
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    it('with the back button and by reloading', async () => {
      const { address, orderId } = await openForm(gateway, 'sale-form');
      const page = await browser.page();
      await page.goto('about:blank');
      await page.goto(address);
      await pay(page);
      await says(page, 'Payment received');
      await page.reload();
      await says(page, 'Payment received');
      await page.goBack();
      if (page.url() !== 'about:blank') await says(page, 'Payment received');
      await page.goto(address);
      await says(page, 'Payment received');
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });
  });

  describe('of each other kind', () => {
    it('holds money', async () => {
      const { address, clientOrderId } = await openForm(gateway, 'preauth-form');
      const page = await browser.page();
      await page.goto(address);
      await says(page, 'only reserved on your card');
      await pay(page);
      await says(page, 'Amount reserved');
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ 'order-stage': 'preauth_approved' });
    });

    it('checks a card', async () => {
      const { address } = await openForm(gateway, 'account-verification-form');
      const page = await browser.page();
      await page.goto(address);
      await pay(page);
      await says(page, 'Card confirmed');
    });

    it('asks for what is missing', async () => {
      const { client, id } = await gateway.newMerchant({ requiredFields: ['country', 'birthday', 'phone'] });
      const unsigned = { control: undefined, email: undefined };
      const asking = { client, endpoint: id };
      const { address, clientOrderId, orderId } = await openForm(gateway, 'payment-form', unsigned, asking);
      const page = await browser.page();
      await page.goto(address);
      await page.locator('#email').fill('ann@example.com');
      await page.locator('#country').selectOption({ label: 'Germany' });
      await page.locator('#birthday').fill('1984-02-29');
      await page.locator('#phone').fill('+49 30 123456');
      await pay(page);
      await says(page, 'Payment received');
      const status = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
      expect(status).toMatchObject({ status: 'approved', email: 'ann@example.com', phone: '+4930123456' });
    });

    it('takes the card of somebody who is paid', async () => {
      const fields = { client_orderid: `out-${Date.now()}`, amount: '4.00', currency: 'USD' };
      const { address } = opened(gateway, await demo.post('/api/v2/payout-form/101', fields));
      const page = await browser.page();
      await page.goto(address);
      expect(await page.locator('#cvv2').count()).toBe(0);
      await pay(page);
      await says(page, 'Card saved');
    });
  });

  it('fits a phone, and is read from the right in Arabic', async () => {
    const { address } = await openForm(gateway, 'sale-form');
    const page = await browser.page({ viewport: PHONE, isMobile: true, hasTouch: true, locale: 'ar-EG' });
    await page.goto(address);
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await typeIn(page);
    await send(page);
    await says(page, 'تم استلام الدفع');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await says(page, 'Zahlung eingegangen');
    expect(await page.evaluate('document.documentElement.dir')).toBe('ltr');
  });

  it('is told about its browser, as 3-D Secure asks', async () => {
    const { address, orderId, clientOrderId } = await openForm(gateway, 'sale-form');
    const page = await browser.page();
    await page.goto(address);
    await pay(page);
    await demo.untilFinal(clientOrderId);
    const [row] = await gateway.query(`select details->'browser' as browser from orders where order_id = ${orderId}`);
    expect(row?.browser).toMatchObject({
      browserJavascriptEnabled: 'true',
      browserScreenWidth: '1280',
      browserLanguage: 'en-GB',
      browserUserAgent: expect.stringContaining('Chrom'),
    });
  });

  it('is not found by a foreign link, and gone after half an hour', async () => {
    const { address } = await openForm(gateway, 'sale-form', links());
    const page = await browser.page();
    const foreign = await page.goto(`${address.slice(0, -4)}AAAA`);
    expect([foreign?.status(), await heading(page).textContent()]).toEqual([404, 'Page not found']);
    await page.goto(address);
    await fillIn(page);
    gateway.clock.advance(30 * MINUTE_MS);
    await send(page);
    await says(page, 'This link has expired');
    // The merchant's page is told, whatever the outcome.
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect((await page.goto(address))?.status()).toBe(410);
  });
});
