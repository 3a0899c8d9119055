// The console's pages of set-up in Chromium: a merchant is added, its key copied, its endpoint routed and given a look
// whose preview follows what is typed; every page is looked at in its sizes, light and dark.

import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { askBy, hire, localNote } from '../scenarios/person-browser.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell, signIn } from './console-page.ts';

const BUTTON = '.look-preview.light .preview-button';

describeInBrowser('the set-up pages of the console', {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const signedIn = async (name: string, role: string, login?: string): Promise<Page> => {
    await hire(gateway, name, role, login);
    const page = await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] });
    return signIn(page, gateway.adminUrl, name);
  };

  it('an administrator sets up a merchant, from its key to where its cards go', async () => {
    const page = await signedIn('boss', 'administrator');
    await page.getByRole('link', { name: 'Merchants' }).click();
    await page.getByText('Add a merchant').click();
    await looksWell(page, 'merchants');
    await page.getByLabel('Login', { exact: true }).fill('socks');
    await page.getByRole('button', { name: 'Add the merchant' }).click();
    const secret = await page.locator('#secret').innerText();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await looksWell(page, 'merchant-added');
    await page.getByRole('link', { name: 'Go on to socks' }).click();
    await page.getByText('Add an endpoint').click();
    await page.getByLabel('Currency', { exact: true }).fill('USD');
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByText('The endpoint is added.').waitFor();
    await looksWell(page, 'merchant');

    await page.getByRole('link', { name: 'See and change keys' }).click();
    await page.getByRole('button', { name: 'Make a new key' }).click();
    await page.getByRole('link', { name: 'Go on to the next step' }).click();
    await page.getByText('No request has come with the new key').first().waitFor();
    await looksWell(page, 'keys');

    await page.goto(`${gateway.adminUrl}/console/merchants/socks`);
    await page.locator('#endpoints td a').first().click();
    await page.getByLabel('Rules', { exact: true }).fill('brand=GREEN -> demo-bank');
    await page.getByText('brand needs one of').waitFor();
    await page.getByLabel('Rules', { exact: true }).fill('brand=VISA -> demo-bank; share=30 -> demo-bank; demo-bank');
    await page.getByText('If the card is VISA: to demo-bank.').waitFor();
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('The route is changed.').waitFor();
    await looksWell(page, 'endpoint');

    await page.getByRole('link', { name: 'Where would this card go?' }).last().click();
    await page.getByLabel('Card', { exact: true }).fill('5555555555554444');
    await page.getByLabel('Amount', { exact: true }).fill('10.00');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It decides 70% of such payments').waitFor();
    expect(await page.getByLabel('Card', { exact: true }).inputValue()).toBe('55555555');
    await looksWell(page, 'where');
  });

  it('a look is previewed while it is typed, and warned of, by people of the merchant', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    await askBy(url, token, 'addMerchant', { login: 'hats' });
    await askBy(url, token, 'addEndpoint', { login: 'hats', currency: 'EUR', endpointId: 8001 });
    const page = await signedIn('hanna', 'administrator', 'hats');
    await page.getByRole('link', { name: 'Your merchant' }).click();
    await page.getByRole('link', { name: 'hats' }).click();
    await page.getByRole('link', { name: '8001' }).click();
    await page.getByRole('link', { name: 'How its payment pages look' }).click();
    const colour = () => page.evaluate<string>(`getComputedStyle(document.querySelector('${BUTTON}')).backgroundColor`);
    await page.locator(BUTTON).waitFor();
    expect(await colour()).toBe('rgb(35, 71, 197)');
    await page.getByLabel('Accent', { exact: true }).fill('#ffff00');
    await page.getByText('choose a darker one').waitFor();
    await page.getByLabel('Accent', { exact: true }).fill('#7a1f3d');
    await page.getByText('choose a darker one').waitFor({ state: 'detached' });
    expect(await colour()).toBe('rgb(122, 31, 61)');
    await page.getByLabel('Name').fill('Hats & more');
    await page.locator('.look-preview.dark').getByText('Hats & more').waitFor();
    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await page.locator('.brand').first().screenshot(),
    });
    await page.locator('canvas.preview-logo').first().waitFor({ state: 'visible' });
    await looksWell(page, 'look');
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('The look is saved.').waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).waitFor();
    expect(await colour()).toBe('rgb(122, 31, 61)');
    await until('the logo is shown', () =>
      page.evaluate<boolean>("document.querySelector('.look-preview img').naturalWidth > 0"),
    );
  });

  it('lists, terminals and networks can be seen and used', async () => {
    const page = await signedIn('otto', 'administrator');
    for (const [path, heading] of [
      ['groups', 'Groups of endpoints'],
      ['limits', 'Limits'],
      ['lists', 'Block lists'],
      ['terminals', 'Terminals'],
      ['connectors/stripe', 'Connector stripe'],
      ['networks', 'Card networks'],
    ] as const) {
      await page.goto(`${gateway.adminUrl}/console/${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await looksWell(page, path.replace('/', '-'));
    }
    await page.goto(`${gateway.adminUrl}/console/terminals/demo-bank`);
    await page.getByRole('button', { name: 'Test it now' }).click();
    await page.getByText('works', { exact: true }).first().waitFor();
    await looksWell(page, 'terminal');
  });
});
