// A challenge of the bank in a real browser: from the hosted form to the bank's page and back, to every end.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { ChallengingBank } from '../scenarios/challenging-bank.ts';
import { openForm } from '../scenarios/form-payer.ts';
import { pay, says } from './card-page.ts';
import { describeInBrowser } from './chromium.ts';
import { ReturnPage } from './shop.ts';

const bank = new ChallengingBank();

describeInBrowser('A challenge of the bank', { terminals: [bank.terminal()] }, (gateway, browser) => {
  const { demo } = gateway;
  let back: ReturnPage;

  beforeAll(async () => {
    await bank.open();
    back = await ReturnPage.open(demo.key);
  });
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await gateway.untilAllFinal();
    await back.close();
    await bank.close();
  });

  const open = () => openForm(gateway, 'sale-form', { redirect_url: back.url() });
  const atBank = (page: Page) => page.getByRole('heading', { name: 'Is this you?' }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

  it('is passed: the payer goes to the bank and back to the shop', async () => {
    const { address, clientOrderId, orderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page);
    await atBank(page);
    await press(page, 'approve');
    await says(page, 'Payment received');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    const returned = back.returns.filter(({ fields }) => fields.orderid === orderId);
    expect(returned).toMatchObject([{ isRightlySigned: true, fields: { status: 'approved' } }]);
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
  });

  it('that the bank declines leads back to the form, for another card', async () => {
    const { address, clientOrderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page);
    await atBank(page);
    await press(page, 'decline');
    await page.locator('form[data-card-form]').waitFor();
    await pay(page, { number: '5555555555554444' });
    await atBank(page);
    await press(page, 'approve');
    await says(page, 'Payment received');
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved', 'card-type': 'MASTERCARD' });
  });

  it('that the payer leaves too early can be gone back to', async () => {
    const { address, clientOrderId } = await open();
    const page = await browser.page();
    await page.goto(address);
    await pay(page);
    await atBank(page);
    await press(page, 'leave');
    await says(page, 'One moment, please');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await says(page, 'Einen Moment bitte');
    await page.getByRole('link', { name: 'Zu meiner Bank' }).click();
    await atBank(page);
    await press(page, 'approve');
    await says(page, 'Payment received');
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
  });

  it('works without scripts, and for a card that the merchant sent', async () => {
    const { body } = await demo.sale({ redirect_url: back.url() });
    const id = body['merchant-order-id'];
    let address = '';
    await until('the payer is to go to the bank', async () => {
      address = (await demo.status({ client_orderid: id })).body['redirect-to'] ?? '';
      return address !== '';
    });
    const page = await browser.page({ javaScriptEnabled: false });
    await page.goto(address);
    await atBank(page);
    await press(page, 'approve');
    await says(page, 'Payment received');
    expect(await demo.untilFinal(id)).toMatchObject({ status: 'approved' });
  });
});
