// Orders in the console, in Chromium: a payer says about when they were charged twice, with a card that ends in 1111.
// It is found, understood and given back; then the file of orders, and the lists that wait for people.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { type ReplyBody, until } from '../harness.ts';
import { askBy, hire, localNote } from '../scenarios/person-browser.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell, signIn } from './console-page.ts';

const ZONE = 'Asia/Tokyo';

describeInBrowser('orders in the console', {}, (gateway, browser) => {
  const orders: ReplyBody[] = [];

  beforeAll(async () => {
    await gateway.demo.saleUntilFinal({ amount: '7.00' });
    gateway.clock.advance(3 * 60 * 60_000);
    for (const amount of ['24.90', '24.90', '3.20']) {
      orders.push(await gateway.demo.saleUntilFinal({ amount, email: 'ann@example.com', order_desc: 'Blue teapot' }));
    }
    await hire(gateway, 'sue', 'operator');
    await hire(gateway, 'tim', 'operator');
  });
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const atOrders = async (name: string, timezoneId = 'UTC') => {
    const page = await signIn(await browser.page({ timezoneId }), gateway.adminUrl, name);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    return page;
  };
  /** As somebody in Tokyo reads it from the wall. */
  const hourNow = () =>
    new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(
      gateway.clock.now(),
    );

  it('a payer who was charged twice gets one back, in a few steps', async () => {
    const page = await atOrders('sue', ZONE);
    const find = async (text: string) => {
      await page.getByLabel('Find orders by what you know').fill(text);
      await page.keyboard.press('Enter');
    };
    await find('1111 24.90');
    await page.getByText('in one currency. Which?').waitFor();
    await page.getByRole('link', { name: 'USD', exact: true }).click();
    await page.getByText('look as if a card was charged twice').waitFor();
    const said = `Card ending 1111, charged twice at ${hourNow()}.`;
    await find(said);
    await page.getByText('look as if a card was charged twice').waitFor();
    expect(await page.getByLabel('Find orders by what you know').inputValue()).toBe(said);
    expect(await page.locator('tbody tr').count()).toBe(3);
    expect(await page.locator('tr', { hasText: 'twice?' }).count()).toBe(2);
    const id = orders[1]?.['paynet-order-id'] as string;
    await page.locator('.notice').getByRole('link', { name: id, exact: true }).click();
    await page.getByText('Charged twice?').waitFor();
    await page.getByText('Give money back: up to 24.90 USD').click();
    expect(await page.locator('#return-reason').inputValue()).toMatch(/^charged twice, as order \d+ was$/);
    await page.getByRole('button', { name: 'Give it back' }).click();
    await page.getByText('The money was taken and given back.').waitFor();
    await page.getByText('The bank gives the money back.').waitFor();
    await looksWell(page, 'order');
    await page
      .getByRole('navigation', { name: 'Where this is' })
      .getByRole('link', { name: 'Orders', exact: true })
      .click();
    await page.getByText('given back').first().waitFor();
    expect(await page.locator('tr', { hasText: 'twice?' }).count()).toBe(0);
    await page.getByText('All filters').click();
    await looksWell(page, 'orders');
  });

  it('the precise filters take times in the reader’s own zone', async () => {
    const page = await atOrders('sue', 'America/New_York');
    await page.getByText('All filters').click();
    await page.getByText('in your time (America/New_York)').first().waitFor();
    await page.getByLabel('Made from').fill('2027-01-31T12:00');
    await page.locator('.filters button').click();
    await page.getByText('From: 31 Jan 2027, 12:00:00').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('2027-01-31T17:00:00.000Z');
    await page.getByText('All filters').click();
    expect(await page.getByLabel('Made from').inputValue()).toBe('2027-01-31T12:00');
    await page.getByText('No order fits').waitFor();
    await page.getByText('Keep this search').click();
    await page.getByLabel('What to call it').fill('Since noon');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('The search is kept.').waitFor();
    await looksWell(page, 'orders-kept');
  });

  it('the file of orders says how far it has come, and is saved', async () => {
    const page = await atOrders('sue');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save all of these as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^orders-.*\.csv$/);
    await page.getByText(/^4 orders are saved as orders-/).waitFor();
  });

  it('a second person approves; a payout is confirmed', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    await askBy(url, token, 'setMerchant', { login: 'demo', secondPersonAbove: ['1.00 USD'] });
    const orderId = orders[2]?.['paynet-order-id'] as string;
    const sue = await atOrders('sue');
    await sue.goto(`${gateway.adminUrl}/console/orders/${orderId}`);
    await sue.getByText('Give money back: up to 3.20 USD').click();
    await sue.locator('#return-reason').fill('a gift');
    await sue.keyboard.press('Enter');
    await sue.getByText('This takes a second person').waitFor();
    await sue.goto(`${gateway.adminUrl}/console/waiting`);
    await sue.getByText('You asked for it').waitFor();
    const tim = await atOrders('tim');
    await tim.getByRole('link', { name: 'Waiting for approval' }).click();
    await looksWell(tim, 'waiting');
    await tim.getByRole('button', { name: 'Approve' }).click();
    await tim.getByText('It is approved and on its way.').waitFor();
    await until('it is given back', async () => {
      const rows = await gateway.query(`select 1 from orders where order_id = ${orderId} and reversed = 320`);
      return rows.length === 1;
    });
    const fields = { client_orderid: 'p-1', amount: '10.00', currency: 'USD', credit_card_number: '4111111111111111' };
    await gateway.demo.oauth('/api/v4/payout-check', fields);
    await tim.getByRole('link', { name: 'Payouts to confirm' }).click();
    await tim.getByText('Confirm it').click();
    await looksWell(tim, 'payouts');
    await tim.getByRole('link', { name: 'Manual queue' }).click();
    await looksWell(tim, 'queue');
  });
});
