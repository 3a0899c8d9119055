// Requests, callbacks, recurring payments, stored cards, statements and the trial page in the console, as those who run
// the gateway and as the people of two merchants.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type Client, DEMO_MERCHANT_ID, describeGateway, newOrderId, oauthHeader, sha1, until } from '../harness.ts';
import { unescaped } from '../html-text.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';
import { createRecurring, storeCard } from './stored-cards.ts';

const wordsOf = (page: string) => unescaped(page.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');

const EVIL = '<script>alert(1)</script>';

describeGateway('the console about traffic', {}, (gateway) => {
  const { demo } = gateway;
  let shop: { client: Client; id: number };

  const signIn = async (name: string, role: string, login?: string) => {
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
    return browser;
  };
  let operator: PersonBrowser;
  let viewer: PersonBrowser;
  let ofDemo: PersonBrowser;
  let ofShop: PersonBrowser;

  const seen = async (browser: PersonBrowser, path: string) => {
    const { status, text } = await browser.send(path);
    expect(text).not.toContain(EVIL);
    return { status, text, words: wordsOf(text) };
  };

  it('is opened by people of the gateway and of two merchants', async () => {
    shop = await gateway.newMerchant();
    operator = await signIn('olga', 'operator');
    viewer = await signIn('vera', 'viewer');
    ofDemo = await signIn('dora', 'operator', 'demo');
    ofShop = await signIn('sven', 'operator', shop.client.login);
    for (const path of ['requests', 'strangers', 'callbacks', 'recurring', 'cards', 'statement', 'try']) {
      expect((await seen(operator, `/console/${path}`)).status, path).toBe(200);
      expect((await seen(ofShop, `/console/${path}`)).status, path).toBe(200);
    }
    expect((await seen(viewer, '/console/cards')).status).toBe(403);
  });

  it('lists requests, shows one, and keeps it from other merchants', async () => {
    const { body } = await demo.sale({ amount: 'nothing', client_orderid: EVIL });
    await gateway.journalLine(body);
    const path = `/console/requests/${body['serial-number']}`;
    expect((await seen(operator, '/console/requests?refused=yes&login=demo&endpointId=101')).text).toContain(path);
    expect((await seen(operator, '/console/requests?endpointId=102')).text).not.toContain(path);
    expect((await seen(viewer, '/console/requests')).text).not.toContain(path);
    const { words, text } = await seen(operator, path);
    expect(words).toContain('It was refused:');
    expect(words).toContain('Parameter amount');
    expect(text).toContain('&lt;script&gt;');
    expect((await seen(ofDemo, path)).status).toBe(200);
    expect((await seen(ofShop, '/console/requests')).text).not.toContain(path);
    const [theirs, nobodys] = await Promise.all([
      seen(ofShop, path),
      seen(ofShop, '/console/requests/0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69'),
    ]);
    expect(theirs.status).toBe(nobodys.status);
    expect(theirs.words.replaceAll(body['serial-number'], 'X')).toBe(
      nobodys.words.replaceAll('0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69', 'X'),
    );
  });

  it('shows beside each other what should have been signed and what was', async () => {
    const client_orderid = newOrderId();
    const control = sha1(`101${client_orderid}10.42ann@example.com${demo.key}`);
    const { body } = await demo.sale({ client_orderid, amount: '10.42', control });
    await gateway.journalLine(body);
    const path = `/console/requests/${body['serial-number']}`;
    expect((await seen(operator, '/console/requests')).text).not.toContain(path);
    expect((await seen(operator, '/console/strangers?endpointId=101&errorCode=20')).text).toContain(path);
    expect((await seen(operator, '/console/strangers?endpointId=102')).text).not.toContain(path);
    const { text, words } = await seen(ofDemo, path);
    expect(words).toContain('amount is signed as "10.42": it must be "1042".');
    expect(text).toContain('<mark title="amount">10.42</mark>');
    expect(text).toContain('<mark title="amount">1042</mark>');
    expect(text).not.toContain(demo.key);
    expect((await seen(ofDemo, '/console/strangers')).text).toContain(path);
    expect((await seen(ofShop, '/console/strangers?endpointId=101')).text).not.toContain(path);
    expect((await seen(ofShop, path)).words).toContain('the journal has no request');
    const unknown = await demo.sale({ control: 'f'.repeat(40), client_orderid: EVIL });
    await gateway.journalLine(unknown.body);
    expect((await seen(operator, `/console/requests/${unknown.body['serial-number']}`)).words).toContain(
      'None of the usual mistakes',
    );
  });

  it('shows the same of an OAuth signature, without the card', async () => {
    const card = { credit_card_number: '4111111111111111', cvv: '917' };
    const fields = { client_orderid: newOrderId(), amount: '10.42', currency: 'USD', ...card };
    const url = 'https://gateway.example/paynet/api/v2/payout/101';
    const signer = { login: demo.login, method: 'HMAC-SHA1', now: Date.now() } as const;
    const explained = async (authorization: string) => {
      const { body } = await demo.post('/api/v2/payout/101', fields, { headers: { authorization } });
      const { reply } = await gateway.journalLine(body);
      expect(JSON.stringify(reply)).not.toMatch(/41111111|(?:\b|3D)917\b|9F1C7E52/);
      return seen(ofDemo, `/console/requests/${body['serial-number']}`);
    };
    const right = demo.baseUrl.replace('127.0.0.1', 'localhost');
    const secure = `${right.replace('http:', 'https:')}/api/v2/payout/101`;
    const scheme = await explained(oauthHeader(secure, fields, { ...signer, key: demo.key }));
    expect(scheme.words).toContain('with another scheme');
    expect(scheme.text).toContain(`<mark title="URL">${secure}</mark>`);
    expect(scheme.text).toContain('client_orderid=');
    const { amount: _, ...less } = fields;
    const left = await explained(oauthHeader(`${right}/api/v2/payout/101`, less, { ...signer, key: demo.key }));
    expect(left.words).toContain('amount is sent and left out of the base string.');
    const unknown = await explained(oauthHeader(url, fields, { ...signer, key: 'guessed' }));
    expect(unknown.words).toContain('None of the usual mistakes');
  });

  it('keeps no card number in an explanation', async () => {
    const { body } = await demo.sale({ client_orderid: '4111111111111111', control: sha1('x') });
    const { reply } = await gateway.journalLine(body);
    expect(JSON.stringify(reply)).toContain('signing');
    expect(JSON.stringify(reply)).not.toContain('4111111111111111');
  });

  it('lists callbacks, shows every try, and sends them again', async () => {
    const wall = await gateway.shop();
    wall.next.push({ status: 500, body: EVIL });
    const order = await demo.saleUntilFinal({ server_callback_url: wall.url() });
    const id = `${order['paynet-order-id']}-1-server`;
    await until('it was tried', async () => /HTTP 500/.test((await seen(ofDemo, `/console/callbacks/${id}`)).text));
    expect((await seen(operator, '/console/callbacks?state=waiting')).text).toContain(id);
    expect((await seen(ofDemo, `/console/callbacks/${id}`)).text).toContain('&lt;script&gt;');
    expect((await seen(ofShop, '/console/callbacks')).text).not.toContain(id);
    expect((await seen(ofShop, `/console/callbacks/${id}`)).words).toContain(`there is no callback ${id}`);
    expect((await ofShop.form(`/console/callbacks/${id}/replay`, {})).status).toBe(422);
    expect((await viewer.form(`/console/callbacks/${id}/replay`, {})).status).toBe(403);
    expect((await ofDemo.form(`/console/callbacks/${id}/replay`, {})).headers.location).toContain('said=replayed');
    await until('it is delivered', async () =>
      (await seen(operator, '/console/callbacks?state=delivered&login=demo')).text.includes(id),
    );
    const all = await ofDemo.form('/console/callbacks/replay-failed', {});
    expect(all.headers.location).toContain('said=none');
    expect((await ofShop.form('/console/callbacks/replay-failed', { login: 'demo' })).status).toBe(422);
  });

  it('pauses, resumes and stops a recurring payment, of its own merchant only', async () => {
    const { body } = await createRecurring(demo, { order_desc: EVIL });
    const id = body['recurring-payment-id'];
    const path = `/console/recurring/${id}`;
    expect((await seen(operator, '/console/recurring?state=active&login=demo')).text).toContain(path);
    expect((await seen(ofDemo, path)).words).toContain('411111...1111');
    expect((await seen(ofShop, '/console/recurring')).text).not.toContain(path);
    expect((await seen(ofShop, path)).words).toContain(`there is no recurring payment ${id}`);
    expect((await ofShop.form(`${path}/stop`, {})).status).toBe(422);
    expect((await viewer.form(`${path}/stop`, {})).status).toBe(403);
    const deeds = ['pause', 'resume', 'stop'];
    for (const deed of deeds) {
      expect((await ofDemo.form(`${path}/${deed}`, {})).headers.location, deed).toBe(`${path}?said=${deed}`);
    }
    expect((await seen(operator, path)).words).toContain('stopped');
    const again = await ofDemo.form(`${path}/pause`, {});
    expect([again.status, wordsOf(again.text)]).toEqual([422, expect.stringContaining('it is stopped')]);
  });

  it('lists stored cards by their ends, and deletes one of its own merchant only', async () => {
    const cardReference = await storeCard(demo, { card_printed_name: 'ANN O NYM' });
    const page = await seen(ofDemo, '/console/cards');
    expect(page.words).toContain(`${cardReference} 411111...1111 VISA`);
    expect(page.words).toContain('ANN O NYM');
    expect(page.text).not.toContain('4111111111111111');
    expect((await seen(operator, '/console/cards?login=demo')).words).toContain('ANN O NYM');
    expect((await seen(ofShop, '/console/cards?login=demo')).words).not.toContain('ANN O NYM');
    expect((await ofShop.form('/console/cards/delete', { login: 'demo', cardReference })).status).toBe(422);
    expect((await ofDemo.form('/console/cards/delete', { login: 'demo', cardReference })).status).toBe(303);
    expect((await seen(ofDemo, '/console/cards')).words).not.toContain('ANN O NYM');
  });

  it('tells a merchant what its balance did, and nobody else', async () => {
    const { client, id: endpoint } = shop;
    const order = await client.saleUntilFinal({ amount: '20.00' }, { endpoint });
    await client.followUpUntilFinal('return', order, { amount: '5.00', currency: 'USD' }, { endpoint });
    const { words } = await seen(ofShop, '/console/statement');
    expect(words).toContain(`Statement of ${client.login}`);
    expect(words).toContain('Balance after 15.00 USD');
    expect(words).toMatch(/\d{1,2} [A-Z][a-z]{2,3} \d{4} 20\.00 -5\.00 0\.00 0\.00 2 15\.00/);
    expect((await seen(operator, `/console/statement?login=${client.login}`)).words).toContain(
      'Balance after 15.00 USD',
    );
    const theirs = await seen(ofShop, '/console/statement?login=demo');
    expect([theirs.status, theirs.words]).toEqual([422, expect.stringContaining('there is no merchant "demo"')]);
    const file = await ofShop.send('/console/statement.csv');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.text.split('\r\n')[0]).toBe(
      'merchant,currency,day,taken,returned,charged_back,paid_out,bookings,balance',
    );
    expect(file.text).toContain(`${client.login},USD,`);
    expect(file.text).toContain(',20.00,-5.00,0.00,0.00,2,15.00');
    expect((await seen(ofShop, '/console/statement?from=2027-02-01&to=2027-01-01')).status).toBe(422);
  });

  it('signs and sends a sale as the merchant would, and shows each step', async () => {
    const sent = { endpointId: '101', operation: 'SALE', amount: '7.30', card: 'ordinary', outcome: '123' };
    const { status, text } = await ofDemo.form('/console/try/send', { ...sent, email: 'ann@example.com' });
    expect(status).toBe(200);
    const words = wordsOf(text);
    expect(words).toContain('730ann@example.com<MERCHANT_CONTROL_KEY>');
    for (const step of ['The string is signed', 'It is answered', 'approved', 'The merchant is told']) {
      expect(words).toContain(step);
    }
    const [, orderId] = /href="\/console\/orders\/(\d+)"/.exec(text) ?? [];
    const [order] = await gateway.query(`select amount from orders where order_id = ${orderId}`);
    expect(Number(order?.amount)).toBe(730);
    const declined = await operator.form('/console/try/send', { ...sent, operation: 'PREAUTH', outcome: '116' });
    expect(wordsOf(declined.text)).toContain('declined');
    const form = await operator.form('/console/try/send', { ...sent, operation: 'SALEFORM' });
    expect(wordsOf(form.text)).toContain('The payer goes to a page');
  });

  it('lets changes pass while it waits for the end of the payment', async () => {
    gateway.bank.faults.set({ answerDelayMs: 2_000 });
    let isOver = false;
    const trying = ofDemo.form('/console/try/send', { endpointId: '101', amount: '7.71' }).then((reply) => {
      isOver = true;
      return reply;
    });
    const sent = () => gateway.query(`select 1 from orders where client_order_id like 'try-%' and amount = 771`);
    await until('the payment is sent', async () => (await sent()).length > 0);
    const { url, token } = await localNote(gateway.dataFolder);
    const changed = await askBy(url, token, 'setMerchant', { login: shop.client.login, name: 'Meanwhile' });
    expect([changed.status, isOver]).toEqual([200, false]);
    expect(wordsOf((await trying).text)).toContain('approved');
    gateway.bank.faults.set({});
  });

  it('keeps keys, and endpoints of other merchants, from whoever tries', async () => {
    const own = { endpointId: String(shop.id), amount: '1.00' };
    const { status, text } = await ofShop.form('/console/try/send', own);
    expect([status, text.includes(shop.client.key)]).toEqual([200, false]);
    expect(wordsOf(text)).toContain('approved');
    const theirs = await ofShop.form('/console/try/send', { ...own, endpointId: '101' });
    const nobodys = await ofShop.form('/console/try/send', { ...own, endpointId: '999' });
    expect([theirs.status, nobodys.status]).toEqual([422, 422]);
    expect(wordsOf(theirs.text)).toContain('there is no endpoint 101');
    expect((await viewer.form('/console/try/send', { ...own, endpointId: '101' })).status).toBe(403);
    expect((await gateway.query(`select 1 from orders where client_order_id like 'try-%'`)).length).toBeGreaterThan(0);
    const evil = await ofShop.form('/console/try/send', { ...own, amount: EVIL });
    expect([evil.status, evil.text.includes(EVIL)]).toEqual([422, false]);
  });

  it.each([
    ['curl', 'sh', '-c'],
    ['Node', process.execPath, '--input-type=module', '-e'],
  ])('writes code for %s that pays', async (name, program, ...options) => {
    const { text } = await ofDemo.form('/console/try/send', {
      endpointId: '101',
      amount: '3.21',
      email: "o'neil@example.com",
    });
    const [, code = ''] = new RegExp(`aria-label="The request with ${name}"><code>([^<]*)</code>`).exec(text) ?? [];
    const { stdout } = await promisify(execFile)(program, [...options, unescaped(code)]);
    const reply = JSON.parse(stdout);
    expect(reply.type).toBe('async-response');
    expect((await demo.untilFinal(reply['merchant-order-id'])).status).toBe('approved');
  });

  it('in production sends nothing, and explains nothing', async () => {
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    const { client, id } = shop;
    const { body } = await client.sale({ control: sha1('wrong') }, { endpoint: id });
    const { reply } = await gateway.journalLine(body);
    expect(Object.keys(reply as object)).not.toContain('signing');
    const { url, token } = await localNote(gateway.dataFolder);
    const ask = async (verb: string, given: object = {}) => (await askBy(url, token, verb, given)).body;
    const serialNumber = body['serial-number'];
    expect((await ask('showRequest', { serialNumber })).answer).toMatchObject({ signing: null, login: null });
    const { found } = (await ask('listStrangers', { endpointId: id })).answer;
    expect(found.map((one: { serialNumber: string }) => one.serialNumber)).toContain(serialNumber);
    expect((await ask('showTrial')).answer).toMatchObject({ isOpen: false, cards: [] });
    expect(JSON.stringify(await ask('tryRequest', { endpointId: id, amount: '1.00' }))).toContain('in a sandbox only');
  });
});
