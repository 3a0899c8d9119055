// Where a card number and a security code never are: in a page's source, an address, a referrer, a browser's storage, a
// log, or in the page again after something was wrong.

import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { CARD } from '../harness.ts';
import { openForm } from '../scenarios/form-payer.ts';
import { fillIn, pay, says, send, typeIn } from './card-page.ts';
import { describeInBrowser } from './chromium.ts';
import { ReturnPage } from './shop.ts';

const CVV = '6183';
const AMEX = '378282246310005';

describeInBrowser('card number and security code', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  async function watched(javaScriptEnabled: boolean) {
    const page = await browser.page({ javaScriptEnabled });
    const seen: string[] = [];
    page.on('request', (request) => {
      seen.push(request.url(), JSON.stringify(request.headers()));
      // The form itself carries them to us, and nothing else does.
      if (!request.url().includes('/pay/')) seen.push(request.postData() ?? '');
    });
    page.on('response', async (response) => {
      seen.push(JSON.stringify(response.headers()));
      if (response.request().resourceType() === 'document') seen.push(await response.text().catch(() => ''));
    });
    page.on('console', (message) => seen.push(message.text()));
    return { page, seen };
  }

  const stored = (page: Page) =>
    page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
    );

  /** A security code stands by itself wherever it stands: its digits can be within an id or a token by chance. */
  function expectNothing(places: readonly string[], ...secrets: string[]): void {
    const text = places.join('\n');
    for (const secret of secrets) {
      const found = secret === CVV ? new RegExp(`(?<![\\w-])${CVV}(?![\\w-])`).test(text) : text.includes(secret);
      expect(found, `${secret.slice(0, 4)}… was found`).toBe(false);
    }
  }

  const spaced = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

  it.each([true, false])('are nowhere, with scripts: %s', async (javaScriptEnabled) => {
    const back = await ReturnPage.open(gateway.demo.key);
    try {
      const { address } = await openForm(gateway, 'sale-form', { redirect_url: back.url() });
      const { page, seen } = await watched(javaScriptEnabled);
      await page.goto(address);
      // First something is wrong, then the card is declined, then it is paid.
      await typeIn(page, { number: AMEX, cvv: CVV, expiry: '12 / 20' });
      await send(page);
      await says(page, 'This card has expired.');
      if (!javaScriptEnabled) {
        expectNothing([await page.content()], AMEX, CVV);
        await fillIn(page, { number: AMEX, cvv: CVV, expiry: '' });
      }
      await page.locator('#expiry').fill('12 / 31');
      await send(page);
      await says(page, 'Your card was declined.');
      expectNothing([await page.content()], AMEX, spaced(AMEX), '3782 822463 10005', CVV);
      expect(await page.locator('#credit_card_number').inputValue()).toBe('');
      await pay(page, { expiry: '12 / 31' });
      await says(page, 'Payment received');
      const kept = javaScriptEnabled ? await stored(page) : '';
      expectNothing([...seen, kept, page.url()], CARD, spaced(CARD), AMEX, '3782 822463 10005', CVV);
      expectNothing([...gateway.log, await gateway.everythingStored()], CARD, AMEX, spaced(CARD));
      expectNothing(gateway.log, CVV);
    } finally {
      await back.close();
    }
  });
});
