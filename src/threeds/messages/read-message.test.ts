// The answers to messages that cannot be accepted: code and detail, one line each.

import { describe, expect, it } from 'vitest';
import { erroOf, mayBeSent } from './erro.ts';
import { type AReq, type ARes, type CRes, type PRes, type RReq, VERSIONS } from './message.ts';
import { MAX_MESSAGE_CHARACTERS, messageFaults, readMessage, UnwritableMessage, writeMessage } from './read-message.ts';

const [SERVER, ACS, DS] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];
const PROOF = Buffer.alloc(20, 7).toString('base64');

const ares: ARes = {
  messageType: 'ARes',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER,
  dsTransID: DS,
  acsTransID: ACS,
  dsReferenceNumber: 'DS',
  acsReferenceNumber: 'ACS',
  transStatus: 'Y',
  authenticationValue: PROOF,
  eci: '05',
};
const { authenticationValue: _, ...noProof } = ares;
const challenge = {
  ...noProof,
  transStatus: 'C',
  acsURL: 'https://acs.example/c',
  acsChallengeMandated: 'N',
  authenticationType: '02',
};

const aresIn = (message: object, options: { version?: '2.1.0' | '2.2.0'; category?: '01' | '02' } = {}) =>
  readMessage('ARes', JSON.stringify(message), { component: 'S', ...options });

const extension = (differs: object) => ({
  messageExtension: [{ name: 'x', id: 'ID-1', criticalityIndicator: false, data: {}, ...differs }],
});

describe('an ARes', () => {
  it.each<[string, object, string, string]>([
    ['has a type', { ...ares, messageType: undefined }, '201', 'messageType'],
    ['is no other message', { ...ares, messageType: 'RRes' }, '101', 'messageType is not ARes'],
    ['is no unknown message', { ...ares, messageType: 'XYes' }, '101', 'messageType is not ARes'],
    ['has a version', { ...ares, messageVersion: null }, '201', 'messageVersion'],
    ['is of a version we speak', { ...ares, messageVersion: '2.3.1' }, '102', '2.1.0,2.2.0'],
    [
      'names all that is missing',
      { ...ares, acsTransID: '', eci: 'x', dsTransID: null },
      '201',
      'dsTransID,acsTransID',
    ],
    [
      'names all that is malformed',
      { ...ares, eci: 'x', acsReferenceNumber: 'x'.repeat(33) },
      '203',
      'acsReferenceNumber,eci',
    ],
    ['sends no empty optional field', { ...ares, acsOperatorID: ' ' }, '203', 'acsOperatorID'],
    ['has ids that are UUIDs', { ...ares, acsTransID: 'abc' }, '203', 'acsTransID'],
    ['has a status', { ...ares, transStatus: 'X' }, '203', 'transStatus'],
    ['proves a Y', { ...ares, authenticationValue: undefined }, '201', 'authenticationValue'],
    ['proves an A', { ...noProof, transStatus: 'A' }, '201', 'authenticationValue'],
    ['proves with 20 bytes', { ...ares, authenticationValue: 'AAAA' }, '203', 'authenticationValue'],
    [
      'proves in canonical base64',
      { ...ares, authenticationValue: `${PROOF.slice(0, 26)}d=` },
      '203',
      'authenticationValue',
    ],
    ['gives a reason for N', { ...noProof, transStatus: 'N' }, '201', 'transStatusReason'],
    ['gives a reason for U', { ...noProof, transStatus: 'U' }, '201', 'transStatusReason'],
    ['gives a reason for R', { ...noProof, transStatus: 'R' }, '201', 'transStatusReason'],
    ['gives a known reason', { ...noProof, transStatus: 'R', transStatusReason: '27' }, '203', 'transStatusReason'],
    ['says where C goes on', { ...challenge, acsURL: undefined }, '201', 'acsURL'],
    ['sends nobody elsewhere', { ...challenge, acsURL: 'javascript:alert(1)' }, '203', 'acsURL'],
    ['says whether C is mandated', { ...challenge, acsChallengeMandated: undefined }, '201', 'acsChallengeMandated'],
    ['says how C is done', { ...challenge, authenticationType: undefined }, '201', 'authenticationType'],
    ['confirms D', { ...challenge, transStatus: 'D' }, '201', 'acsDecConInd'],
    ['explains D', { ...challenge, transStatus: 'D', acsDecConInd: 'Y' }, '201', 'cardholderInfo'],
    ['says whose whitelist', { ...ares, whiteListStatus: 'Y' }, '201', 'whiteListStatusSource'],
    ['knows no status I in 2.1.0', { ...noProof, messageVersion: '2.1.0', transStatus: 'I' }, '203', 'transStatus'],
    [
      'knows no reason 22 in 2.1.0',
      { ...noProof, messageVersion: '2.1.0', transStatus: 'U', transStatusReason: '22' },
      '203',
      'transStatusReason',
    ],
    ['has no extension we must know', { ...ares, ...extension({ criticalityIndicator: true }) }, '202', 'ID-1'],
    ['has whole extensions', { ...ares, ...extension({ id: undefined }) }, '201', 'messageExtension[0].id'],
    ['has no empty list', { ...ares, messageExtension: [] }, '203', 'messageExtension'],
  ])('%s', (_name, message, errorCode, errorDetail) => {
    expect(aresIn(message)).toMatchObject({
      outcome: 'fault',
      erro: { messageType: 'Erro', errorComponent: 'S', errorCode, errorDetail },
    });
  });

  it.each([
    ['as it should be', ares],
    ['with C', challenge],
    ['with I', { ...noProof, transStatus: 'I' }],
    ['with a reason of the directory', { ...noProof, transStatus: 'U', transStatusReason: '81' }],
    ['with an extension that need not be known', { ...ares, ...extension({}) }],
  ])('is taken %s', (_name, message) => {
    expect(aresIn(message)).toEqual({ outcome: 'message', message });
  });

  it('need not prove anything when nothing is paid', () => {
    expect(aresIn(noProof)).toMatchObject({ outcome: 'fault' });
    expect(aresIn(noProof, { category: '02' })).toMatchObject({ outcome: 'message' });
  });

  it('is of the version of its transaction', () => {
    expect(aresIn(ares, { version: '2.1.0' })).toMatchObject({
      outcome: 'fault',
      erro: { errorCode: '203', messageVersion: '2.1.0' },
    });
  });

  it('loses fields that nobody knows, and those of a later version', () => {
    const reading = aresIn({ ...ares, messageVersion: '2.1.0', secret: 'x', whiteListStatus: 'Y' });
    expect(reading).toEqual({ outcome: 'message', message: { ...ares, messageVersion: '2.1.0' } });
  });
});

describe('what is answered', () => {
  it('repeats the ids as far as they can be read, and no value', () => {
    const reading = aresIn({ ...ares, acsTransID: '4444555566661111', cardholderInfo: 4444555566661111 });
    expect(reading).toMatchObject({ erro: { threeDSServerTransID: SERVER, dsTransID: DS, errorMessageType: 'ARes' } });
    expect(JSON.stringify(reading)).not.toContain('4444555566661111');
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"messageType":"ARes"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"ARes"'],
    ['too much', JSON.stringify({ ...ares, x: 'x'.repeat(MAX_MESSAGE_CHARACTERS) })],
  ])('is 101 for %s', (_name, json) => {
    expect(readMessage('ARes', json, { component: 'D' })).toMatchObject({
      outcome: 'fault',
      erro: { errorCode: '101', errorComponent: 'D', errorMessageType: 'ARes', messageVersion: '2.2.0' },
    });
  });

  it.each([
    ['{"eci":"07",', 'eci'],
    ['{"e\\u0063i":"07",', 'eci'],
    ['{"broadInfo":{"a":1,"a":2},', 'a'],
    ['{"broadInfo":{"x":[{"b":"}","b":"{"}]},', 'b'],
  ])('is 204 for a name that is there twice: %s', (start, detail) => {
    const json = start + JSON.stringify(ares).slice(1);
    expect(readMessage('ARes', json, { component: 'S' })).toMatchObject({
      outcome: 'fault',
      erro: { errorCode: '204', errorDetail: detail },
    });
  });

  it('takes the same name in different objects, and values that look like names', () => {
    const json = JSON.stringify({ ...ares, broadInfo: { eci: 'eci', a: ['eci', 'eci'], b: { eci: '"eci":' } } });
    expect(readMessage('ARes', json, { component: 'S' })).toMatchObject({ outcome: 'message' });
  });

  it('is never an Erro to an Erro', () => {
    const erro = erroOf({ component: 'D', code: '403', detail: 'busy', version: '2.1.0', about: 'AReq' });
    const taken = readMessage('ARes', writeMessage(erro), { component: 'S', version: '2.2.0' });
    expect(taken).toEqual({ outcome: 'erro', erro });
    const broken = readMessage('ARes', JSON.stringify({ ...erro, errorCode: 'x' }), { component: 'S' });
    expect(broken.outcome === 'fault' && mayBeSent(broken.erro)).toBe(false);
    const plain = readMessage('ARes', '', { component: 'S' });
    expect(plain.outcome === 'fault' && mayBeSent(plain.erro)).toBe(true);
  });
});

describe('other messages', () => {
  const areq: AReq = {
    messageType: 'AReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER,
    deviceChannel: '02',
    messageCategory: '01',
    threeDSServerRefNumber: 'REF',
    threeDSServerURL: 'https://3ds.example/results',
    threeDSRequestorID: 'id',
    threeDSRequestorName: 'name',
    threeDSRequestorURL: 'https://shop.example',
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    acctNumber: '4444555566661111',
    acquirerBIN: '400001',
    acquirerMerchantID: 'm',
    mcc: '5814',
    merchantCountryCode: '036',
    merchantName: 'shop',
    purchaseAmount: '1042',
    purchaseCurrency: '840',
    purchaseExponent: '2',
    purchaseDate: '20280229235959',
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'x',
    browserLanguage: 'en',
    browserJavascriptEnabled: false,
    notificationURL: 'https://3ds.example/notify',
  };
  const rreq: RReq = {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER,
    acsTransID: ACS,
    dsTransID: DS,
    messageCategory: '01',
    transStatus: 'N',
    transStatusReason: '01',
    authenticationType: '02',
    interactionCounter: '01',
  };
  const cres: CRes = {
    messageType: 'CRes',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER,
    acsTransID: ACS,
    transStatus: 'Y',
  };
  const pres: PRes = {
    messageType: 'PRes',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER,
    dsTransID: DS,
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
    cardRangeData: [
      {
        startRange: '4'.repeat(16),
        endRange: '5'.repeat(16),
        acsStartProtocolVersion: '2.1.0',
        acsEndProtocolVersion: '2.2.0',
      },
    ],
  };
  const [range] = pres.cardRangeData!;
  const screen = {
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '1',
    browserScreenWidth: '1',
    browserTZ: '0',
  };

  it.each([areq, rreq, cres, pres])('$messageType is taken', (message) => {
    expect(readMessage(message.messageType, writeMessage(message), { component: 'S' })).toEqual({
      outcome: 'message',
      message,
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>, string, string]>([
    ['AReq: no other channel', { ...areq, deviceChannel: '01' }, '203', 'deviceChannel'],
    ['AReq: a payment has an acquirer', { ...areq, acquirerBIN: undefined }, '201', 'acquirerBIN'],
    ['AReq: an amount has no point', { ...areq, purchaseAmount: '10.42' }, '203', 'purchaseAmount'],
    ['AReq: a day must exist', { ...areq, purchaseDate: '20270229000000' }, '203', 'purchaseDate'],
    ['AReq: an hour must exist', { ...areq, purchaseDate: '20270228240000' }, '203', 'purchaseDate'],
    [
      'AReq: JavaScript tells of the screen',
      { ...areq, browserJavascriptEnabled: true },
      '201',
      Object.keys(screen).join(','),
    ],
    ['AReq: no boolean as a text', { ...areq, browserJavascriptEnabled: 'false' }, '203', 'browserJavascriptEnabled'],
    ['AReq: 2.1.0 tells of the screen', { ...areq, messageVersion: '2.1.0' }, '201', Object.keys(screen).join(',')],
    ['AReq: colours that exist', { ...areq, ...screen, browserColorDepth: '30' }, '203', 'browserColorDepth'],
    ['AReq: long languages are cut before', { ...areq, browserLanguage: 'zh-Hans-CN' }, '203', 'browserLanguage'],
    ['AReq: a state has a country', { ...areq, billAddrState: 'CA' }, '201', 'billAddrCountry'],
    [
      'AReq: instalments are counted',
      { ...areq, threeDSRequestorAuthenticationInd: '03', recurringExpiry: '20280101', recurringFrequency: '30' },
      '201',
      'purchaseInstalData',
    ],
    ['AReq: one is no instalment', { ...areq, purchaseInstalData: '1' }, '203', 'purchaseInstalData'],
    [
      'AReq: recurring has an end',
      { ...areq, threeDSRequestorAuthenticationInd: '02' },
      '201',
      'recurringExpiry,recurringFrequency',
    ],
    ['AReq: decoupled has a limit', { ...areq, threeDSRequestorDecReqInd: 'Y' }, '201', 'threeDSRequestorDecMaxTime'],
    [
      'AReq: a limit of at most a week',
      { ...areq, threeDSRequestorDecMaxTime: '10081' },
      '203',
      'threeDSRequestorDecMaxTime',
    ],
    ['AReq: names are ASCII', { ...areq, cardholderName: 'Zoë' }, '203', 'cardholderName'],
    ['AReq: phones have both parts', { ...areq, homePhone: { cc: '49' } }, '201', 'homePhone.subscriber'],
    [
      'AReq: an indicator of 2.2.0',
      { ...areq, ...screen, messageVersion: '2.1.0', threeDSRequestorChallengeInd: '05' },
      '203',
      'threeDSRequestorChallengeInd',
    ],
    ['RReq: C is no result', { ...rreq, transStatus: 'C' }, '203', 'transStatus'],
    ['RReq: a reason for N', { ...rreq, transStatusReason: undefined }, '201', 'transStatusReason'],
    ['RReq: a proof of Y', { ...rreq, transStatus: 'Y' }, '201', 'authenticationValue'],
    ['RReq: tries are counted', { ...rreq, interactionCounter: undefined }, '201', 'interactionCounter'],
    ['RReq: a time-out is a cancellation', { ...rreq, transStatusReason: '14' }, '201', 'challengeCancel'],
    ['CRes: only Y or N', { ...cres, transStatus: 'A' }, '203', 'transStatus'],
    [
      'PRes: ranges are whole',
      { ...pres, cardRangeData: [range, { ...range, endRange: 'x' }] },
      '203',
      'cardRangeData[1].endRange',
    ],
  ])('%s', (_name, message, errorCode, errorDetail) => {
    const reading = readMessage(message.messageType as 'AReq', JSON.stringify(message), { component: 'D' });
    expect(reading).toMatchObject({ outcome: 'fault', erro: { errorCode, errorDetail } });
  });

  it('authentication data may be longer since 2.2.0', () => {
    const threeDSRequestorAuthenticationInfo = { threeDSReqAuthData: 'x'.repeat(2049) };
    const fieldsWrong = (message: AReq) => messageFaults(message).map(({ field }) => field);
    expect(fieldsWrong({ ...areq, threeDSRequestorAuthenticationInfo })).toEqual([]);
    const early = { ...areq, ...screen, browserJavascriptEnabled: undefined, messageVersion: '2.1.0' } as AReq;
    expect(fieldsWrong({ ...early, threeDSRequestorAuthenticationInfo })).toEqual([
      'threeDSRequestorAuthenticationInfo.threeDSReqAuthData',
    ]);
  });

  it('a decoupled result counts no tries', () => {
    const { interactionCounter: _, ...decoupled } = { ...rreq, authenticationType: '04' };
    expect(readMessage('RReq', JSON.stringify(decoupled), { component: 'S' })).toMatchObject({ outcome: 'message' });
  });

  it('none of our own leaves that would not be taken, and none says values when it complains', () => {
    const wrong = { ...areq, cardholderName: 'Zoë', mcc: undefined };
    expect(messageFaults(wrong)).toMatchObject([
      { code: '203', field: 'cardholderName' },
      { code: '201', field: 'mcc' },
    ]);
    expect(() => writeMessage(wrong)).toThrow(UnwritableMessage);
    expect(() => writeMessage(wrong)).toThrow(/^AReq cannot be sent: cardholderName \(.*\), mcc \(.*\)$/);
    expect(() => writeMessage({ ...areq, acctNumber: '4444-5555' })).toThrow(/^(?!.*4444)/);
  });

  it('none of our own has a field that its version does not know', () => {
    const early = { ...areq, ...screen, messageVersion: '2.1.0' } as AReq;
    expect(messageFaults(early)).toMatchObject([
      { code: '203', field: 'browserJavascriptEnabled', hint: 'not in AReq 2.1.0' },
    ]);
  });

  it('leave out what is undefined', () => {
    expect(writeMessage({ ...areq, email: undefined })).not.toContain('email');
  });
});

it('the versions are in order', () => {
  expect([...VERSIONS].sort()).toEqual(VERSIONS);
});
