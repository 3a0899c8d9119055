// People's pages in Chromium: a passkey is added and signs in, an app is set up, and nothing on the way needs a mouse,
// a wide screen or good eyes. The authenticator is Chromium's own virtual one.

import type { CDPSession, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { fromBase32, totpCode, totpStep } from '../../src/domain/people/totp.ts';
import { until } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD } from '../scenarios/person-browser.ts';
import { describeInBrowser } from './chromium.ts';
import { looksWell } from './console-page.ts';

const PHONE = { width: 360, height: 740 };

describeInBrowser("people's pages", {}, (gateway, browser) => {
  afterEach(async () => {
    await browser.endAll();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const invite = async (name: string, role: string): Promise<string> => {
    const { url, token } = await localNote(gateway.dataFolder);
    return (await askBy(url, token, 'addPerson', { name, role })).body.answer.link;
  };

  const withAuthenticator = async (page: Page): Promise<CDPSession> => {
    const debug = await page.context().newCDPSession(page);
    await debug.send('WebAuthn.enable');
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return debug;
  };

  /** From the console, to which signing in leads. */
  const toAccount = async (page: Page) => {
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.locator('.here a').click();
    await page.getByText('Tokens for programs').waitFor();
  };

  const signInWithPasskey = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await toAccount(page);
  };

  it('a new person adds a passkey by a one-time link, and signs in with it alone', async () => {
    const page = await browser.page();
    await withAuthenticator(page);
    await page.goto(await invite('petra', 'viewer'));
    expect(new URL(page.url()).hash).toBe('');
    await looksWell(page, 'first-sign-in', [PHONE]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Choose a password, or add a passkey.').waitFor();
    await page.getByLabel('What to call it').fill('Test key');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is added.').waitFor();
    await looksWell(page, 'account-set-up', [PHONE]);
    await page.getByRole('link', { name: 'sign in now' }).click();
    await looksWell(page, 'sign-in', [PHONE]);
    await signInWithPasskey(page);
    await page.getByText('by passkey from 127.0.0.1').waitFor();
    await looksWell(page, 'account', [PHONE]);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByText('You are signed out.').waitFor();
  });

  it('a passkey is added and signs in after the lookup key was changed', async () => {
    const { url, token } = await localNote(gateway.dataFolder);
    expect((await askBy(url, token, 'rotateLookupKey')).status).toBe(200);
    await until('new digests are under the new key', async () => {
      gateway.clock.advance(1000);
      await gateway.refresh();
      return gateway.store.vault.currentLookupKeyId !== 0;
    });
    const page = await browser.page();
    await withAuthenticator(page);
    await page.goto(await invite('nina', 'viewer'));
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is added.').waitFor();
    await page.goto(`${gateway.adminUrl}/sign-in`);
    await signInWithPasskey(page);
  });

  it('a passkey that was removed, or belongs to nobody here, signs nobody in', async () => {
    const page = await browser.page();
    await withAuthenticator(page);
    await page.goto(await invite('paul', 'viewer'));
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is added.').waitFor();
    await page.goto(`${gateway.adminUrl}/sign-in`);
    await signInWithPasskey(page);
    await page.getByRole('button', { name: 'Remove My passkey' }).click();
    await page.getByText('Your passkey is removed.').waitFor();
    await page.goto(`${gateway.adminUrl}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey was not taken.').waitFor();
  });

  it('an answer of a passkey is taken once', async () => {
    const page = await browser.page();
    await withAuthenticator(page);
    await page.goto(await invite('pia', 'viewer'));
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is added.').waitFor();
    await page.goto(`${gateway.adminUrl}/sign-in`);
    const sent = page.waitForRequest(`${gateway.adminUrl}/sign-in/passkey`);
    await signInWithPasskey(page);
    const body = (await sent).postData() ?? '';
    // Passkeys that do not count are told apart by their challenge alone.
    await gateway.query("update passkeys set counter = 0 where person = 'pia'");
    const again = await fetch(`${gateway.adminUrl}/sign-in/passkey`, {
      method: 'POST',
      headers: { origin: gateway.adminUrl, 'content-type': 'application/json' },
      body,
    });
    expect(again.status).toBe(403);
  });

  it('somebody with a password sets up an app, signs in with its code, and makes a token', async () => {
    await hire(gateway, 'tom', 'operator');
    const page = await browser.page();
    await page.goto(`${gateway.adminUrl}/account`);
    await page.getByLabel('Name').fill('tom');
    await page.getByLabel('Password').fill('wrong wrong wrong');
    await page.keyboard.press('Enter');
    await page.getByText('That did not work.').waitFor();
    await looksWell(page, 'sign-in-refused', [PHONE]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await toAccount(page);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const secret = (await page.locator('.cards pre code').innerText()).replaceAll(' ', '');
    await looksWell(page, 'account-app', [PHONE]);
    const shows = () => totpCode(fromBase32(secret), totpStep(gateway.clock.now()));
    await page.getByLabel('Code').fill(shows());
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByText('Codes of your app are asked for').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    gateway.clock.advance(60_000);
    await page.getByLabel('Name').fill('tom');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Code of your authenticator app').fill(shows());
    await page.keyboard.press('Enter');
    await toAccount(page);
    await page.getByLabel('What it is for').fill('nightly report');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const token = await page.locator('.notice code').innerText();
    expect((await askBy(gateway.adminUrl, token, 'listMerchants')).status).toBe(200);
    await looksWell(page, 'account-token', [PHONE]);
  });
});
