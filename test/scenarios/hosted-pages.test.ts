// The payer's pages as a browser without scripts gets them: what they say, what they never say, and who may show them.

import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/domain/merchant/look.ts';
import { lookStore } from '../../src/storage/looks.ts';
import { TEXTS } from '../../src/web/checkout/language.ts';
import { CARD, describeGateway, type Fields, until } from '../harness.ts';
import { hiddenFields, openForm, Payer } from './form-payer.ts';

const CVV = '987';
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describeGateway('hosted pages', {}, (gateway) => {
  const { demo } = gateway;

  it('may do only what they need, are kept by nobody and shown in no frame', async () => {
    const { payer } = await openForm(gateway, 'sale-form');
    const { headers } = await payer.open();
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
  });

  it('are shown in the frames of the origins the endpoint names', async () => {
    const { client, id } = await gateway.newMerchant({
      frameAncestors: ['https://shop.example', 'https://m.shop.example'],
    });
    const { payer } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
    const { headers } = await payer.open();
    expect(headers.get('content-security-policy')).toContain(
      'frame-ancestors https://shop.example https://m.shop.example;',
    );
    expect(headers.get('x-frame-options')).toBeNull();
  });

  it.each(LANGUAGES)('speak %s', async (language) => {
    const { payer } = await openForm(gateway, 'sale-form');
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    for (const page of [
      await payer.open('', { 'accept-language': `${language}, en;q=0.5` }),
      await payer.open(`?lang=${language}`),
    ]) {
      expect(page.text).toContain(`<html lang="${language}" dir="${direction}">`);
      expect(page.text).toContain(TEXTS[language].cardNumber);
      expect(page.headers.get('content-language')).toBe(language);
    }
  });

  it('write whatever a merchant tells as text', async () => {
    const evil = `<script>alert('1')</script>"><img src=x onerror=alert(1)>`;
    const { payer } = await openForm(gateway, 'sale-form', {
      order_desc: evil,
      merchant_data: evil,
      redirect_url: 'https://shop.example/?"><script>',
    });
    expect((await payer.open()).text).not.toMatch(/<script>|<img src=x/);
    await payer.pay({ card_printed_name: '<b>Ann</b>' });
    expect((await payer.open()).text).not.toMatch(/<script>|<b>/);
  });

  describe('a form that is not filled in rightly', () => {
    const faultsOf = (text: string) =>
      [...text.matchAll(/class="fault" id="([^"]+)-error">([^<]+)</g)].map(([, name, fault]) => [name, fault]);

    it('says what is wrong beside each field, and writes no secret back', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form');
      const wrong: Fields = {
        credit_card_number: '4111 1111 1111 1112',
        cvv2: '98',
        expiry: '13 / 31',
        card_printed_name: CARD,
      };
      const page = await payer.pay(wrong);
      expect(page.status).toBe(422);
      expect(faultsOf(page.text)).toEqual([
        ['credit_card_number', 'This card number is not valid. Please check it.'],
        ['expiry', 'Enter the month and the year as on the card, such as 08 / 29.'],
        ['cvv2', 'The security code has 3 or 4 digits.'],
        ['card_printed_name', 'Please check this field.'],
      ]);
      for (const secret of [CARD, '4111 1111', '41111', 'value="98"']) expect(page.text).not.toContain(secret);
      expect(page.text).toContain('value="13 / 31"');
      const status = (await demo.status({ client_orderid: clientOrderId })).body;
      expect(status).toMatchObject({ status: 'processing' });
      expect(status['last-four-digits']).toBeUndefined();
    });

    it('asks for what is missing, and finds a card that has expired', async () => {
      const { payer } = await openForm(gateway, 'sale-form');
      const empty = await payer.pay({ credit_card_number: '', cvv2: '', expiry: '', card_printed_name: ' ' });
      expect(faultsOf(empty.text).map(([, fault]) => fault)).toEqual([
        'Enter the card number.',
        'Enter the expiry date.',
        'Enter the security code.',
        'Enter the name on the card.',
      ]);
      expect(faultsOf((await payer.pay({ expiry: '01 / 20' })).text)).toEqual([['expiry', 'This card has expired.']]);
    });

    it('names the fields whose faults do not, and reads the digits of other scripts', async () => {
      const { client, id } = await gateway.newMerchant({ requiredFields: ['phone', 'state', 'city'] });
      const { payer } = await openForm(gateway, 'payment-form', {}, { client, endpoint: id });
      const page = await payer.pay({ phone: 'none', state: 'California' });
      const listed = [...page.text.matchAll(/<li><a href="#\w+">([^<]*)</g)].map(([, text]) => text);
      expect(listed).toEqual([
        'Phone number: Please check this field.',
        'City: Please fill in this field.',
        'State or province (code): Please check this field.',
      ]);
      const told = { phone: '+1 (555) 123-4567', state: 'CA', city: 'Los Angeles' };
      const card = { credit_card_number: '٤١١١ ١١١١ ١١١١ ١١١١', expiry: '١٢/٣١', cvv2: '۱۲۳' };
      expect((await payer.pay({ ...told, ...card })).status).toBe(303);
    });

    it('is taken without the characters that cannot be kept', async () => {
      const { payer, clientOrderId } = await openForm(gateway, 'sale-form');
      expect((await payer.pay({ card_printed_name: 'ANN\u0000 EXAM\u0007PLE' })).status).toBe(303);
      const status = await gateway.demo.untilFinal(clientOrderId);
      expect(status).toMatchObject({ status: 'approved', 'cardholder-name': 'ANN EXAMPLE' });
    });

    it('may be right the next time, and costs no try', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form');
      for (const _ of [1, 2, 3, 4]) expect((await payer.pay({ credit_card_number: '1' })).status).toBe(422);
      await payer.pay();
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    });
  });

  it('are sent from themselves alone', async () => {
    const { orderId, payer } = await openForm(gateway, 'sale-form');
    const other = await openForm(gateway, 'sale-form');
    const hidden = hiddenFields((await payer.open()).text);
    const foreign = hiddenFields((await other.payer.open()).text);
    const attempts: [Fields, Record<string, string>][] = [
      [{ ...hidden, proof: undefined }, {}],
      [{ ...hidden, proof: foreign.proof }, {}],
      [hidden, { 'sec-fetch-site': 'cross-site' }],
      [hidden, { 'sec-fetch-site': 'same-site' }],
      [hidden, { origin: 'https://evil.example' }],
      [hidden, { origin: 'null' }],
    ];
    for (const [fields, headers] of attempts) expect((await payer.send(fields, {}, headers)).status).toBe(403);
    expect(await gateway.bookedFor(orderId)).toEqual([]);
    expect((await payer.send(hidden, {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  it('are found by their whole link alone', async () => {
    const { address } = await openForm(gateway, 'sale-form');
    const changed = address.slice(0, -1) + (address.endsWith('A') ? 'B' : 'A');
    for (const link of [changed, address.slice(0, -5), `${address}/other`, address.replace(/pay\/.*/, 'pay/')]) {
      const page = await new Payer(gateway.origin, link).open();
      expect([page.status, page.text.includes('This is not a valid payment link')]).toEqual([404, true]);
    }
  });

  it.each([
    ['an endpoint', (id: number) => gateway.changeEndpoint(id, { enabled: false })],
    ['a merchant', (id: number) => gateway.changeMerchant(id, { enabled: false })],
  ])('take no card for %s that was disabled meanwhile', async (_, disable) => {
    const { client, id } = await gateway.newMerchant();
    const { orderId, payer } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
    await disable(id);
    const page = await payer.pay();
    expect([page.status, page.text.includes('takes no cards at the moment')]).toEqual([403, true]);
    expect(page.text).not.toContain(CARD);
    expect(await gateway.bookedFor(orderId)).toEqual([]);
  });

  it('leave neither card number nor security code behind', async () => {
    const { payer } = await openForm(gateway, 'sale-form');
    await payer.pay({ cvv2: CVV });
    await until('another card is asked for', async () => (await payer.state()) === 'card');
    const pages = [await payer.open(), await payer.open('/state')];
    const everything = [...gateway.log, await gateway.everythingStored(), ...pages.map(({ text }) => text)].join('\n');
    for (const secret of [CARD, '4111 1111 1111 1111', Buffer.from(CARD).toString('hex')]) {
      expect(everything).not.toContain(secret);
    }
    expect(gateway.log.join('\n')).not.toMatch(new RegExp(`(?<![\\d.])${CVV}(?!\\d)`));
  });

  it('look as the merchant likes them', async () => {
    const { client, id } = await gateway.newMerchant();
    const logo = { type: 'image/png', digest: '0123456789abcdef', bytes: PICTURE } as const;
    const look = {
      name: 'Ann’s <Socks>',
      accent: '#0b6b3a',
      texts: { intro: { all: 'Hello', de: 'Hallo' }, help: { all: 'Ask Ann' } },
    };
    await lookStore(gateway.database).set({ endpointId: id, merchantId: id }, look, logo);
    await gateway.refresh();
    const { payer } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
    const { text } = await payer.open('?lang=de');
    for (const shown of ['Ann’s &lt;Socks&gt;', 'Hallo', 'Ask Ann']) expect(text).toContain(shown);
    const asset = async (pattern: RegExp) => fetch(gateway.origin + (pattern.exec(text)?.[1] ?? '/none'));
    const colours = await asset(/href="([^"]*look-[^"]*)"/);
    expect(await colours.text()).toContain('--accent: #0b6b3a; --on-accent: #ffffff;');
    const picture = await asset(/src="([^"]*logo-[^"]*)"/);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE);
    expect((await fetch(`${gateway.origin}/paynet/assets/logo-${id}-ffffffffffffffff`)).status).toBe(404);
    expect((await fetch(`${gateway.origin}/paynet/assets/../../package.json`)).status).toBe(404);
    await lookStore(gateway.database).set({ endpointId: id, merchantId: id }, {}, 'none');
    await gateway.refresh();
    expect((await payer.open()).text).not.toContain('logo-');
  });
});
