// The overview in Chromium: charts are drawn, new orders appear by themselves, a point leads to its orders, and
// everything can be read without good eyes.

import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { figureCounts } from '../../src/storage/figures/counting.ts';
import { until } from '../harness.ts';
import { hire } from '../scenarios/person-browser.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell, signIn } from './console-page.ts';

describeInBrowser('the overview', {}, (gateway, browser) => {
  /** What was counted a moment ago is counted again after ten seconds. */
  const countAll = async () => {
    gateway.clock.advance(11_000);
    while (await figureCounts(gateway.database).countLot(gateway.clock.now()));
  };

  beforeAll(async () => {
    await hire(gateway, 'olga', 'operator');
    await gateway.demo.saleUntilFinal();
    await gateway.demo.saleUntilFinal({ cvv2: '124' });
    await countAll();
  });
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const signedIn = async (colorScheme: 'light' | 'dark'): Promise<Page> => {
    return signIn(await browser.page({ colorScheme }), gateway.adminUrl, 'olga');
  };

  it.each(['light', 'dark'] as const)('is drawn and can be read, %s', async (scheme) => {
    const page = await signedIn(scheme);
    await page.goto(`${gateway.adminUrl}/console?range=hour`);
    await page.locator('.chart canvas').nth(2).waitFor();
    await page.getByText('The same figures as a table').click();
    await looksWell(page, `overview-${scheme}`);
  });

  it('shows new orders without being loaded again, and leads to the orders of a point', async () => {
    const page = await signedIn('light');
    const orders = page.locator('.tile', { hasText: 'Orders' }).first().locator('.figure');
    const before = Number(await orders.textContent());
    await page.evaluate('window.stays = true');
    const byItself = new Set<string | undefined>();
    page.on('request', (asked) => asked.resourceType() === 'fetch' && byItself.add(asked.headers()['tender-live']));
    await gateway.demo.saleUntilFinal();
    await countAll();
    await until('the new order is shown', async () => Number(await orders.textContent()) === before + 1);
    expect(await page.evaluate('window.stays')).toBe(true);
    expect([...byItself]).toEqual(['1']);
    const over = page.locator('.chart .u-over').first();
    const { width, height } = (await over.boundingBox()) as { width: number; height: number };
    const left = page.waitForRequest(/\/console\/orders\?/);
    await over.click({ position: { x: width - 2, y: height / 2 } });
    const { searchParams } = new URL((await left).url());
    expect(Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')).toBe(3_600_000);
  });
});
