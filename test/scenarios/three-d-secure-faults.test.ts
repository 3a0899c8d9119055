// Networks that fail: whatever they do or leave undone, every order ends, nobody is authenticated who was not, and
// nothing is charged that should not be.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type NetworkFaults, startNetworks, TEST_CARDS } from '../../src/threeds/index.ts';
import { DEMO_MERCHANT_ID, describeGateway, type ReplyBody, until } from '../harness.ts';
import {
  addOptional,
  asking,
  BROWSER,
  begun,
  finalOf,
  OPTIONAL,
  outcomeOf,
  REQUIRED,
  saidIn,
  sale,
  statusOf,
  stepOf,
} from './authenticating.ts';
import { answerIssuer, formOf, Payer, passChallenge } from './payer.ts';

const UNAVAILABLE = { status: 'declined', 'error-code': '191' };
const REFUSED = { status: 'declined', 'error-code': '190' };
const PASSED = { status: 'approved', 'verified-3d-status': 'AUTHENTICATED' };

describeGateway('3-D Secure networks that fail', {}, (gateway) => {
  const final = (order: ReplyBody, endpoint?: number) => finalOf(gateway, order, endpoint);
  const fail = (faults: Partial<NetworkFaults>) => gateway.networks.faults.set(faults);

  /** Puts the clock forward past the time-outs of whoever waits. */
  const untilFinal = async (order: ReplyBody, endpoint: number = REQUIRED) => {
    await until('it is final', async () => {
      if ((await statusOf(gateway, order, endpoint)).status !== 'processing') return true;
      gateway.clock.advance(2_000);
      return false;
    });
    return statusOf(gateway, order, endpoint);
  };

  beforeAll(async () => {
    await addOptional(gateway);
    // Card ranges are fetched once, before anything fails.
    await final(await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER)));
  });
  afterEach(() => fail({}));
  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  describe('at the question', () => {
    it.each([
      ['no-answer', /^no-answer: Erro 402$/],
      ['erro', /^refused: Erro \d{3}$/],
      ['unsupported-version', /^refused: Erro 102$/],
      ['malformed', /^unreadable: Erro 20\d$/],
      ['garbage', /^unreadable: Erro 101$/],
      ['foreign-id', /^the answer does not fit: threeDSServerTransID$/],
    ] as const)(
      '%s is unavailable: refused where 3-D Secure is required, passed where it is not',
      async (authentication, reason) => {
        fail({ authentication });
        const orders = [REQUIRED, OPTIONAL].map((at) => begun(gateway, sale(TEST_CARDS.frictionless, BROWSER), at));
        const [required, optional] = await Promise.all(orders);
        expect(await untilFinal(required as ReplyBody)).toMatchObject(UNAVAILABLE);
        expect(await untilFinal(optional as ReplyBody, OPTIONAL)).toMatchObject({
          ...{ status: 'approved', 'verified-3d-status': 'UNKNOWN', eci: '07' },
        });
        const outcome = await outcomeOf(gateway, required as ReplyBody);
        expect(outcome).toMatchObject({ status: 'U', protocol: '2.2.0' });
        expect(outcome.reason).toMatch(reason);
      },
    );

    it('a slow answer is waited for', async () => {
      fail({ authentication: 'slow', delayMs: 1_500 });
      const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
      expect(await final(order)).toMatchObject(PASSED);
    });
  });

  describe('at the directory of version 1', () => {
    it.each(['no-answer', 'garbage'] as const)('%s is unavailable', async (directory) => {
      fail({ directory });
      const order = await begun(gateway, sale(TEST_CARDS.legacy, BROWSER));
      expect(await untilFinal(order)).toMatchObject(UNAVAILABLE);
    });
  });

  describe('at the result', () => {
    it('a late one is waited for, though the browser is back', async () => {
      fail({ results: 'late', delayMs: 20_000 });
      const status = await asking(gateway, TEST_CARDS.challenge);
      const payer = new Payer();
      const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
      const waiting = await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      expect(waiting.text).toContain('One moment');
      expect(await statusOf(gateway, status)).toMatchObject({
        status: 'processing',
        'order-stage': 'sale_3d_validating',
      });
      expect(await statusOf(gateway, status)).not.toHaveProperty('redirect-to');
      gateway.clock.advance(20_000);
      expect(await final(status)).toMatchObject(PASSED);
      expect(await saidIn(gateway, status)).toEqual(['tender AReq', 'network ARes', 'browser CRes', 'network RReq']);
      // Now the payer is sent on.
      expect((await payer.openWhenReady(status['redirect-to'])).status).toBe(303);
    });

    it('one that never comes is a refusal at every gate, whatever the browser says', async () => {
      fail({ results: 'never' });
      for (const endpoint of [REQUIRED, OPTIONAL]) {
        const status = await asking(gateway, TEST_CARDS.challenge, BROWSER, endpoint);
        const payer = new Payer();
        const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
        await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
        gateway.clock.advance(61_000);
        expect(await final(status, endpoint)).toMatchObject(REFUSED);
      }
    });

    it.each(['malformed', 'foreign-id'] as const)(
      'one that never comes is waited for a minute, though what the browser brought is %s',
      async (challenge) => {
        fail({ challenge, results: 'never' });
        const status = await asking(gateway, TEST_CARDS.challenge);
        const payer = new Payer();
        const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
        const back = await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
        // The browser is not handed over to the issuer again.
        expect([back.text.includes('One moment'), back.forms]).toEqual([true, []]);
        expect((await payer.open(status['redirect-to'])).forms).toEqual([]);
        gateway.clock.advance(61_000);
        expect(await final(status)).toMatchObject(REFUSED);
      },
    );

    it('one with a foreign id gets an Erro and changes nothing', async () => {
      fail({ results: 'foreign-id' });
      const status = await asking(gateway, TEST_CARDS.challenge);
      const payer = new Payer();
      const question = await payer.send(formOf(await payer.openWhenReady(status['redirect-to'])));
      await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
      const answer = gateway.networks.transcript().findLast(({ from }) => from === '3ds-server');
      expect(answer).toMatchObject({
        name: 'Erro',
        message: { errorCode: '301', errorDetail: 'acsTransID', errorComponent: 'S' },
      });
      expect(await stepOf(gateway, status)).toBe('challenge');
      gateway.clock.advance(61_000);
      expect(await final(status)).toMatchObject(REFUSED);
    });

    it('the same twice gets the same answer, and the payment is made once', async () => {
      fail({ results: 'twice' });
      const status = await asking(gateway, TEST_CARDS.challenge);
      await passChallenge(new Payer(), status, 'hint');
      expect(await final(status)).toMatchObject(PASSED);
      const answers = gateway.networks
        .transcript()
        .filter(({ from }) => from === '3ds-server')
        .slice(-2);
      expect(answers.map(({ name }) => name)).toEqual(['RRes', 'RRes']);
      expect(answers[0]?.message).toEqual(answers[1]?.message);
      expect(await gateway.bookedFor(status['paynet-order-id'])).toHaveLength(1);
    });

    it('another one for what is over gets an Erro, and the first stands', async () => {
      fail({ results: 'contradicting' });
      const [passed, failed] = [
        await asking(gateway, TEST_CARDS.challenge),
        await asking(gateway, TEST_CARDS.challenge),
      ];
      await passChallenge(new Payer(), passed, 'hint');
      expect(await final(passed)).toMatchObject(PASSED);
      const answer = gateway.networks.transcript().findLast(({ from }) => from === '3ds-server');
      expect(answer).toMatchObject({ name: 'Erro', message: { errorCode: '305' } });
      await passChallenge(new Payer(), failed, 'cancel');
      expect(await final(failed)).toMatchObject({ status: 'declined', 'error-code': '193' });
    });
  });

  describe('at the browser', () => {
    it('a CRes that says the opposite decides nothing', async () => {
      fail({ challenge: 'tampered' });
      const [passed, failed] = [
        await asking(gateway, TEST_CARDS.challenge),
        await asking(gateway, TEST_CARDS.challenge),
      ];
      await passChallenge(new Payer(), passed, 'hint');
      await passChallenge(new Payer(), failed, 'cancel');
      expect(await final(passed)).toMatchObject(PASSED);
      expect(await final(failed)).toMatchObject({ status: 'declined', 'error-code': '193' });
      await until('the browser was heard', async () => (await outcomeOf(gateway, failed)).browserSaid !== undefined);
      expect(await outcomeOf(gateway, failed)).toMatchObject({ status: 'N', browserSaid: 'Y' });
      const warning = `"message":"a browser says of a challenge what the issuer does not"`;
      expect(gateway.log.filter((line) => line.includes(warning))).toHaveLength(1);
    });

    it.each(['foreign-id', 'malformed', 'erro'] as const)('a CRes that is %s changes nothing', async (challenge) => {
      fail({ challenge });
      const status = await asking(gateway, TEST_CARDS.challenge);
      const end = await passChallenge(new Payer(), status, 'hint');
      expect(end.status).toBe(303);
      expect(await final(status)).toMatchObject(PASSED);
    });
  });

  describe('at the PARes of version 1', () => {
    it.each(['unsigned', 'tampered', 'foreign-signer', 'other-purchase', 'malformed'] as const)(
      'one that is %s authenticates nobody, and is not asked for again',
      async (pares) => {
        fail({ pares });
        for (const endpoint of [REQUIRED, OPTIONAL]) {
          const status = await asking(gateway, TEST_CARDS.legacy, BROWSER, endpoint);
          await passChallenge(new Payer(), status, 'hint');
          expect(await final(status, endpoint)).toMatchObject(REFUSED);
        }
      },
    );
  });

  describe('at our own door for results', () => {
    const post = async (body: string) => {
      const reply = await fetch(`${gateway.origin}/paynet/3ds/results`, { method: 'POST', body });
      return { status: reply.status, body: await reply.text() };
    };
    const rreq = (more: object = {}) => ({
      ...{ messageType: 'RReq', messageVersion: '2.2.0', messageCategory: '01', transStatus: 'Y', eci: '05' },
      ...{ threeDSServerTransID: randomUUID(), acsTransID: randomUUID(), dsTransID: randomUUID() },
      ...{ authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', authenticationType: '01', interactionCounter: '01' },
      ...more,
    });

    it.each([
      ['no JSON', 'hello', '101'],
      ['another message', JSON.stringify(rreq({ messageType: 'ARes' })), '101'],
      ['a version nobody speaks', JSON.stringify(rreq({ messageVersion: '3.0.0' })), '102'],
      ['a result without its status', JSON.stringify(rreq({ transStatus: undefined })), '201'],
      ['a status that is none', JSON.stringify(rreq({ transStatus: 'C' })), '203'],
      ['a transaction nobody knows', JSON.stringify(rreq()), '301'],
    ])('%s gets an Erro', async (_, body, code) => {
      const answer = await post(body);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ messageType: 'Erro', errorCode: code, errorComponent: 'S' });
    });

    it('a result of somebody who only knows the id the browser saw changes nothing', async () => {
      const status = await asking(gateway, TEST_CARDS.challenge);
      const creq = JSON.parse(Buffer.from(status['tds-creq'], 'base64url').toString());
      const { threeDSServerTransID, acsTransID } = creq;
      const answer = await post(JSON.stringify(rreq({ threeDSServerTransID, acsTransID })));
      expect(JSON.parse(answer.body)).toMatchObject({
        messageType: 'Erro',
        errorCode: '301',
        errorDetail: 'dsTransID',
      });
      expect(await stepOf(gateway, status)).toBe('challenge');
    });

    it('a result of what was never a challenge changes nothing', async () => {
      const status = await asking(gateway, TEST_CARDS.frictionless, {});
      const threeDSServerTransID = status['tds-method-url-frame-3ds-server-trans-id'];
      expect(JSON.parse((await post(JSON.stringify(rreq({ threeDSServerTransID })))).body)).toMatchObject({
        errorCode: '305',
      });
      expect(await stepOf(gateway, status)).toBe('browser');
    });

    it('an Erro is not answered with an Erro', async () => {
      const erro = { messageType: 'Erro', messageVersion: '2.2.0', errorCode: '101', errorComponent: 'D' };
      expect(await post(JSON.stringify({ ...erro, errorDescription: 'x', errorDetail: 'y' }))).toEqual({
        status: 200,
        body: '',
      });
    });
  });
});

describeGateway('without any directory server', { networks: 'none' }, (gateway) => {
  it('a sandbox simulates one, and in production an endpoint that asks for 3-D Secure says that there is none', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    expect(await finalOf(gateway, order)).toMatchObject(PASSED);

    const { client, id } = await gateway.newMerchant({ threeDSecure: 'optional', sandbox: false });
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    const refused = await client.sale({}, { endpoint: id });
    expect(refused).toMatchObject({ status: 400, body: { 'error-code': '15' } });
    expect(refused.body['error-message']).toContain('no directory server');
  });
});

describeGateway('a database that began as a sandbox', {}, (gateway) => {
  it('lets nobody past 3-D Secure in production by typing the code for that', async () => {
    const { client, id } = await gateway.newMerchant({ currency: 'EUR', threeDSecure: 'required', sandbox: true });
    const typed = sale(TEST_CARDS.failed, { ...BROWSER, cvv2: '111' });
    expect(await client.saleUntilFinal(typed, { endpoint: id })).toMatchObject({ status: 'approved' });
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production' });
    const status = await client.saleUntilFinal(typed, { endpoint: id });
    expect(status).toMatchObject({ status: 'declined', 'error-code': '190' });
  });
});

describeGateway('a directory server that is down', {}, (gateway) => {
  it('makes 3-D Secure unavailable, until it is there again', async () => {
    gateway.networks.faults.set({ directory: 'erro' });
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    expect(await finalOf(gateway, order)).toMatchObject(UNAVAILABLE);
    gateway.networks.faults.set({});
    const again = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    expect(await finalOf(gateway, again)).toMatchObject(PASSED);
  });
});

describeGateway('3-D Secure networks that were started anew', {}, (gateway) => {
  it('sign with another key, and are believed', async () => {
    const pay = async () => {
      const status = await asking(gateway, TEST_CARDS.legacy);
      await passChallenge(new Payer(), status, 'hint');
      return finalOf(gateway, status);
    };
    expect(await pay()).toMatchObject(PASSED);
    const port = Number(new URL(gateway.networks.url).port);
    await gateway.networks.close();
    const networks = await startNetworks({ clock: gateway.clock, port });
    try {
      expect(await pay()).toMatchObject(PASSED);
    } finally {
      await networks.close();
    }
  });
});
