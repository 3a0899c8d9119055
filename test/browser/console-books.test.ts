// Books, audit chain, people and sandbox in Chromium: a run that is watched, a person who is added, orders that are
// made; every page on a desktop and a tablet, light and dark, for good eyes and for none.

import { afterEach, expect, it } from 'vitest';
import { hire } from '../scenarios/person-browser.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell, signIn } from './console-page.ts';

describeInBrowser('books, people and sandbox in the console', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('somebody verifies, looks at the books and the audit chain, adds a person, and plays in the sandbox', async () => {
    await gateway.demo.saleUntilFinal();
    await hire(gateway, 'ada', 'administrator');
    const page = await browser.page();
    const menu = page.getByRole('navigation', { name: 'Console' });
    const choose = (name: string) => menu.getByRole('link', { name, exact: true }).click();
    page.on('dialog', (dialog) => dialog.accept());
    await signIn(page, gateway.adminUrl, 'ada');
    await choose('Balances');
    await page.getByText('what the merchant is owed').waitFor();
    await looksWell(page, 'balances');

    await choose('Verify');
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByText('Everything is as it must be').waitFor();
    await looksWell(page, 'verify');

    await choose('Reconcile');
    await page.getByRole('button', { name: "Compare with the bank's books" }).click();
    await page.getByText('Nothing differs').waitFor();
    await looksWell(page, 'reconcile');

    await choose('Settlement');
    await page.getByRole('button', { name: 'End the day' }).click();
    await page.getByRole('button', { name: 'Compare with ours' }).click();
    await page.getByText('Nothing differs').waitFor();
    await looksWell(page, 'settlement');

    await choose('Audit chain');
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await page.locator('#runs').getByText('The chain holds from entry 1').waitFor();
    await looksWell(page, 'audit');

    await choose('People');
    await looksWell(page, 'people');
    await page.getByLabel('Name').fill('nora');
    await page.getByRole('button', { name: 'Add, and show a one-time link' }).click();
    await page.getByText('This is shown once').waitFor();
    await looksWell(page, 'invited');
    await page.getByRole('link', { name: 'nora' }).click();
    await page.getByRole('heading', { name: 'nora' }).waitFor();
    await looksWell(page, 'person');

    await choose('Vault');
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await looksWell(page, 'vault');

    await choose('Orders, cards, clock');
    await page.getByLabel('How many').fill('2');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('Made 2 orders').waitFor();
    await looksWell(page, 'sandbox');

    await choose('Bank faults');
    await page.getByRole('button', { name: /^Switch on.*Answers never arrive/ }).click();
    await page.getByText('misbehaves').waitFor();
    await looksWell(page, 'bank-faults');
    await page.getByRole('button', { name: 'End all faults' }).click();
    await page.getByText('behaves well', { exact: true }).waitFor();

    await choose('Network faults');
    await page.getByLabel('The answer to an authentication (ARes)').selectOption('slow');
    await page.getByRole('button', { name: 'Let exactly these' }).click();
    await page.getByText('misbehave', { exact: true }).waitFor();
    await looksWell(page, 'network-faults');
  });
});
