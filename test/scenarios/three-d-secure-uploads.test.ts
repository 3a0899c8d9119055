// The flow the merchant runs itself: STATUS says which step is next and what it takes, and the merchant hands in what
// came of it.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { describeGateway, type Fields, type Reply, type ReplyBody } from '../harness.ts';
import { asking, BROWSER, finalOf, saidIn, statusOf, stepOf, TOLD, untilStep } from './authenticating.ts';
import { answerIssuer, formOf, Payer, SCREEN, throughIssuer } from './payer.ts';

const methodOf = (status: ReplyBody): Fields => ({
  threeDSServerTransID: status['tds-method-url-frame-3ds-server-trans-id'],
});

const refusal = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const withoutSerial = ({ status, body }: Reply) => ({ status, body: { ...body, 'serial-number': '' } });

describeGateway('3-D Secure run by the merchant', {}, (gateway) => {
  const { demo } = gateway;
  const lastAReq = () => gateway.networks.transcript().findLast(({ name }) => name === 'AReq')?.message;
  const challenged = (more: Fields = BROWSER) => asking(gateway, TEST_CARDS.challenge, more);

  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  it('goes through method page and challenge with three calls of mine', async () => {
    const status = await asking(gateway, TEST_CARDS.challengeMethod, { redirect_url: 'https://shop.example/back' });
    expect(status).toMatchObject({
      'tds-status': 'method-url',
      'tds-method-url-frame-3ds-method-url': `${gateway.networks.url}/acs/method`,
      'tds-method-url-frame-3ds-server-trans-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'tds-method-url-frame-3ds-method-data': expect.stringMatching(/^[\w-]+$/),
    });
    const uploaded = await demo.upload('method-url', status, { ...methodOf(status), ...TOLD, threeDSCompInd: 'Y' });
    expect(uploaded.body).toMatchObject({
      ...{ type: 'async-response', status: 'processing', 'merchant-order-id': status['merchant-order-id'] },
    });

    const next = await untilStep(gateway, status, 'challenge');
    expect(next).toMatchObject({
      'tds-acs-url': `${gateway.networks.url}/acs/challenge`,
      'tds-creq': expect.stringMatching(/^[\w-]+$/),
    });
    const areq = gateway.networks.transcript().findLast(({ name }) => name === 'AReq')?.message;
    expect(areq).toMatchObject({
      ...{ threeDSCompInd: 'Y', browserIP: '203.0.113.9', browserColorDepth: '24' },
      // The merchant wants the browser, and the result, back on its own page.
      notificationURL: 'https://shop.example/back',
    });
    const { cres = '' } = await throughIssuer(next, 'hint');
    const handedIn = await demo.upload('cres', next, { cRes: cres });
    expect(handedIn.body).toMatchObject({ type: 'async-response' });
    expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved', eci: '05' });
    const bySerial = {
      client_orderid: next['merchant-order-id'],
      'by-request-sn': handedIn.body['serial-number'],
    };
    expect((await demo.status(bySerial)).body).toMatchObject({ 'order-stage': 'sale_approved' });
    expect(await saidIn(gateway, status)).toEqual([
      ...['merchant method-url-result', 'tender AReq', 'network ARes', 'network RReq', 'merchant CRes'],
    ]);
  });

  it('needs a page of mine even without a method page of the issuer, when nobody told of the browser', async () => {
    const status = await asking(gateway, TEST_CARDS.frictionless, {});
    expect(status['tds-status']).toBe('method-url');
    await demo.upload('method-url', status, { ...methodOf(status), ...TOLD });
    expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
    expect(lastAReq()).toMatchObject({ threeDSCompInd: 'U' });
  });

  describe('for a card whose issuer has no method page', () => {
    /** What a hidden frame of the merchant's page does, until the end of the last page. */
    async function throughFrame(status: ReplyBody, threeDSMethodData = status['tds-method-url-frame-3ds-method-data']) {
      const payer = new Payer();
      const action = status['tds-method-url-frame-3ds-method-url'];
      const asked = await payer.send({ action, fields: { threeDSMethodData }, target: undefined });
      const reported = await payer.send(formOf(asked), SCREEN);
      return { asked, reported, payer };
    }

    it('has all three fields, and a page of the service that works like an issuer’s', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      expect(status).toMatchObject({
        'tds-method-url-frame-3ds-method-url': status['redirect-to'].replace('/3ds/', '/3ds/method/'),
        'tds-method-url-frame-3ds-server-trans-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'tds-method-url-frame-3ds-method-data': expect.stringMatching(/^[\w-]+$/),
      });
      const { asked, reported, payer } = await throughFrame(status);
      const { action, fields } = formOf(reported);
      expect(action).toBe(status['redirect-to'].replace('/3ds/', '/3ds/notify/'));
      const said = JSON.parse(Buffer.from(fields.threeDSMethodData ?? '', 'base64url').toString());
      expect(said).toEqual(methodOf(status));
      const done = await payer.send(formOf(reported));
      expect(done.text).toContain('data-method-done');
      for (const { headers, text } of [asked, reported, done]) {
        expect(headers.get('content-security-policy')).toContain('frame-ancestors *;');
        expect(headers.get('x-frame-options')).toBeNull();
        expect(text).not.toMatch(/10\.42|Demo merchant/);
      }
      // The service has seen the browser, so the merchant need not describe it; nor when it repeats itself.
      const uploads = [1, 2].map(() => demo.upload('method-url', status, { ...methodOf(status), threeDSCompInd: 'Y' }));
      for (const { status: code } of await Promise.all(uploads)) expect(code).toBe(200);
      expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
      const again = await demo.upload('method-url', status, { ...methodOf(status), threeDSCompInd: 'Y' });
      expect(again.status).toBe(200);
      // The merchant told the payer's address with the order.
      expect(lastAReq()).toMatchObject({
        browserIP: '203.0.113.7',
        ...{ threeDSCompInd: 'U', browserUserAgent: 'Mozilla/5.0 (a payer of the tests)', browserScreenWidth: '1440' },
        ...{ browserLanguage: 'en-GB', browserTZ: '-120' },
      });
      expect(await saidIn(gateway, status)).toEqual([
        ...['browser method-page', 'merchant method-url-result', 'tender AReq', 'network ARes'],
      ]);
    });

    it('reports back to the page the merchant named, as an issuer would', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      const own = { ...methodOf(status), threeDSMethodNotificationURL: 'https://shop.example/3ds?a=1&b=2' };
      const { reported } = await throughFrame(status, Buffer.from(JSON.stringify(own)).toString('base64url'));
      expect(formOf(reported).action).toBe('https://shop.example/3ds?a=1&b=2');
      expect(reported.headers.get('content-security-policy')).toContain(
        "form-action 'self' https: https://shop.example",
      );
      await demo.upload('method-url', status, methodOf(status));
      expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
    });

    it('takes the word of the merchant before what it saw', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      await throughFrame(status);
      await demo.upload('method-url', status, { ...methodOf(status), browserUserAgent: 'Another' });
      await finalOf(gateway, status);
      expect(lastAReq()).toMatchObject({ browserUserAgent: 'Another', browserScreenWidth: '1440' });
    });

    it.each([
      ['nothing', ''],
      ['no base64', '§§§'],
      ['an address that is none', { threeDSMethodNotificationURL: 'javascript:alert(1)' }],
      ['another transaction', { threeDSServerTransID: randomUUID() }],
    ])('ends, and learns nothing, when it is sent %s', async (_, sent) => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      const usual = { ...methodOf(status), threeDSMethodNotificationURL: 'https://shop.example/3ds' };
      const data = typeof sent === 'string' ? sent : JSON.stringify({ ...usual, ...sent });
      const text = typeof sent === 'string' ? data : Buffer.from(data).toString('base64url');
      const { reported } = await throughFrame(status, text);
      expect(reported.text).toContain('data-method-done');
      expect(reported.forms).toEqual([]);
      expect(refusal(await demo.upload('method-url', status, methodOf(status)))).toEqual({ status: 400, code: '1' });
    });

    it('is nothing to see for somebody without the order’s link', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      const known: string = status['tds-method-url-frame-3ds-method-url'];
      const url = known.slice(0, -1) + (known.endsWith('A') ? 'E' : 'A');
      const page = await new Payer().send({ action: url, fields: { threeDSMethodData: 'e30' }, target: undefined });
      expect(page.status).toBe(404);
    });
  });

  it('of version 1 takes the PaRes', async () => {
    const status = await asking(gateway, TEST_CARDS.legacy);
    const { PaRes = '', MD = '' } = await throughIssuer(status, 'hint');
    expect(MD).toBe(status['tds-md']);
    expect((await demo.upload('pares', status, { paRes: PaRes, md: MD })).status).toBe(200);
    const done = await finalOf(gateway, status);
    expect(done).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED', eci: '05' });
    // The same again gets the same answer, another is refused.
    expect((await demo.upload('pares', status, { paRes: PaRes, md: MD })).status).toBe(200);
    expect(refusal(await demo.upload('pares', status, { paRes: `${PaRes.slice(0, -8)}AAAAAAA=` }))).toEqual({
      status: 400,
      code: '37',
    });
  });

  it('goes on with whichever way completes a step first', async () => {
    const status = await challenged();
    const { cres = '' } = await throughIssuer(status, 'hint');
    // The page of ours gets it as well, before or after.
    const notify = status['redirect-to'].replace('/3ds/', '/3ds/notify/');
    await new Payer().send({ action: notify, fields: { cres }, target: undefined });
    expect((await demo.upload('cres', status, { cRes: cres })).status).toBe(200);
    expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
    expect((await saidIn(gateway, status)).filter((said) => said.endsWith('CRes'))).toEqual(['browser CRes']);
  });

  describe('an upload', () => {
    it('repeated as it was gets the same answer, and the issuer is asked once', async () => {
      const status = await asking(gateway, TEST_CARDS.challengeMethod, {});
      const fields = { ...methodOf(status), ...TOLD, threeDSCompInd: 'Y' };
      const replies = await Promise.all([1, 2, 3].map(() => demo.upload('method-url', status, fields)));
      replies.push(await demo.upload('method-url', status, fields));
      await expect.poll(() => stepOf(gateway, status)).toBe('challenge');
      replies.push(await demo.upload('method-url', status, fields));
      for (const reply of replies) expect(withoutSerial(reply)).toEqual(withoutSerial(replies[0] as Reply));
      const id = methodOf(status).threeDSServerTransID;
      const asked = gateway.networks
        .transcript()
        .filter(({ name, message }) => name === 'AReq' && message.threeDSServerTransID === id);
      expect(asked).toHaveLength(1);
      const other = await demo.upload('method-url', status, { ...fields, threeDSCompInd: 'N' });
      expect(refusal(other)).toEqual({ status: 400, code: '37' });
    });

    it('of another transaction is refused and changes nothing', async () => {
      const status = await asking(gateway, TEST_CARDS.challengeMethod, {});
      const wrong = await demo.upload('method-url', status, { ...TOLD, threeDSServerTransID: randomUUID() });
      expect(refusal(wrong)).toEqual({ status: 400, code: '36' });
      expect(await stepOf(gateway, status)).toBe('browser');

      const [mine, other] = [await challenged(), await challenged()];
      const { cres = '' } = await throughIssuer(other, 'hint');
      expect(refusal(await demo.upload('cres', mine, { cRes: cres }))).toEqual({ status: 400, code: '36' });
      expect(await stepOf(gateway, mine)).toBe('challenge');

      const [one, two] = [await asking(gateway, TEST_CARDS.legacy), await asking(gateway, TEST_CARDS.legacy)];
      const { PaRes = '' } = await throughIssuer(two, 'hint');
      expect(refusal(await demo.upload('pares', one, { paRes: PaRes }))).toEqual({ status: 400, code: '36' });
      const md = two['tds-md'];
      const own = await throughIssuer(one, 'hint');
      expect(refusal(await demo.upload('pares', one, { paRes: own.PaRes, md }))).toEqual({ status: 400, code: '36' });
      expect(await stepOf(gateway, one)).toBe('pareq');
    });

    it('for another step than the one that is waited for is refused', async () => {
      const status = await challenged();
      const legacy = await asking(gateway, TEST_CARDS.legacy);
      const { PaRes = '' } = await throughIssuer(legacy, 'hint');
      const { cres = '' } = await throughIssuer(status, 'hint');
      const wrong = [
        await demo.upload('pares', status, { paRes: PaRes }),
        await demo.upload('method-url', legacy, { ...TOLD, threeDSServerTransID: randomUUID() }),
        await demo.upload('cres', legacy, { cRes: cres }),
      ];
      expect(wrong.map(refusal)).toEqual(wrong.map(() => ({ status: 400, code: '35' })));
      expect(await stepOf(gateway, legacy)).toBe('pareq');
    });

    it('that cannot be read is refused with what is wrong', async () => {
      const status = await challenged();
      const cRes = Buffer.from('{"messageType":"CRes"}').toString('base64url');
      const unreadable = await demo.upload('cres', status, { cRes });
      expect(unreadable).toMatchObject({ status: 400, body: { 'error-code': '2', errors: [{ field: 'cRes' }] } });
      const legacy = await asking(gateway, TEST_CARDS.legacy);
      expect(await demo.upload('pares', legacy, { paRes: 'eJwDAAAAAAE=' })).toMatchObject({
        ...{ status: 400, body: { 'error-code': '2', errors: [{ field: 'paRes' }] } },
      });
      const plain = await asking(gateway, TEST_CARDS.frictionless, {});
      const missing = await demo.upload('method-url', plain, methodOf(plain));
      expect(missing).toMatchObject({ status: 400, body: { 'error-code': '1' } });
      expect(missing.body['error-message']).toContain('browserUserAgent');
    });

    it('that contradicts the issuer is heard, and decides nothing', async () => {
      const status = await challenged();
      const { cres = '' } = await throughIssuer(status, 'cancel');
      const said = JSON.parse(Buffer.from(cres, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...said, transStatus: 'Y' })).toString('base64url');
      expect((await demo.upload('cres', status, { cRes: forged })).status).toBe(200);
      expect(await finalOf(gateway, status)).toMatchObject({ status: 'declined', 'error-code': '193' });
      expect(refusal(await demo.upload('cres', status, { cRes: cres }))).toEqual({ status: 400, code: '37' });
    });

    it('that comes too late is refused', async () => {
      const [status, legacy] = [await challenged(), await asking(gateway, TEST_CARDS.legacy)];
      const [{ cres = '' }, { PaRes = '' }] = [
        await throughIssuer(status, 'wrong', 'no', 'never'),
        await throughIssuer(legacy, 'hint'),
      ];
      gateway.clock.advance(15 * 60_000 + 1);
      expect(await finalOf(gateway, legacy)).toMatchObject({ status: 'declined', 'error-code': '192' });
      expect(refusal(await demo.upload('pares', legacy, { paRes: PaRes }))).toEqual({ status: 400, code: '35' });
      expect((await statusOf(gateway, legacy)).status).toBe('declined');
      // The challenge had its result in time, and the browser's part of it may follow.
      expect((await demo.upload('cres', status, { cRes: cres })).status).toBe(200);
    });

    it('for an order of somebody else, or of none, finds no order', async () => {
      const status = await challenged();
      const { client, id } = await gateway.newMerchant({ threeDSecure: 'required' });
      const cRes = 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ';
      const foreign = await client.upload('cres', status, { cRes }, { endpoint: id });
      const nobody = await demo.upload('cres', { ...status, 'paynet-order-id': '12345' }, { cRes });
      const plain = await demo.saleUntilFinal();
      const without = await demo.upload('cres', plain, { cRes });
      expect([foreign, nobody, without].map(refusal)).toEqual([
        { status: 400, code: '30' },
        { status: 400, code: '30' },
        { status: 400, code: '35' },
      ]);
    });

    it('with a wrong control is refused', async () => {
      const status = await challenged();
      expect(refusal(await demo.upload('cres', status, { cRes: 'e30' }, { key: 'guessed' }))).toEqual({
        status: 400,
        code: '20',
      });
    });
  });

  describe('a page of the merchant', () => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk) => received.push(chunk));
      request.on('end', () => response.end('thanks'));
    });
    let back = '';
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      back = `http://127.0.0.1:${(server.address() as AddressInfo).port}/back`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('gets the CRes from the issuer by the browser, and hands it in', async () => {
      const status = await asking(gateway, TEST_CARDS.challengeMethod, { redirect_url: back });
      await demo.upload('method-url', status, { ...methodOf(status), ...TOLD });
      const next = await untilStep(gateway, status, 'challenge');
      const payer = new Payer();
      const question = await payer.send({
        action: next['tds-acs-url'],
        fields: { creq: next['tds-creq'] },
        target: undefined,
      });
      await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      const cRes = new URLSearchParams(received.join('')).get('cres') ?? '';
      expect((await demo.upload('cres', next, { cRes })).status).toBe(200);
      expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
    });
  });
});
