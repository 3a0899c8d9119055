// The first page of a sandbox, and the first sign-in, as a newcomer goes through them.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { PASSWORD } from '../scenarios/person-browser.ts';
import { describeInBrowser, PHONE } from './chromium.ts';
import { looksWell } from './console-page.ts';

const pasted = async (command: string) => JSON.parse((await promisify(execFile)('bash', ['-c', command])).stdout);

describeInBrowser('the landing page of a sandbox', {}, (gateway, browser) => {
  const home = () => gateway.origin.replace('127.0.0.1', 'localhost');

  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('is at the address, and at the base address with and without a slash', async () => {
    for (const path of ['/', '/paynet', '/paynet/']) {
      const reply = await fetch(gateway.origin + path);
      expect([reply.status, (await reply.text()).includes('Your payment gateway is running')]).toEqual([200, true]);
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await fetch(`${gateway.origin}/paynet`, { method: 'POST' })).status).toBe(404);
  });

  it('leads to places that are there', async () => {
    const page = await browser.page();
    await page.goto(`${home()}/`);
    const links = await page.evaluate<string[]>('[...document.links].map((one) => one.href)');
    expect(links.length).toBeGreaterThan(6);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await looksWell(page, 'landing', [PHONE]);
  });

  it('copies a payment that works where it is pasted', async () => {
    const person = await browser.person({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await person.newPage();
    await page.goto(`${home()}/paynet/`);
    const copied = async (title: string) => {
      await page.getByRole('button', { name: `Copy: ${title}` }).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await pasted(await copied('Take a payment'))).toMatchObject({ type: 'async-response' });
    const ask = await copied('Ask what became of it');
    await until('it is approved', async () => (await pasted(ask)).status === 'approved');
  });

  it("leads the demo's administrator from the one-time link back to it", async () => {
    const { link = '' } = await gateway.firstSignIn(true);
    const page = await browser.page();
    await page.goto(link);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Choose it' }).click();
    await page.getByRole('link', { name: 'What runs here' }).click();
    await page.getByRole('heading', { name: 'Your payment gateway is running' }).waitFor();
  });
});
