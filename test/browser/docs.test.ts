// The documentation in a browser: found by searching, read on a phone and a desktop, in light and dark, and tried.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { DESKTOP, describeInBrowser, PHONE } from './chromium.ts';

const pictures = process.env.TENDER_SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

/** Pages of every kind: lists, tables, programs, pictures, forms. */
const PAGES = [
  '',
  'guides/first-payment',
  'guides/callbacks',
  'reference/operations/sale',
  'reference/errors',
  'search',
];

describeInBrowser('the documentation in a browser', {}, (gateway, browser) => {
  const docs = (path: string) => `${gateway.origin.replace('127.0.0.1', 'localhost')}/docs/${path}`;

  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  async function opened(path: string, options: Parameters<typeof browser.page>[0] = {}): Promise<Page> {
    const page = await browser.page(options);
    await page.goto(docs(path), { waitUntil: 'networkidle' });
    return page;
  }

  it.each([
    ['a desktop, in light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a phone, in dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('fits %s, and axe-core finds nothing', async (view, options) => {
    const page = await browser.page(options);
    for (const path of PAGES) {
      await page.goto(docs(path), { waitUntil: 'networkidle' });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
      const found = violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(', ')}`);
      expect([path, found]).toEqual([path, []]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, options.viewport.width]);
      const broken = '[...document.images].filter((one) => one.complete && one.naturalWidth === 0).length';
      expect([path, await page.evaluate<number>(broken)]).toEqual([path, 0]);
      if (!pictures) continue;
      const name = `docs-${path.replaceAll('/', '-') || 'index'}-${view.split(',')[0]?.slice(2)}.png`;
      await page.screenshot({ path: join(pictures, name) });
    }
  });

  it('finds a page while somebody types, and all results on a page of their own', async () => {
    const page = await opened('guides/sandbox');
    await page.getByRole('searchbox').pressSequentially('invalid control');
    await page.locator('.suggestions a').filter({ hasText: 'Error 20' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/search\?q=invalid/);
    await page.locator('[data-results] a').filter({ hasText: 'Error 20' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Error 20: invalid-control-code' }).waitFor();
    await page.goto(docs('search?q=%3Cimg%20src%3Dx%3E'));
    await page.getByText('Nothing was found for').waitFor();
  });

  it('lists every page to who has no scripts', async () => {
    const page = await opened('search?q=sale', { javaScriptEnabled: false });
    expect(await page.locator('[data-results] a').count()).toBeGreaterThan(150);
    await page.goto(docs('guides/first-payment'));
    expect(await page.locator('figure:visible').count()).toBeGreaterThan(10);
  });

  it('opens its menu on a phone, and remembers the language of examples', async () => {
    const page = await opened('guides/first-payment', { viewport: PHONE });
    const menu = page.getByRole('navigation', { name: 'Documentation' });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'Callbacks', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Python' }).first().click();
    await page.goto(docs('reference/operations/sale'));
    await page.getByText('from tender import').waitFor();
    expect(await page.locator('figure:visible').count()).toBe(1);
  });

  async function tried(path: string): Promise<string> {
    const page = await opened(path);
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    await page.getByRole('button', { name: 'Sign and send' }).click();
    const answer = page.locator('[data-answer]');
    await answer.filter({ hasText: 'HTTP' }).waitFor();
    return (await answer.textContent()) ?? '';
  }

  it('signs and sends what is tried: by control, by HMAC-SHA1 and by RSA-SHA256', async () => {
    expect(await tried('reference/operations/sale')).toMatch(/^HTTP 200.*"type": "async-response"/s);
    // Money to pay out.
    await gateway.demo.saleUntilFinal({ amount: '100.00' });
    expect(await tried('reference/operations/payout')).toMatch(/^HTTP 200.*"type": "async-response"/s);
    expect(await tried('reference/operations/sale_v4')).toMatch(/^HTTP 200.*"type": "async-response"/s);
  });

  it('leads from an error to its page', async () => {
    const page = await opened('reference/operations/sale');
    await page.getByLabel('currency', { exact: false }).first().fill('XXX');
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByRole('link', { name: /What error \d+ means/ }).click();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    // Chromium tells of every refused request.
    expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
  });
});
