// What helps a payer on the hosted pages: brands and the security code, the button in sight, the way back, the printed
// receipt, and the issuer's page in their language.

import { afterEach, expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { openForm } from '../scenarios/form-payer.ts';
import { pay, says } from './card-page.ts';
import { describeInBrowser } from './chromium.ts';

const SMALL = { width: 375, height: 667 };
const BACK = { redirect_url: 'https://shop.example/back?order=1' };

describeInBrowser('a payer', {}, (gateway, browser) => {
  afterEach(() => expect(browser.complaints.splice(0)).toEqual([]));

  it('sees the button without scrolling on a small phone, in every language', async () => {
    const page = await browser.page({ viewport: SMALL, isMobile: true });
    const { address } = await openForm(gateway, 'sale-form', BACK);
    for (const language of ['en', 'de', 'fr', 'es', 'ru', 'ar']) {
      await page.goto(`${address}?lang=${language}`);
      const box = await page.locator('form[data-card-form] button[type=submit]').boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? SMALL.height), language).toBeLessThanOrEqual(SMALL.height);
    }
  });

  it('is shown where the security code is, by the brand', async () => {
    const page = await browser.page();
    const { address } = await openForm(gateway, 'sale-form');
    await page.goto(address);
    const hint = page.locator('#cvv2-hint');
    expect(await hint.textContent()).toBe('3 digits on the back');
    await page.locator('#credit_card_number').pressSequentially('3782');
    expect(await hint.textContent()).toBe('4 digits on the front');
    expect(await page.locator('[data-code=front]').isVisible()).toBe(true);
    expect(await page.locator('[data-code=back]').isVisible()).toBe(false);
    await page.locator('#credit_card_number').fill('4111');
    expect(await hint.textContent()).toBe('3 digits on the back');
  });

  it('may go back to the shop before a card, and the order stays open', async () => {
    const page = await browser.page();
    await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'The shop' }));
    const { address, payer } = await openForm(gateway, 'sale-form', BACK);
    await page.goto(address);
    await page.getByRole('link', { name: 'Return to Demo merchant' }).click();
    await page.waitForURL('https://shop.example/');
    expect(await payer.state()).toBe('card');
  });

  it('prints the receipt on one page, without buttons', async () => {
    const page = await browser.page();
    const { address } = await openForm(gateway, 'sale-form');
    await page.goto(address);
    await pay(page);
    await says(page, 'Payment received');
    for (const name of ['on the page at the end', 'on the receipt itself']) {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('button:visible, a.button:visible, nav:visible').count(), name).toBe(0);
      expect(await page.locator('dl.receipt').isVisible(), name).toBe(true);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), name).toHaveLength(1);
      await page.emulateMedia({ media: 'screen' });
      if (name.endsWith('end')) await page.getByRole('link', { name: 'Show the receipt' }).click();
      await page.locator('dl.receipt').waitFor();
    }
  });

  it('is asked by the issuer in the language of the page', async () => {
    const page = await browser.page();
    const { address } = await openForm(gateway, 'sale-form', { currency: 'EUR' }, { endpoint: 102 });
    await page.goto(`${address}?lang=de`);
    await pay(page, { number: TEST_CARDS.challenge.number });
    await says(page, 'Bestätigen Sie Ihre Zahlung');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.locator('button[value=cancel]').click();
    await says(page, 'Sie haben die Prüfung bei Ihrer Bank abgebrochen.');
  });
});
