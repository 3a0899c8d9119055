// Every page of the console, found as a person finds it: from the first page by links alone. Each is there, in light on
// a desktop and in dark on a tablet, fits its screen, breaks no content policy and has nothing that axe-core finds.
// With TENDER_SCREENSHOTS pictures of all are kept.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { pageAt } from '../../src/console/addresses.ts';
import type { ConsolePage } from '../../src/console/page.ts';
import { allPages } from '../../src/console/pages.ts';
import type { TestGateway } from '../harness.ts';
import { pathOf } from '../scenarios/console-walk.ts';
import { askBy, hire, localNote } from '../scenarios/person-browser.ts';
import { recurringPayment } from '../scenarios/stored-cards.ts';
import { DESKTOP, describeInBrowser } from './chromium.ts';
import { signIn, TABLET } from './console-page.ts';

const pictures = process.env.TENDER_SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

const VIEWS = [
  { view: 'desktop', colorScheme: 'light', size: DESKTOP },
  { view: 'tablet', colorScheme: 'dark', size: TABLET },
  // Pictures are taken of every combination; for the rest two show as much as four.
  ...(pictures
    ? ([
        { view: 'desktop', colorScheme: 'dark', size: DESKTOP },
        { view: 'tablet', colorScheme: 'light', size: TABLET },
      ] as const)
    : []),
] as const;

const LINKS = `[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href').split('#')[0])`;

/** The list of orders, where it does not show all of its columns at once. */
const CUT_TABLES = `[...document.querySelectorAll('.table[aria-label="Orders"]')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute('aria-label'))`;

/** What pages load or offer, and no pages themselves. */
const FILE = /(\.csv|\/colours|\/logo)$/;

async function somethingToSee(gateway: TestGateway): Promise<void> {
  const { demo } = gateway;
  const shop = await gateway.shop();
  const told = { server_callback_url: shop.url() };
  const sale = await demo.saleUntilFinal({ amount: '10.00', email: 'ann@shop.example', ...told });
  await recurringPayment(demo);
  const { url, token } = await localNote(gateway.dataFolder);
  const named = await askBy(url, token, 'setNetwork', { brand: 'visa', address: 'https://directory.example/3ds' });
  expect([named.status, named.body.error]).toEqual([200, undefined]);
  await demo.followUp('return', sale, { amount: '4.00', currency: 'USD' });
  const long = { email: 'wilhelmina.wolkenstein@marketing.example', amount: '1234567.89' };
  for (const one of [1, 2]) await demo.saleUntilFinal({ ...long, client_orderid: `WWWWWWWWWWWWWWWWWWW${one}` });
  await demo.saleUntilFinal({ cvv2: '116' });
  await demo.preauthUntilFinal();
  await demo.post('/api/v2/sale/101', { login: 'demo', control: 'f'.repeat(40) });
}

describeInBrowser('the console', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const signedIn = async (role: string, login?: string): Promise<Page> => {
    const name = `looker-${role}-${login ?? 'all'}`;
    await hire(gateway, name, role, login);
    return signIn(await browser.page(), gateway.adminUrl, name);
  };

  const faultsOf = async (page: Page, name: string): Promise<string[]> => {
    const faults: string[] = [];
    for (const { view, colorScheme, size } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > size.width) faults.push(`${name} is ${width} wide on a ${view}`);
      for (const table of await page.evaluate<string[]>(CUT_TABLES)) faults.push(`${name}: ${table} cut on a ${view}`);
      const path = `console-${name}-${view}-${colorScheme}.png`;
      if (pictures) await page.screenshot({ path: join(pictures, path), fullPage: true });
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
      faults.push(
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name} on a ${view}: ${id} at ${html}`)),
      );
    }
    return faults;
  };

  /** Follows links until each page was seen once; answers those that were, and what was wrong with them. */
  const lookAround = async (page: Page, who: string) => {
    const seen = new Set<ConsolePage>();
    const known = new Set<string>();
    const open = ['/console'];
    const faults: string[] = [];
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      const found = pageAt(allPages, pathOf(path));
      if (!found || seen.has(found.page)) continue;
      if (FILE.test(found.page.path)) {
        const file = await page.request.get(`${gateway.adminUrl}${path}`);
        if (file.status() === 200) seen.add(found.page);
        continue;
      }
      const reply = await page.goto(`${gateway.adminUrl}${path}`);
      if (reply?.status() !== 200) {
        faults.push(`${path} is answered with ${reply?.status()}`);
        continue;
      }
      seen.add(found.page);
      await page.evaluate(axe.source);
      faults.push(...(await faultsOf(page, `${who}-${found.page.path.replace(/\W+/g, '-') || 'first'}`)));
      for (const link of await page.evaluate<string[]>(LINKS)) {
        if (!link.startsWith('/console') || known.has(link)) continue;
        known.add(link);
        open.push(link);
      }
    }
    return { seen, faults };
  };

  it('has every page within the reach of an administrator, and each looks well', async () => {
    await somethingToSee(gateway);
    const { seen, faults } = await lookAround(await signedIn('administrator'), 'administrator');
    expect(faults).toEqual([]);
    const unseen = allPages.filter((page) => !seen.has(page) && !FILE.test(page.path));
    expect(unseen.map(({ path }) => path)).toEqual([]);
  });

  it("leads a merchant's people nowhere that is not for them", async () => {
    const { seen, faults } = await lookAround(await signedIn('administrator', 'demo'), 'merchant');
    expect(faults).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  });
});
