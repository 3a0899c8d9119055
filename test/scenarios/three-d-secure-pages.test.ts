// The service's own 3-D Secure pages as a browser without scripts gets them: the merchant's page in the payer's
// language, which is kept on the way to the issuer and back.

import { expect, it } from 'vitest';
import { LANGUAGES } from '../../src/domain/merchant/look.ts';
import { lookStore } from '../../src/storage/looks.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { TEXTS } from '../../src/web/checkout/language.ts';
import { describeGateway } from '../harness.ts';
import { asking, REQUIRED } from './authenticating.ts';
import { openForm } from './form-payer.ts';
import { answerIssuer, formOf, type Page, Payer, SCREEN } from './payer.ts';

const DEMO = 1;

const languageOf = ({ text }: Page) => /<html lang="(\w+)" dir="(\w+)">/.exec(text)?.slice(1);

describeGateway('3-D Secure pages', {}, (gateway) => {
  it.each(LANGUAGES)('speak %s', async (language) => {
    const { 'redirect-to': address } = await asking(gateway, TEST_CARDS.challenge, {});
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    const preferring = await fetch(address, { headers: { 'accept-language': `${language}, en;q=0.5` } });
    for (const text of [await preferring.text(), (await new Payer().open(`${address}?lang=${language}`)).text]) {
      expect(text).toContain(`<html lang="${language}" dir="${direction}">`);
      expect(text).toContain(TEXTS[language].askingText);
      for (const other of LANGUAGES) if (other !== language) expect(text).toContain(`?lang=${other}"`);
    }
  });

  it.each(['challengeMethod', 'legacy'] as const)(
    'keep the language the payer chose, past the issuer and on to the result: %s',
    async (card) => {
      const { address, payer: form } = await openForm(
        gateway,
        'sale-form',
        { currency: 'EUR' },
        { endpoint: REQUIRED },
      );
      const fields = { credit_card_number: TEST_CARDS[card].number };
      expect((await form.pay(fields)).status).toBe(303);
      const led = (await form.open('?lang=ar')).headers.get('location');
      expect(led).toMatch(/^\/paynet\/3ds\/[\w-]+\?lang=ar$/);
      const payer = new Payer();
      let page = await payer.openWhenReady(new URL(led as string, address).href);
      const shown = [page];
      // The issuer that knows only version 1 does not ask for the browser.
      if (card === 'challengeMethod') {
        page = await payer.send(formOf(page, 1), SCREEN);
        shown.push(page);
      }
      expect(page.text).toContain(TEXTS.ar.toBankButton);
      expect(shown.map(languageOf)).toEqual(shown.map(() => ['ar', 'rtl']));
      const back = await answerIssuer(payer, await payer.send(formOf(page)), 'hint');
      const end = await payer.send(formOf(back));
      // The issuer's word may still be on its way.
      const last = end.status === 303 ? end : await payer.openWhenReady(payer.visited.at(-1) as string);
      expect(last).toMatchObject({ status: 303, url: `${address}?lang=ar` });
    },
  );

  it('go on in the browser’s language where an issuer brings back something else', async () => {
    const { 'redirect-to': address } = await asking(gateway, TEST_CARDS.challenge);
    const payer = new Payer();
    // Nobody chose one: nothing of it goes to the issuer.
    expect(formOf(await payer.openWhenReady(address)).fields).not.toHaveProperty('threeDSSessionData');
    const handOver = formOf(await payer.open(`${address}?lang=de`));
    expect(handOver.fields.threeDSSessionData).toBe('ZGU');
    for (const threeDSSessionData of ['', 'ZGUiPjxiPg', '"><b>', 'x'.repeat(5_000)]) {
      const action = address.replace('/3ds/', '/3ds/notify/');
      const page = await payer.send({ action, fields: { threeDSSessionData }, target: undefined });
      expect(languageOf(page)).toEqual(['en', 'ltr']);
      expect(payer.visited.at(-1)).toBe(address);
    }
  });

  it('may do only what they need, and are kept by nobody', async () => {
    const { 'redirect-to': address } = await asking(gateway, TEST_CARDS.challengeMethod, {});
    const { headers, forms } = await new Payer().openWhenReady(address);
    const issuer = `https: ${new URL(forms[0]?.action as string).origin}`;
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self' ${issuer}; form-action 'self' ${issuer}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
  });

  it('look as the merchant likes them, also in the frames the endpoint names', async () => {
    const look = { name: 'Ann’s <Socks>', accent: '#0b6b3a' };
    await lookStore(gateway.database).set({ endpointId: REQUIRED, merchantId: DEMO }, look, 'none');
    await gateway.changeEndpoint(REQUIRED, { frameAncestors: ['https://shop.example'] });
    await gateway.refresh();
    const { 'redirect-to': address } = await asking(gateway, TEST_CARDS.challenge);
    const { text, headers } = await new Payer().openWhenReady(address);
    for (const shown of ['Ann’s &lt;Socks&gt;', 'look-', '10.42']) expect(text).toContain(shown);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors https://shop.example;');
    expect(headers.get('x-frame-options')).toBeNull();
  });

  it('say what they wait for while the issuer’s word is on its way', async () => {
    const { 'redirect-to': address } = await asking(gateway, TEST_CARDS.challenge);
    const state = async () => ((await (await fetch(`${address}/state`)).json()) as { state: string }).state;
    expect(await state()).toBe('challenge');
    const payer = new Payer();
    const { creq = '' } = formOf(await payer.openWhenReady(address)).fields;
    const { challengeWindowSize: _, ...ids } = JSON.parse(Buffer.from(creq, 'base64url').toString());
    const cres = Buffer.from(JSON.stringify({ ...ids, messageType: 'CRes', transStatus: 'Y' })).toString('base64url');
    const notify = { action: address.replace('/3ds/', '/3ds/notify/'), fields: { cres }, target: undefined };
    const page = await payer.send(notify);
    expect(page.text).toContain(`/state" data-state="${await state()}"`);
    expect(page.text).toContain('<noscript><meta http-equiv="refresh"');
  });
});
