// The console's pages of set-up over HTTP: what they show and change, for whom, and that no text of others becomes
// markup. Every page is tried by somebody of another merchant with ids that are right.

import { beforeAll, expect, it } from 'vitest';
import { describeGateway, until } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';

const SCRIPT = '<script>alert(1)</script>';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const CARD = '4111111111111111';

type UsedKey = { readonly kind: string; readonly use: { readonly count: number } };

describeGateway('the set-up pages of the console', {}, (gateway) => {
  let boss: PersonBrowser;
  let viewer: PersonBrowser;
  let own: PersonBrowser;
  let theirs: { login: string; endpointId: number };

  const ask = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    const { status, body } = await askBy(url, token, verb, given);
    if (status !== 200) throw new Error(`${verb}: ${status} ${body.error}`);
    return body.answer;
  };
  const signedIn = async (name: string, role: string, login?: string) => {
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
    return browser;
  };
  const page = async (browser: PersonBrowser, path: string, status = 200) => {
    const reply = await browser.send(`/console/${path}`);
    expect([path, reply.status]).toEqual([path, status]);
    return reply.text;
  };
  /** Sends a form and follows where it leads. */
  const sent = async (browser: PersonBrowser, path: string, fields: Record<string, string>) => {
    const reply = await browser.form(`/console/${path}`, fields);
    expect([path, reply.status, reply.status === 303 || reply.text]).toEqual([path, 303, true]);
    return (await browser.send(String(reply.headers.location))).text;
  };

  beforeAll(async () => {
    boss = await signedIn('boss', 'administrator');
    viewer = await signedIn('vera', 'viewer');
    await ask('addMerchant', { login: 'mine', name: 'Mine' });
    await ask('addEndpoint', { login: 'mine', currency: 'USD', endpointId: 7001 });
    await ask('addMerchant', { login: 'theirs', name: `Theirs ${SCRIPT}` });
    await ask('addEndpoint', { login: 'theirs', currency: 'EUR', endpointId: 7002, name: `Shop ${SCRIPT}` });
    await ask('addGroup', { login: 'theirs', endpointIds: [7002], groupId: 7003 });
    await ask('setLook', {
      endpointId: 7002,
      name: `Look ${SCRIPT}`,
      intro: `Intro ${SCRIPT}`,
      logo: PNG.toString('base64'),
    });
    await ask('setLimit', { endpointId: 7002, kind: 'card', window: '24h', count: 3 });
    await ask('addBlock', { login: 'theirs', kind: 'email', value: 'bad@example.com', note: `Why ${SCRIPT}` });
    theirs = { login: 'theirs', endpointId: 7002 };
    own = await signedIn('olga', 'administrator', 'mine');
  });

  it('shows texts of merchants as text, on every page', async () => {
    for (const path of [
      'merchants',
      'merchants/theirs',
      'endpoints/7002',
      'endpoints/7002/look',
      'lists?of=theirs',
      'where',
    ]) {
      const text = await page(boss, path);
      expect([path, text.includes(ESCAPED), text.includes(SCRIPT)]).toEqual([path, true, false]);
    }
    for (const path of [
      'groups',
      'limits',
      'lists',
      'terminals',
      'terminals/demo-bank',
      'networks',
      'merchants/theirs/keys',
    ]) {
      expect(await page(boss, path)).not.toContain(SCRIPT);
    }
    const reply = await boss.form('/console/merchants/add', { login: SCRIPT });
    expect([reply.status, reply.text.includes(SCRIPT), reply.text.includes(ESCAPED)]).toEqual([422, false, true]);
  });

  it('lets nobody of another merchant see or change anything', async () => {
    const { login, endpointId } = theirs;
    for (const path of [
      `merchants/${login}`,
      `merchants/${login}/keys`,
      `endpoints/${endpointId}`,
      `endpoints/${endpointId}/look`,
    ]) {
      const text = await page(own, path, 422);
      const missing = await page(own, path.replace(login, 'nobody').replace(String(endpointId), '9999'), 422);
      expect(text.replaceAll(login, 'nobody').replaceAll(String(endpointId), '9999')).toContain(
        /<h1[\s\S]*<\/main>/.exec(missing)?.[0].replaceAll(/value="[\w-]+"/g, '') ?? '?',
      );
    }
    await page(own, `endpoints/${endpointId}/look/logo`, 422);
    await page(own, `endpoints/${endpointId}/look/colours`, 422);
    for (const path of ['merchants', 'groups', 'limits', 'lists', 'lists?of=theirs']) {
      const text = await page(own, path);
      expect([path, /Theirs|theirs|7002|7003/.test(text)]).toEqual([path, false]);
    }
    // Only those who may are told where groups are added.
    expect(await page(own, 'groups')).not.toContain('Groups are added');
    expect(await page(boss, 'groups')).toContain('Groups are added on the page of their merchant.');
    // Terminals, networks and routes are the gateway's.
    for (const path of ['terminals', 'terminals/demo-bank', 'connectors/demo-bank', 'networks', 'where']) {
      await page(own, path, 403);
    }
    const before = [
      await ask('showMerchant', { login }),
      await ask('listKeys', { login }),
      await ask('showLook', { endpointId }),
    ];
    for (const [form, fields] of [
      [`merchants/${login}/set`, { name: 'Taken' }],
      [`merchants/${login}/keys/new`, {}],
      [`merchants/${login}/keys/retire`, { keyId: before[1][0].keyId, afterMs: '0' }],
      [`merchants/mine/keys/retire`, { keyId: before[1][0].keyId, afterMs: '0' }],
      [`endpoints/${endpointId}/set`, { name: 'Taken' }],
      [`endpoints/${endpointId}/reroute`, { route: 'demo-bank' }],
      [`endpoints/${endpointId}/look/save`, { name: 'Taken' }],
      ['limits/remove', { endpointId: String(endpointId), kind: 'card', window: '24h' }],
    ] as const) {
      const reply = await own.form(`/console/${form}`, fields);
      expect([form, [403, 422].includes(reply.status)]).toEqual([form, true]);
    }
    const { use: _, ...key } = (await ask('listKeys', { login }))[0];
    expect([await ask('showMerchant', { login }), key, await ask('showLook', { endpointId })]).toMatchObject([
      before[0],
      key,
      before[2],
    ]);
    expect((await ask('listKeys', { login })).length).toBe(before[1].length);
  });

  it('shows a merchant their own, with what they may change', async () => {
    const text = await page(own, 'merchants/mine');
    expect(text).toContain('endpoints/7001');
    expect(text).not.toContain('Change it');
    expect(await page(own, 'endpoints/7001/look')).toContain('Save the look');
    expect(await page(own, 'merchants/mine/keys')).toContain('Make a new key');
  });

  it('offers viewers nothing that they may not do, and refuses it', async () => {
    for (const path of [
      'merchants',
      'merchants/mine',
      'endpoints/7001',
      'limits',
      'lists',
      'terminals',
      'terminals/demo-bank',
    ]) {
      // A search is sent by POST too, so that no address holds what was typed; it changes nothing.
      expect((await page(viewer, path)).match(/<form[^>]*method="post"(?![^>]*(sign-out|\/search)")/g) ?? []).toEqual(
        [],
      );
    }
    expect((await viewer.form('/console/merchants/add', { login: 'nope' })).status).toBe(403);
    expect((await viewer.form('/console/terminals/demo-bank/test', {})).status).toBe(403);
  });

  it('adds a merchant and shows its key once', async () => {
    const reply = await boss.form('/console/merchants/add', { login: 'fresh', name: 'Fresh', repeat: 'r1' });
    const [, key] = /<code id="secret">([0-9A-F-]{36})<\/code>/.exec(reply.text) ?? [];
    expect([reply.status, key === undefined]).toEqual([200, false]);
    expect(await page(boss, 'merchants/fresh/keys')).not.toContain(key);
    // The page is loaded again, by its reader or by whoever finds the browser open.
    const again = await boss.form('/console/merchants/add', { login: 'fresh', name: 'Fresh', repeat: 'r1' });
    expect([again.status, again.text.includes('was shown that once'), again.text.includes(key ?? '')]).toEqual([
      ...[409, true, false],
    ]);
    const text = await sent(boss, 'merchants/fresh/endpoint', {
      currency: 'USD',
      name: 'Fresh USD',
      endpointId: '7101',
    });
    expect(text).toContain('The endpoint is added.');
    expect(await sent(boss, 'merchants/fresh/group', { endpointIds: '7101', groupId: '7102' })).toContain(
      'group is added',
    );
  });

  it('changes only what differs, and says what was wrong on the form', async () => {
    const fields = { name: 'Mine too', enabled: 'on', strictSigning: 'off', secondPersonAbove: '500.00 USD, 400 EUR' };
    expect(await sent(boss, 'merchants/mine/set', { ...fields, allowedAddresses: '' })).toContain(
      'The merchant is changed.',
    );
    expect(await ask('showMerchant', { login: 'mine' })).toMatchObject({
      ...{ name: 'Mine too', secondPersonAbove: ['500.00 USD', '400.00 EUR'], allowedAddresses: [] },
    });
    expect(await sent(boss, 'merchants/mine/set', { name: 'Mine too' })).toContain('nothing was changed');
    const wrong = await boss.form('/console/merchants/mine/set', { allowedAddresses: 'somewhere', name: 'Kept' });
    expect([wrong.status, /somewhere[\s\S]*is not a network address/.test(wrong.text)]).toEqual([422, true]);
    expect(wrong.text).toContain('value="Kept"');
    expect(await sent(boss, 'merchants/mine/set', { secondPersonAbove: '' })).toContain('is changed');
    expect((await ask('showMerchant', { login: 'mine' })).secondPersonAbove).toEqual([]);
  });

  it('changes an endpoint, its route and what of it may be unset', async () => {
    await sent(boss, 'endpoints/7001/set', {
      minimum: '1.00',
      threeDSecure: 'optional',
      signedForms: 'on',
      formTries: '2',
    });
    expect(await ask('showEndpoint', { endpointId: 7001 })).toMatchObject({
      ...{ minimum: '1.00', threeDSecure: 'optional', signedForms: true, formTries: 2 },
    });
    await sent(boss, 'endpoints/7001/set', { minimum: '', signedForms: '', formTries: '' });
    expect(await ask('showEndpoint', { endpointId: 7001 })).toMatchObject({
      minimum: null,
      signedForms: null,
      formTries: null,
    });
    expect(await sent(boss, 'endpoints/7001/reroute', { route: 'brand=VISA -> demo-bank;\r\ndemo-bank' })).toContain(
      'If the card is VISA: to demo-bank.',
    );
    expect((await ask('showEndpoint', { endpointId: 7001 })).route).toBe('brand=VISA -> demo-bank; demo-bank');
    const rules = (text: string) => boss.send(`/console/endpoints/7001/rules.json?${new URLSearchParams({ text })}`);
    expect((await rules('brand=VISA -> demo-bank')).body).toEqual({ lines: ['If the card is VISA: to demo-bank.'] });
    expect((await rules('brand=GREEN -> demo-bank')).body.fault).toMatch(/brand needs one of/);
    expect((await rules('nowhere')).body.fault).toBe('there is no terminal "nowhere"');
    expect((await boss.form('/console/endpoints/7001/reroute', { route: 'nowhere' })).status).toBe(422);
  });

  it('guides from one key to the next: it tells whether requests come with the new one', async () => {
    const { client, id } = await gateway.newMerchant();
    const at = `merchants/${client.login}/keys`;
    const made = await boss.form(`/console/${at}/new`, {});
    const key = /<code id="secret">([^<]+)</.exec(made.text)?.[1] ?? '';
    expect(await page(boss, at)).toContain('No request has come with the new key');
    await gateway.refresh();
    await client.sale({}, { endpoint: id });
    expect(await page(boss, at)).toContain('No request has come with the new key');
    await client.sale({}, { endpoint: id, key });
    const text = await page(boss, at);
    expect(text).toMatch(/Requests come with the new key <code>control-\w+<\/code>: 1 so far/);
    const keys = (await ask('listKeys', { login: client.login })).filter(({ kind }: UsedKey) => kind === 'control');
    expect(keys.map(({ use }: UsedKey) => use.count)).toEqual([1, 1]);
    const old = keys[0]?.keyId ?? '';
    expect(await sent(boss, `${at}/retire`, { keyId: old, afterMs: '3600000' })).toContain('ends as you said');
    const [ending] = await ask('listKeys', { login: client.login });
    expect(Date.parse(ending.validUntil) - gateway.clock.now()).toBeGreaterThan(3_000_000);
    expect((await client.sale({}, { endpoint: id })).status).toBe(200);
    await sent(boss, `${at}/retire`, { keyId: old, afterMs: '0' });
    await gateway.refresh();
    expect((await client.sale({}, { endpoint: id })).status).toBe(400);
    expect((await client.sale({}, { endpoint: id, key })).status).toBe(200);
  });

  it('sets and removes limits, the guard, and what is blocked', async () => {
    const limit = { endpointId: '7001', kind: 'email', window: '7d' };
    expect(await sent(boss, 'limits/set', { ...limit, count: '5', amount: '100.00' })).toContain(
      '5 payments and 100.00 USD',
    );
    expect(await sent(boss, 'limits/remove', limit)).toContain('The limit is removed.');
    expect(await sent(boss, 'limits/guard', { guardEndpoint: '7001', guardWindow: '10m' })).toContain(
      'the same card and amount',
    );
    expect(await sent(boss, 'limits/guard', { guardEndpoint: '7001' })).toContain('no guard');
    expect((await boss.form('/console/limits/set', { ...limit, window: 'soon' })).status).toBe(422);
    expect(await sent(boss, 'lists/add', { of: '', kind: 'bin', value: '411111', note: 'stolen' })).toContain('stolen');
    expect((await boss.form('/console/lists/add', { of: '', kind: 'card', value: CARD })).status).toBe(422);
    const removed = await sent(boss, 'lists/remove', { of: '', kind: 'bin', value: '411111' });
    expect(removed).toContain('Nothing is on this list');
  });

  it('saves a look with a logo, warns of colours, and removes the logo', async () => {
    const mark = await own.mark();
    const boundary = 'x1y2z3';
    const part = (head: string, value: Buffer | string) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(value),
        Buffer.from('\r\n'),
      ]);
    const body = Buffer.concat([
      part('name="mark"', mark),
      part('name="accent"', '#7a1f3d'),
      part('name="name"', 'Mine, in red'),
      part('name="logo"; filename="logo.png"', PNG),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
    const reply = await fetch(`${gateway.adminUrl}/console/endpoints/7001/look/save`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...{ cookie: own.cookie ?? '', origin: gateway.adminUrl },
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body,
    });
    expect(reply.status).toBe(303);
    const look = await ask('showLook', { endpointId: 7001 });
    expect(look).toMatchObject({ accent: '#7a1f3d', name: 'Mine, in red', logo: { type: 'image/png' } });
    const logo = await fetch(`${gateway.adminUrl}/console/endpoints/7001/look/logo`, {
      headers: { cookie: own.cookie ?? '' },
    });
    expect([logo.headers.get('content-type'), Buffer.from(await logo.arrayBuffer()).equals(PNG)]).toEqual([
      'image/png',
      true,
    ]);
    expect(await page(own, 'endpoints/7001/look/colours')).toContain('--accent: #7a1f3d;');
    const preview = await own.send(`/console/endpoints/7001/look/preview.json?accent=%23ffff00`);
    expect(preview.body.faults).toEqual([expect.stringMatching(/choose a darker one/)]);
    expect((await own.form('/console/endpoints/7001/look/save', { accent: '#ffff00' })).status).toBe(422);
    await sent(own, 'endpoints/7001/look/bare', {});
    expect((await ask('showLook', { endpointId: 7001 })).logo).toBeUndefined();
  });

  it('adds, tests, switches and changes a terminal, and shows no secret', async () => {
    const connectors: { name: string; settings: { name: string; secret: boolean }[] }[] = await ask('listConnectors');
    const stripe = connectors.find(({ name }) => name === 'stripe');
    expect(stripe?.settings.some(({ secret }) => secret)).toBe(true);
    const secret = 'sk_test_1234567890abcdefghij';
    const named = stripe?.settings.find((one) => one.secret)?.name;
    const fields = { name: 'second-bank', [`connector.${named}`]: secret };
    const text = await sent(boss, 'connectors/stripe/add', fields);
    expect(text).toContain('The terminal is added.');
    const shown = await page(boss, 'terminals/second-bank');
    expect([shown.includes(secret), shown.includes('is set, and never shown')]).toEqual([false, true]);
    expect(await sent(boss, 'terminals/second-bank/set', { currencies: 'USD, EUR', maximum: '100' })).toContain(
      'is changed',
    );
    expect(await ask('showTerminal', { name: 'second-bank' })).toMatchObject({
      currencies: ['USD', 'EUR'],
      maximum: '100',
    });
    expect(await sent(boss, 'terminals/second-bank/switch', { enabled: 'off' })).toContain('takes no new payments');
    const wrong = await boss.form('/console/connectors/stripe/add', { ...fields, name: 'Wrong Name' });
    expect([wrong.status, wrong.text.includes(secret)]).toEqual([422, false]);
    const tested = await boss.form('/console/terminals/demo-bank/test', {});
    expect([tested.status, tested.text.includes('works')]).toEqual([200, true]);
    expect(await page(boss, 'terminals/demo-bank')).not.toContain('trace-now');
    await page(boss, 'terminals/demo-bank?trace=1');
  });

  it('tells where a card would go, and keeps and shows no number', async () => {
    await ask('setEndpoint', {
      endpointId: 7001,
      route: 'brand=AMEX -> demo-bank; amount=-5.00 -> demo-bank; share=25 -> second-bank,demo-bank; demo-bank',
    });
    await until('the terminal is known', async () => {
      await gateway.refresh();
      return (await ask('showTerminal', { name: 'second-bank' })).connection !== null;
    });
    const asked = {
      endpointId: '7001',
      card: '4111 1111 1111 1111',
      amount: '10.00',
      kind: 'sale',
      initiator: 'payer',
    };
    const reply = await boss.form('/console/where/try', asked);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('brand=AMEX does not hold');
    expect(reply.text).toContain('amount=-5.00 does not hold');
    expect(reply.text).toMatch(
      /It decides 25% of such payments[\s\S]*second-bank[\s\S]*left out[\s\S]*disabled[\s\S]*tried first/,
    );
    expect(reply.text).toContain('It decides 75% of such payments');
    expect([reply.text.includes('41111111'), /4111 ?1111 ?1111/.test(reply.text)]).toEqual([true, false]);
    for (const [fields, text] of [
      [{ amount: 'much', card: CARD }, 'amount: an amount in USD'],
      [{ card: `${CARD}x`, amount: '1.00' }, 'the first six or eight digits of a card are needed'],
    ] as const) {
      const refused = await boss.form('/console/where/try', { ...asked, ...fields });
      expect([refused.status, refused.text.includes(text), refused.text.includes(CARD)]).toEqual([422, true, false]);
    }
    expect(JSON.stringify(await ask('listAudit'))).not.toContain(CARD);
    expect((await viewer.form('/console/where/try', asked)).status).toBe(200);
    const group = await boss.form('/console/where/try', { ...asked, endpointId: '7003', currency: 'EUR' });
    expect(group.text).toContain('at endpoint <a href="/console/endpoints/7002">7002</a>');
  });
});
