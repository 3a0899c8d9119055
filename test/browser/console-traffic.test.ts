// The console's pages about traffic in Chromium: a sale is tried step by step, and a wrong signature is explained.

import { afterEach, expect, it } from 'vitest';
import { newOrderId, sha1 } from '../harness.ts';
import { hire } from '../scenarios/person-browser.ts';
import { storeCard } from '../scenarios/stored-cards.ts';
import { testKeys } from '../test-keys.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell, signIn } from './console-page.ts';

describeInBrowser('traffic in the console', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('a person of a merchant tries a sale, sees every step, and finds out why a signature was wrong', async () => {
    const { demo } = gateway;
    await storeCard(demo);
    const shop = await gateway.shop();
    await demo.saleUntilFinal({ server_callback_url: shop.url() });
    const { privateKey: key } = testKeys('stranger');
    const strange = await demo.oauth('/api/v4/sale', { client_orderid: newOrderId(), amount: '5' }, { key });
    await gateway.journalLine(strange.body);
    const client_orderid = newOrderId();
    const control = sha1(`101${client_orderid}10.42ann@example.com${demo.key}`);
    const wrong = await demo.sale({ client_orderid, amount: '10.42', control });
    await gateway.journalLine(wrong.body);
    await hire(gateway, 'dora', 'operator', 'demo');
    const page = await browser.page();
    await signIn(page, gateway.adminUrl, 'dora');
    await page.getByRole('link', { name: 'Try an endpoint' }).click();
    await looksWell(page, 'try');
    await page.getByLabel('Amount').fill('12.34');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByRole('heading', { name: 'The merchant is told' }).waitFor();
    await looksWell(page, 'tried');
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await looksWell(page, 'requests');
    await page.getByRole('link', { name: 'Sender unknown' }).click();
    await looksWell(page, 'strangers');
    await page.locator('tbody a').first().click();
    await page.getByText('amount is signed as').waitFor();
    await looksWell(page, 'request');
    await page.goto(`${gateway.adminUrl}/console/requests/${strange.body['serial-number']}`);
    await page.getByText('Signature that came', { exact: true }).waitFor();
    await looksWell(page, 'request-oauth');
    for (const name of ['Callbacks', 'Recurring payments', 'Stored cards', 'Statement']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name: new RegExp(`^${name}`), level: 1 }).waitFor();
      await looksWell(page, name.toLowerCase().replace(' ', '-'));
    }
    await page.goto(`${gateway.adminUrl}/console/callbacks`);
    await page.locator('tbody a').first().click();
    await page.getByRole('button', { name: 'Send it again now' }).waitFor();
    await looksWell(page, 'callback');
  });
});
