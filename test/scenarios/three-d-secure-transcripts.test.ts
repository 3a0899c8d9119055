// What is said on each path through 3-D Secure, message by message and field by field, as the networks received it and
// as the order's timeline keeps it; and what must not be found anywhere afterwards.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type NetworkFaults, TEST_CARDS } from '../../src/threeds/index.ts';
import { DEMO_MERCHANT_ID, describeGateway, type ReplyBody, until } from '../harness.ts';
import { asking, BROWSER, begun, finalOf, sale, timelineOf, untilPayersTurn } from './authenticating.ts';
import { answerIssuer, formOf, Payer, passChallenge, SCREEN } from './payer.ts';

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const PROOF = expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/);

describeGateway('the transcript of 3-D Secure', {}, (gateway) => {
  let from = 0;
  beforeEach(() => {
    gateway.networks.faults.set({});
    from = gateway.networks.transcript().length;
  });

  const said = () =>
    gateway.networks
      .transcript()
      .slice(from)
      .filter(({ name }) => name !== 'PReq' && name !== 'PRes');
  const names = () => said().map((entry) => `${entry.from} → ${entry.to}: ${entry.name}`);
  const message = (name: string) => said().find((entry) => entry.name === name)?.message;
  const fail = (faults: Partial<NetworkFaults>) => gateway.networks.faults.set(faults);

  /** What every AReq of these sales holds, apart from the ids and what differs by path. */
  const areqOf = (card: string, version: '2.1.0' | '2.2.0' = '2.2.0') => ({
    messageType: 'AReq',
    messageVersion: version,
    threeDSServerTransID: ID,
    deviceChannel: '02',
    messageCategory: '01',
    threeDSServerRefNumber: 'TENDER-3DS-SERVER',
    threeDSServerURL: expect.stringMatching(/^http:\/\/localhost:\d+\/paynet\/3ds\/results$/),
    threeDSRequestorID: `tender-${DEMO_MERCHANT_ID}`,
    threeDSRequestorName: 'Demo merchant',
    threeDSRequestorURL: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    acctNumber: `${card.slice(0, 6)}******${card.slice(-4)}`,
    cardExpiryDate: '3112',
    cardholderName: 'ANN EXAMPLE',
    email: 'ann@example.com',
    billAddrLine1: '1 Main Street',
    billAddrCity: 'Springfield',
    billAddrPostCode: '12345',
    billAddrCountry: '840',
    acquirerBIN: '400000',
    acquirerMerchantID: '102',
    mcc: '5999',
    merchantCountryCode: '840',
    merchantName: 'Demo merchant',
    purchaseAmount: '1042',
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: expect.stringMatching(/^20\d{12}$/),
    transType: '01',
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Mozilla/5.0 (a payer of the tests)',
    browserIP: '203.0.113.7',
    browserLanguage: 'en-GB',
    ...(version === '2.2.0' ? { browserJavascriptEnabled: true } : {}),
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '900',
    browserScreenWidth: '1440',
    browserTZ: '-120',
    notificationURL: expect.stringMatching(/^http:\/\/localhost:\d+\/paynet\/3ds\/notify\/[\w-]+$/),
  });

  /** What the order's timeline keeps, with the names of the networks' messages. */
  const timeline = async (order: ReplyBody) =>
    (await timelineOf(gateway, order)).map((line) => `${line.from} ${line.message.messageType}`);

  const ids = () => {
    const { threeDSServerTransID, acsTransID, dsTransID } = message('ARes') ?? {};
    return { threeDSServerTransID, acsTransID, dsTransID };
  };

  it('without a question: AReq, ARes', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
    await finalOf(gateway, order);
    expect(names()).toEqual(['3ds-server → directory: AReq', 'directory → 3ds-server: ARes']);
    expect(message('AReq')).toEqual(areqOf(TEST_CARDS.frictionless.number));
    expect(message('ARes')).toMatchObject({
      ...{ messageType: 'ARes', messageVersion: '2.2.0', transStatus: 'Y', eci: '05', authenticationValue: PROOF },
      ...{ threeDSServerTransID: message('AReq')?.threeDSServerTransID, acsTransID: ID, dsTransID: ID },
    });
    const [areq, ares] = await timelineOf(gateway, order);
    expect(areq?.message).toMatchObject({
      messageType: 'AReq',
      acctNumber: '400000******1000',
      cardExpiryDate: '[hidden]',
    });
    expect(ares?.message).toMatchObject({ messageType: 'ARes', transStatus: 'Y', authenticationValue: '[hidden]' });
    const [entry] = await gateway.bookedFor(order['paynet-order-id']);
    expect(entry).toMatchObject({ eci: '05' });
  });

  it('in 2.1.0: the same without what that version does not know', async () => {
    const order = await begun(gateway, sale(TEST_CARDS.frictionless21, BROWSER));
    await finalOf(gateway, order);
    expect(message('AReq')).toEqual(areqOf(TEST_CARDS.frictionless21.number, '2.1.0'));
    expect(message('ARes')).toMatchObject({ messageVersion: '2.1.0', transStatus: 'Y' });
  });

  it('with method page and challenge: method, AReq, ARes, CReq, RReq, RRes, CRes', async () => {
    const status = await asking(gateway, TEST_CARDS.challengeMethod, {});
    const payer = new Payer();
    const page = await payer.openWhenReady(status['redirect-to']);
    await payer.send(formOf(await payer.send(formOf(page, 0))));
    const handOver = await payer.send(formOf(page, 1), SCREEN);
    const question = await payer.send(formOf(handOver));
    await payer.send(formOf(await answerIssuer(payer, question, 'hint')));
    await finalOf(gateway, status);
    expect(names()).toEqual([
      'browser → acs: threeDSMethodData',
      '3ds-server → directory: AReq',
      'directory → 3ds-server: ARes',
      'browser → acs: CReq',
      'directory → 3ds-server: RReq',
      '3ds-server → directory: RRes',
      'acs → browser: CRes',
    ]);
    const threeDSServerTransID = status['tds-method-url-frame-3ds-server-trans-id'];
    const notify = expect.stringMatching(/\/paynet\/3ds\/notify\/[\w-]+$/);
    expect(message('threeDSMethodData')).toEqual({ threeDSServerTransID, threeDSMethodNotificationURL: notify });
    expect(message('AReq')).toEqual({
      ...areqOf(TEST_CARDS.challengeMethod.number),
      ...{ threeDSServerTransID, threeDSCompInd: 'Y', browserIP: '127.0.0.1' },
      browserAcceptHeader: 'text/html,application/xhtml+xml',
    });
    expect(message('ARes')).toMatchObject({ transStatus: 'C', acsURL: `${gateway.networks.url}/acs/challenge` });
    const { dsTransID: _, ...browserIds } = ids();
    expect(message('CReq')).toEqual({
      ...{ messageType: 'CReq', messageVersion: '2.2.0', ...browserIds, challengeWindowSize: '05' },
    });
    expect(message('RReq')).toMatchObject({ ...ids(), transStatus: 'Y', eci: '05', messageCategory: '01' });
    expect(message('RRes')).toEqual({ messageType: 'RRes', messageVersion: '2.2.0', ...ids(), resultsStatus: '01' });
    expect(message('CRes')).toMatchObject({ ...browserIds, transStatus: 'Y' });
    expect(await timeline(status)).toEqual([
      ...['browser threeDSMethodData', 'tender AReq', 'network ARes', 'network RReq', 'browser CRes'],
    ]);
  });

  it('with a payer who never comes: RReq, and an RRes that says so', async () => {
    const status = await asking(gateway, TEST_CARDS.challenge);
    gateway.clock.advance(10 * 60_000 + 1);
    await finalOf(gateway, status);
    expect(message('RReq')).toMatchObject({ transStatus: 'N', transStatusReason: '14', challengeCancel: '05' });
    expect(message('RRes')).toEqual({ messageType: 'RRes', messageVersion: '2.2.0', ...ids(), resultsStatus: '02' });
  });

  it('in version 1: VEReq, VERes, PAReq, PARes', async () => {
    const status = await asking(gateway, TEST_CARDS.legacy);
    await passChallenge(new Payer(), status, 'hint');
    await finalOf(gateway, status);
    expect(names()).toEqual([
      '3ds-server → directory: VEReq',
      'directory → 3ds-server: VERes',
      'browser → acs: PAReq',
      'acs → browser: PARes',
    ]);
    expect(message('VEReq')).toEqual({
      ...{ messageId: ID, pan: '400000******1133', acqBIN: '400000', merID: '102', accept: 'text/html' },
      userAgent: 'Mozilla/5.0 (a payer of the tests)',
    });
    const pareq = message('PAReq');
    expect(pareq).toMatchObject({
      ...{ messageId: ID, acqBIN: '400000', merID: '102', name: 'Demo merchant', country: '840', xid: PROOF },
      ...{ amount: '10.42 EUR', purchAmount: '1042', currency: '978', exponent: '2', expiry: '3112' },
    });
    const { xid, date, purchAmount, messageId } = pareq ?? {};
    expect(message('PARes')).toMatchObject({ xid, date, purchAmount, messageId, status: 'Y', eci: '05', cavv: PROOF });
    const lines = await timelineOf(gateway, status);
    expect(lines.map((line) => `${line.from} ${line.message.messageType}`)).toEqual([
      ...['tender VEReq', 'network VERes', 'tender PAReq', 'browser PARes'],
    ]);
    expect(lines[1]?.message).toMatchObject({ enrolled: 'Y', acctID: '[hidden]' });
    expect(lines[2]?.message).toMatchObject({ acctID: '[hidden]', expiry: '[hidden]' });
    expect(lines[3]?.message).toMatchObject({ status: 'Y', cavv: '[hidden]', signed: true });
  });

  it('with what the acquirer agreed with the networks, in both generations of the protocol', async () => {
    const endpoint = 151;
    const agreed = { acquirerBin: '45123456789', acquirerMerchantId: 'ACME-7', category: '5814', country: 'DE' };
    await gateway.addEndpoint({ endpointId: endpoint, currency: 'EUR', threeDSecure: 'required', ...agreed });
    await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER), endpoint);
    await until('the directory was asked', async () => message('AReq') !== undefined);
    expect(message('AReq')).toMatchObject({
      ...{ acquirerBIN: '45123456789', acquirerMerchantID: 'ACME-7', mcc: '5814', merchantCountryCode: '276' },
    });
    const legacy = await begun(gateway, sale(TEST_CARDS.legacy, BROWSER), endpoint);
    expect(await untilPayersTurn(gateway, legacy, endpoint)).toHaveProperty('redirect-to');
    expect(message('VEReq')).toMatchObject({ acqBIN: '45123456789', merID: 'ACME-7' });
    const pareq = (await timelineOf(gateway, legacy)).find((line) => line.message.messageType === 'PAReq');
    expect(pareq?.message).toMatchObject({ acqBIN: '45123456789', merID: 'ACME-7', country: '276' });
  });

  describe('of networks that fail', () => {
    it.each([
      ['erro', ['tender AReq', 'network Erro']],
      ['malformed', ['tender AReq', 'tender Erro']],
      ['foreign-id', ['tender AReq', 'network ARes', 'tender Erro']],
    ] as const)('ARes %s', async (authentication, lines) => {
      fail({ authentication });
      const order = await begun(gateway, sale(TEST_CARDS.frictionless, BROWSER));
      await finalOf(gateway, order);
      expect(await timeline(order)).toEqual(lines);
      // The network was told what is wrong with its answer.
      if (authentication !== 'erro') {
        await expect.poll(() => names()).toContain('3ds-server → directory: Erro');
        expect(message('Erro')).toMatchObject({ errorComponent: 'S', errorMessageType: 'ARes' });
      }
    });

    it('a CRes that says the opposite is in the timeline beside the truth', async () => {
      fail({ challenge: 'tampered' });
      const status = await asking(gateway, TEST_CARDS.challenge);
      await passChallenge(new Payer(), status, 'cancel');
      await finalOf(gateway, status);
      await expect.poll(async () => (await timelineOf(gateway, status)).length).toBe(4);
      const [, , rreq, cres] = await timelineOf(gateway, status);
      expect(rreq?.message).toMatchObject({ transStatus: 'N', challengeCancel: '01' });
      expect(cres).toMatchObject({ from: 'browser', message: { messageType: 'CRes', transStatus: 'Y' } });
    });
  });

  describe('leaves nothing behind that could be paid with', () => {
    const NUMBER = '4485275742308327';
    const CODE = '321';
    const visited: string[] = [];
    const pages: string[] = [];

    it('neither in addresses nor in pages', async () => {
      const status = await asking(gateway, { number: NUMBER }, { ...BROWSER, cvv2: CODE });
      const payer = new Payer();
      await passChallenge(payer, status, 'hint');
      expect(await finalOf(gateway, status)).toMatchObject({ status: 'approved' });
      visited.push(...payer.visited);
      pages.push(...payer.seen, JSON.stringify(status));
      expect(visited.length).toBeGreaterThan(3);
      for (const text of [...visited, ...pages]) expect(text).not.toContain(NUMBER);
    });

    afterAll(async () => {
      const stored = await gateway.everythingStored();
      const bytes = Buffer.from(NUMBER).toString('hex');
      expect(stored).not.toContain(NUMBER);
      expect(stored).not.toContain(bytes);
      expect(gateway.log.join('')).not.toContain(NUMBER);
      // The proof of the issuer is sealed, and the security code gone.
      const proofs = gateway.networks.transcript().map(({ message }) => message.authenticationValue ?? message.cavv);
      for (const proof of proofs) if (typeof proof === 'string') expect(stored).not.toContain(proof);
      const kept = await gateway.query(
        `select count(*)::int as kept from transactions t join authentications a using (merchant_id, order_id, seq, shard)
         where t.sealed_cvv is not null and t.stage not in ('authenticating', 'sending')`,
      );
      expect(kept).toEqual([{ kept: 0 }]);
    });
  });
});
