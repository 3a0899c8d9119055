// The sandbox walk of a newcomer: buy something in the demo shop, and see everything that went back and forth.

import { afterEach, expect, it } from 'vitest';
import { DEMO_MERCHANT_ID, describeGateway, until } from '../harness.ts';
import { pay, says } from './card-page.ts';
import { describeInBrowser, PHONE } from './chromium.ts';
import { looksWell } from './console-page.ts';

const home = (origin: string) => origin.replace('127.0.0.1', 'localhost');

describeInBrowser('the demo shop', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('sells a pair of socks without 3-D Secure, and shows how', async () => {
    const page = await browser.page();
    // It leads on to the shop by itself.
    await page.goto(`${home(gateway.origin)}/demo`);
    await page.getByRole('button', { name: 'Without 3-D Secure' }).waitFor();
    await looksWell(page, 'demo-shop', [PHONE]);
    await page.getByRole('button', { name: 'Without 3-D Secure' }).click();
    await says(page, '101 + socks-');
    await says(page, '"type": "async-form-response"');
    await page.getByRole('link', { name: 'Go to the payment page' }).click();
    await says(page, 'Merino socks');
    await pay(page);
    await page.getByRole('button', { name: 'Return to Demo merchant' }).click();
    await says(page, 'The shop knows: approved.');
    expect(await page.getByText('Its control fits: it is from the service.').count()).toBe(2);
    await says(page, 'last-four-digits=1111');
    await looksWell(page, 'demo-shop-sold', [PHONE]);
  });

  it('sends no browser after an icon that is not there', async () => {
    expect(await (await fetch(`${gateway.origin}/demo`)).text()).toContain('<link rel="icon"');
    expect(await (await fetch(`${gateway.origin}/paynet/demo`)).text()).toContain('<link rel="icon"');
  });

  it('sells one with 3-D Secure', async () => {
    const page = await browser.page();
    await page.goto(`${home(gateway.origin)}/paynet/demo`);
    await page.getByRole('button', { name: 'With 3-D Secure' }).click();
    await page.getByRole('link', { name: 'Go to the payment page' }).click();
    await pay(page, { cvv: '321' });
    await page.locator('#password').fill('hint');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Return to Demo merchant' }).click();
    await says(page, 'The shop knows: approved.');
  });

  it('does not believe what is not signed', async () => {
    const origin = home(gateway.origin);
    const page = await browser.page();
    await page.goto(`${origin}/paynet/demo`);
    await page.getByRole('button', { name: 'Without 3-D Secure' }).click();
    await says(page, 'No callback came yet.');
    const clientOrderId = page.url().split('/').at(-1) as string;
    const forged = new URLSearchParams({
      status: 'approved',
      orderid: '1',
      client_orderid: clientOrderId,
      control: '0'.repeat(40),
    });
    expect((await fetch(`${origin}/paynet/demo/callback?${forged}`)).status).toBe(200);
    await says(page, 'The shop does not believe it: control does not fit');
    await says(page, 'The shop is waiting to be told.');
    expect((await fetch(`${origin}/paynet/demo/callback?client_orderid=none`)).status).toBe(404);
    expect((await fetch(`${origin}/paynet/demo/orders/none`)).status).toBe(404);
    await until('the log is quiet', () => !gateway.log.some((line) => line.includes('a page broke')));
  });
});

describeGateway('a gateway in production', {}, (gateway) => {
  it('has no demo shop', async () => {
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    for (const path of ['/demo', '/paynet/demo']) expect((await fetch(gateway.origin + path)).status).toBe(404);
  });
});
