// The simulated networks over real HTTP, seen by a 3DS server and a browser: every outcome and every fault, field by
// field.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { type CardRanges, rangeOf, updatedRanges, versionFor } from '../../src/threeds/card-ranges.ts';
import { httpDirectory } from '../../src/threeds/http-directory.ts';
import {
  type AReq,
  type ARes,
  aresDisagreement,
  cresDisagreement,
  InvalidDocument,
  type KnownTransaction,
  type PAReq,
  paresDifferences,
  readCres,
  readMethodNotification,
  readPaRes,
  rreqDisagreement,
  type Version,
  writeCreq,
  writeMethodData,
  writePaReq,
} from '../../src/threeds/messages/index.ts';
import type { NetworkFaults } from '../../src/threeds/simulator/faults.ts';
import { type RunningNetworks, startNetworks } from '../../src/threeds/simulator/networks.ts';
import { TEST_CARDS } from '../../src/threeds/simulator/test-cards.ts';
import { AdjustableClock, until } from '../harness.ts';
import { areqOf, messageIn, namesIn, type Page, postForm, submit, TestRequestor } from '../threeds/requestor.ts';

/** Who waits in vain does so for a moment; who will be answered waits as long as a busy machine takes. */
const HURRIED_MS = 400;
const PATIENT_MS = 120_000;
const DELAY_MS = 150;

const requestor = new TestRequestor();
let networks: RunningNetworks;
let directory: ReturnType<typeof httpDirectory>;
let hurried: ReturnType<typeof httpDirectory>;

beforeAll(async () => {
  await requestor.start();
  networks = await startNetworks({ clock: systemClock });
  const open = (answerTimeoutMs: number) => httpDirectory({ url: networks.url, clock: systemClock, answerTimeoutMs });
  directory = open(PATIENT_MS);
  hurried = open(HURRIED_MS);
});
afterEach(() => {
  networks.faults.set({});
  requestor.results.length = 0;
  requestor.posted.length = 0;
  requestor.arrived.length = 0;
});
afterAll(async () => {
  await directory.close();
  await hurried.close();
  await networks.close();
  await requestor.close();
});

const fail = (faults: Partial<NetworkFaults>) => networks.faults.set({ delayMs: DELAY_MS, ...faults });

async function authenticated(areq: AReq): Promise<ARes> {
  const answer = await directory.authenticate(areq);
  if (answer.outcome !== 'answered') throw new Error(JSON.stringify(answer));
  expect(aresDisagreement(areq, answer.message)).toBeUndefined();
  return answer.message;
}

/** What passed at the networks during some work. */
async function transcriptOf(work: () => Promise<unknown>) {
  const before = networks.transcript().length;
  await work();
  return networks.transcript().slice(before);
}

async function loadRanges(): Promise<CardRanges> {
  const answer = await directory.cardRanges({
    messageType: 'PReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: crypto.randomUUID(),
    threeDSServerRefNumber: 'TENDER-TEST',
  });
  if (answer.outcome !== 'answered') throw new Error(JSON.stringify(answer));
  return updatedRanges(undefined, answer.message);
}

describe('card ranges', () => {
  it.each([
    ['4444555566661111', '2.2.0', false],
    ['378282246310005', '2.2.0', false],
    [TEST_CARDS.frictionless.number, '2.2.0', false],
    [TEST_CARDS.frictionlessMethod.number, '2.2.0', true],
    [TEST_CARDS.challengeMethod.number, '2.2.0', true],
    [TEST_CARDS.challenge21.number, '2.1.0', false],
    [TEST_CARDS.legacy.number, undefined, false],
    [TEST_CARDS.notEnrolled.number, undefined, false],
  ] as const)('%s speaks %s, method %s', async (number, version, hasMethod) => {
    const ranges = await loadRanges();
    const range = rangeOf(ranges, number);
    expect(range && versionFor(ranges, range)).toBe(version);
    expect(range?.threeDSMethodURL).toBe(hasMethod ? `${networks.url}/acs/method` : undefined);
  });

  it('answers a known serial number with no ranges, and an unknown one with 307', async () => {
    const { serialNum } = await loadRanges();
    const ask = (serial: string | undefined) =>
      directory.cardRanges({
        messageType: 'PReq',
        messageVersion: '2.1.0',
        threeDSServerTransID: crypto.randomUUID(),
        threeDSServerRefNumber: 'TENDER-TEST',
        serialNum: serial,
      });
    const same = await ask(serialNum);
    expect(same).toMatchObject({ outcome: 'answered', message: { messageVersion: '2.1.0', serialNum } });
    expect(same.outcome === 'answered' && same.message.cardRangeData).toBeUndefined();
    expect(await ask('99')).toMatchObject({ outcome: 'refused', erro: { errorCode: '307', errorComponent: 'D' } });
  });
});

describe('an answer without a question to the payer', () => {
  it.each([
    ['frictionless', { transStatus: 'Y', eci: '05' }],
    ['attempt', { transStatus: 'A', eci: '06' }],
    ['failed', { transStatus: 'N', eci: '07', transStatusReason: '01' }],
    ['rejected', { transStatus: 'R', eci: '07', transStatusReason: '11' }],
    ['unavailable', { transStatus: 'U', eci: '07', transStatusReason: '22' }],
    ['informational', { transStatus: 'I', eci: '07' }],
    ['mastercardFrictionless', { transStatus: 'Y', eci: '02' }],
  ] as const)('%s', async (card, expected) => {
    const areq = areqOf(requestor, TEST_CARDS[card].number);
    const ares = await authenticated(areq);
    expect(ares).toMatchObject({
      ...expected,
      messageVersion: '2.2.0',
      threeDSServerTransID: areq.threeDSServerTransID,
    });
    expect(ares.acsURL).toBeUndefined();
    const proves = expected.transStatus === 'Y' || expected.transStatus === 'A';
    expect(ares.authenticationValue === undefined).toBe(!proves);
  });

  it('speaks 2.1.0 with an issuer that knows no more', async () => {
    const { number } = TEST_CARDS.frictionless21;
    const ares = await authenticated(areqOf(requestor, number, { messageVersion: '2.1.0' }));
    expect(ares).toMatchObject({ messageVersion: '2.1.0', transStatus: 'Y' });
    const newer = await directory.authenticate(areqOf(requestor, number));
    expect(newer).toMatchObject({ outcome: 'refused', erro: { errorCode: '102', errorComponent: 'D' } });
  });

  it('gives every transaction a proof and ids of its own, and keeps no card number in the clear', async () => {
    const areq = () => areqOf(requestor, '4444555566661111');
    const passed = await transcriptOf(async () => {
      const [one, other] = [await authenticated(areq()), await authenticated(areq())];
      expect(one.authenticationValue).not.toBe(other.authenticationValue);
      expect(one.acsTransID).not.toBe(other.acsTransID);
    });
    expect(namesIn(passed)).toEqual([
      '3ds-server → directory AReq',
      'directory → 3ds-server ARes',
      '3ds-server → directory AReq',
      'directory → 3ds-server ARes',
    ]);
    expect(messageIn(passed, 'AReq')).toMatchObject({ acctNumber: '444455******1111', purchaseAmount: '1042' });
    const shown = await fetch(`${networks.url}/v1/transcript`).then((response) => response.text());
    expect(shown).not.toContain('4444555566661111');
  });

  it.each([
    ['03', 'C', 'N'],
    ['04', 'C', 'Y'],
    ['02', 'Y', undefined],
    ['06', 'I', undefined],
  ] as const)('a wish of %s makes it %s', async (wish, transStatus, mandated) => {
    const areq = areqOf(requestor, '4444555566661111', { threeDSRequestorChallengeInd: wish });
    const ares = await authenticated(areq);
    expect(ares).toMatchObject({ transStatus });
    expect(ares.acsChallengeMandated).toBe(mandated);
  });
});

describe('the method URL', () => {
  it('sends the browser back with the transaction, by a form that works without a script', async () => {
    const threeDSServerTransID = crypto.randomUUID();
    const threeDSMethodData = writeMethodData({
      threeDSServerTransID,
      threeDSMethodNotificationURL: `${requestor.url}/method-done`,
    });
    const page = await postForm(`${networks.url}/acs/method`, { threeDSMethodData });
    expect(page).toMatchObject({ status: 200, action: `${requestor.url}/method-done` });
    await submit(page);
    expect(requestor.arrived).toEqual(['/method-done']);
    const { form } = requestor.posted[0]!;
    expect(readMethodNotification(form.get('threeDSMethodData') ?? '')).toBe(threeDSServerTransID);
  });

  it('takes no address that is not one of the web', async () => {
    const data = Buffer.from(
      JSON.stringify({
        threeDSServerTransID: crypto.randomUUID(),
        threeDSMethodNotificationURL: 'javascript:alert(1)',
      }),
    ).toString('base64url');
    expect(await postForm(`${networks.url}/acs/method`, { threeDSMethodData: data })).toMatchObject({ status: 400 });
  });
});

type Asked = { readonly areq: AReq; readonly ares: ARes; readonly page: Page };

async function challenged(card: string, differs: { messageVersion?: Version } = {}): Promise<Asked> {
  const areq = areqOf(requestor, card, differs);
  const ares = await authenticated(areq);
  const creq = writeCreq({
    messageType: 'CReq',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID: ares.acsTransID,
    challengeWindowSize: '05',
  });
  const page = await postForm(ares.acsURL ?? '', { creq, threeDSSessionData: 'c2Vzc2lvbg' });
  return { areq, ares, page };
}

/** What is known of a transaction once its ARes was accepted. */
function knownTransaction(areq: AReq, { acsTransID, dsTransID }: ARes): KnownTransaction {
  const { threeDSServerTransID, messageVersion, messageCategory } = areq;
  return { threeDSServerTransID, messageVersion, messageCategory, acsTransID, dsTransID };
}

const password = (text: string) => ({ password: text, do: 'confirm' });

/** The CRes that the browser brought. */
function broughtCres() {
  const { path, form } = requestor.posted.at(-1)!;
  expect(path).toBe('/notify');
  expect(form.get('threeDSSessionData')).toBe('c2Vzc2lvbg');
  return readCres(form.get('cres') ?? '', { component: 'S' });
}

describe('a challenge', () => {
  it('shows what is paid, escaped, under a strict policy, and no card number', async () => {
    const { page } = await challenged(TEST_CARDS.challenge.number);
    expect(page.html).toContain('Coffee &amp; &lt;Cake&gt;');
    expect(page.html).toContain('10.42 USD');
    expect(page.html).toContain('•••• 1091');
    expect(page.html).not.toContain(TEST_CARDS.challenge.number);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(page.html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['challenge', '2.2.0', '05'],
    ['challenge21', '2.1.0', '05'],
    ['mastercardChallenge', '2.2.0', '02'],
  ] as const)('%s: the right password passes, and the RReq comes before the CRes', async (card, version, eci) => {
    let asked: Asked | undefined;
    const passed = await transcriptOf(async () => {
      asked = await challenged(TEST_CARDS[card].number, { messageVersion: version });
      await submit(await submit(asked.page, password('hint')));
    });
    const { areq, ares } = asked!;
    expect(namesIn(passed)).toEqual([
      '3ds-server → directory AReq',
      'directory → 3ds-server ARes',
      'browser → acs CReq',
      'directory → 3ds-server RReq',
      '3ds-server → directory RRes',
      'acs → browser CRes',
    ]);
    const known = knownTransaction(areq, ares);
    const [rreq] = requestor.results;
    expect(rreqDisagreement(known, rreq!)).toBeUndefined();
    expect(rreq).toEqual({
      messageType: 'RReq',
      ...known,
      transStatus: 'Y',
      eci,
      authenticationType: '01',
      authenticationValue: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
      interactionCounter: '01',
    });
    expect(messageIn(passed, 'RRes')).toMatchObject({ resultsStatus: '01', acsTransID: ares.acsTransID });
    const cres = broughtCres();
    expect(cres).toEqual({
      outcome: 'message',
      message: {
        messageType: 'CRes',
        messageVersion: version,
        threeDSServerTransID: areq.threeDSServerTransID,
        acsTransID: ares.acsTransID,
        transStatus: 'Y',
      },
    });
    expect(cres.outcome === 'message' && cresDisagreement(known, cres.message)).toBeUndefined();
    expect(requestor.arrived).toEqual(['RReq', '/notify']);
  });

  it('three wrong passwords fail it', async () => {
    const { page } = await challenged(TEST_CARDS.challenge.number);
    const second = await submit(page, password('guess'));
    expect(second.html).toContain('Tries left: 2.');
    const third = await submit(second, password(''));
    expect(third.html).toContain('Tries left: 1.');
    expect(requestor.results).toEqual([]);
    await submit(await submit(third, password('again')));
    expect(requestor.results).toMatchObject([{ transStatus: 'N', transStatusReason: '19', interactionCounter: '03' }]);
    expect(broughtCres()).toMatchObject({ message: { transStatus: 'N' } });
  });

  it('two wrong passwords and the right one pass', async () => {
    const { page } = await challenged(TEST_CARDS.challenge.number);
    const third = await submit(await submit(page, password('a')), password('b'));
    await submit(third, password(' Hint '));
    expect(requestor.results).toMatchObject([{ transStatus: 'Y', interactionCounter: '03' }]);
  });

  it('cancelling cancels it', async () => {
    const { page } = await challenged(TEST_CARDS.challenge.number);
    await submit(await submit(page, { do: 'cancel', password: 'hint' }));
    expect(requestor.results).toMatchObject([{ transStatus: 'N', challengeCancel: '01', interactionCounter: '00' }]);
    expect(broughtCres()).toMatchObject({ message: { transStatus: 'N' } });
  });

  it('is told once, however often it is answered', async () => {
    const { page } = await challenged(TEST_CARDS.challenge.number);
    const [one, other] = await Promise.all([submit(page, password('hint')), submit(page, password('hint'))]);
    const later = await submit(page, { do: 'cancel' });
    expect(other.fields).toEqual(one.fields);
    expect(later.fields).toEqual(one.fields);
    expect(requestor.results).toHaveLength(1);
  });

  it('a foreign or unreadable CReq finds no question', async () => {
    const { areq, ares } = await challenged(TEST_CARDS.challenge.number);
    const foreign = writeCreq({
      messageType: 'CReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: crypto.randomUUID(),
      acsTransID: ares.acsTransID,
      challengeWindowSize: '05',
    });
    expect(await postForm(ares.acsURL!, { creq: foreign })).toMatchObject({ status: 404 });
    expect(await postForm(ares.acsURL!, { creq: '%%%' })).toMatchObject({ status: 400 });
    const other = writeCreq({
      messageType: 'CReq',
      messageVersion: '2.1.0',
      threeDSServerTransID: areq.threeDSServerTransID,
      acsTransID: ares.acsTransID,
      challengeWindowSize: '05',
    });
    const page = await postForm(ares.acsURL!, { creq: other });
    const reading = readCres(page.fields.cres ?? '', { component: 'S' });
    expect(reading).toMatchObject({ outcome: 'erro', erro: { errorCode: '203', errorComponent: 'A' } });
  });
});

describe('an issuer that waits in vain', () => {
  const WAIT_MS = 600_000;
  const clock = new AdjustableClock();
  let hasty: RunningNetworks;
  let line: ReturnType<typeof httpDirectory>;
  beforeAll(async () => {
    hasty = await startNetworks({ clock, limits: { firstCreqMs: WAIT_MS, challengeMs: WAIT_MS } });
    line = httpDirectory({ url: hasty.url, clock: systemClock });
  });
  afterAll(async () => {
    await line.close();
    await hasty.close();
  });

  const sentResults = () => hasty.transcript().filter(({ name }) => name === 'RReq').length;

  /**
   * What it waits for begins anew when the payer comes, so that more than one wait may have to pass. Once it has told
   * the result, no more time passes, or it would give up on the answer.
   */
  const untilToldAfterwards = () => {
    const before = sentResults();
    return until('the RReq is there', () => {
      if (sentResults() === before) clock.advance(WAIT_MS);
      return requestor.results.length > 0;
    });
  };

  it('tells that the browser never came', async () => {
    await line.authenticate(areqOf(requestor, TEST_CARDS.challenge.number));
    await untilToldAfterwards();
    expect(requestor.results).toMatchObject([
      { transStatus: 'N', transStatusReason: '14', challengeCancel: '05', interactionCounter: '00' },
    ]);
    await until('the RRes is back', () => hasty.transcript().some(({ name }) => name === 'RRes'));
    expect(messageIn(hasty.transcript(), 'RRes')).toMatchObject({ resultsStatus: '02' });
  });

  it('tells that the payer did not answer, and takes no answer afterwards', async () => {
    const areq = areqOf(requestor, TEST_CARDS.challenge.number);
    const answer = await line.authenticate(areq);
    const { acsTransID = '', acsURL = '' } = answer.outcome === 'answered' ? answer.message : {};
    const { messageVersion, threeDSServerTransID } = areq;
    const creq = writeCreq({
      ...{ messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID },
      challengeWindowSize: '01',
    });
    const page = await postForm(acsURL, { creq });
    await untilToldAfterwards();
    expect(requestor.results).toMatchObject([{ transStatus: 'N', transStatusReason: '14', challengeCancel: '04' }]);
    const late = await submit(page, password('hint'));
    expect(readCres(late.fields.cres ?? '', { component: 'S' })).toMatchObject({ message: { transStatus: 'N' } });
    expect(requestor.results).toHaveLength(1);
  });
});

describe('faults of the directory', () => {
  it.each([
    ['no-answer', { outcome: 'no-answer', why: 'timed-out', erro: { errorCode: '402', errorComponent: 'S' } }],
    ['erro', { outcome: 'refused', erro: { errorCode: '403', errorComponent: 'D', errorMessageType: 'AReq' } }],
    ['unsupported-version', { outcome: 'refused', erro: { errorCode: '102' } }],
    ['malformed', { outcome: 'unreadable', erro: { errorCode: '201', errorDetail: 'acsTransID' } }],
    ['garbage', { outcome: 'unreadable', erro: { errorCode: '101', errorMessageType: 'ARes' } }],
  ] as const)('authentication: %s', async (authentication, expected) => {
    fail({ authentication });
    const passed = await transcriptOf(async () => {
      const asked = expected.outcome === 'no-answer' ? hurried : directory;
      expect(await asked.authenticate(areqOf(requestor, '4444555566661111'))).toMatchObject(expected);
    });
    // What cannot be taken is reported to the directory.
    if (expected.outcome !== 'unreadable') return;
    await until('the Erro is there', () => networks.transcript().at(-1)?.name === 'Erro');
    expect(networks.transcript().at(-1)?.message).toMatchObject({ ...expected.erro, errorComponent: 'S' });
    expect(namesIn(passed)[0]).toBe('3ds-server → directory AReq');
  });

  it('authentication: slow, but in time', async () => {
    fail({ authentication: 'slow' });
    const start = Date.now();
    expect(await directory.authenticate(areqOf(requestor, '4444555566661111'))).toMatchObject({ outcome: 'answered' });
    expect(Date.now() - start).toBeGreaterThanOrEqual(DELAY_MS - 5);
  });

  it('authentication: slower than anybody waits', async () => {
    fail({ authentication: 'slow', delayMs: 5_000 });
    const answer = await hurried.authenticate(areqOf(requestor, '4444555566661111'));
    expect(answer).toMatchObject({ outcome: 'no-answer', why: 'timed-out' });
  });

  it('authentication: the id of somebody else', async () => {
    fail({ authentication: 'foreign-id' });
    const areq = areqOf(requestor, '4444555566661111');
    const answer = await directory.authenticate(areq);
    expect(answer.outcome === 'answered' && aresDisagreement(areq, answer.message)).toEqual({
      code: '301',
      detail: 'threeDSServerTransID',
    });
  });

  it.each([
    ['no-answer', { outcome: 'no-answer', why: 'timed-out' }],
    ['erro', { outcome: 'refused', erro: { errorCode: '403' } }],
    ['garbage', { outcome: 'unreadable', erro: { errorCode: '101' } }],
  ] as const)('card ranges: %s', async (fault, expected) => {
    fail({ directory: fault });
    const asked = expected.outcome === 'no-answer' ? hurried : directory;
    const answer = await asked.cardRanges({
      messageType: 'PReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: crypto.randomUUID(),
      threeDSServerRefNumber: 'TENDER-TEST',
    });
    expect(answer).toMatchObject(expected);
  });

  it('a directory that is not there was not reached', async () => {
    const nowhere = httpDirectory({ url: 'http://127.0.0.1:9', clock: systemClock });
    const areq = areqOf(requestor, '4444555566661111');
    const answer = await nowhere.authenticate(areq);
    expect(answer).toMatchObject({
      outcome: 'no-answer',
      why: 'not-reached',
      erro: { errorCode: '405', threeDSServerTransID: areq.threeDSServerTransID },
    });
    expect(await nowhere.signers()).toEqual([]);
    await nowhere.close();
  });

  it('answers what is no message at all with 101, and one without its fields with their names', async () => {
    const post = (body: string) =>
      fetch(`${networks.url}/emv-3ds`, { method: 'POST', body }).then((response) => response.json());
    expect(await post('what?')).toMatchObject({ messageType: 'Erro', errorCode: '101', errorComponent: 'D' });
    const { acctNumber: _, ...areq } = areqOf(requestor, '4444555566661111');
    expect(await post(JSON.stringify(areq))).toMatchObject({ errorCode: '201', errorDetail: 'acctNumber' });
    const unknown = { ...areq, acctNumber: TEST_CARDS.notEnrolled.number };
    expect(await post(JSON.stringify(unknown))).toMatchObject({ errorCode: '305', errorDetail: 'acctNumber' });
  });
});

describe('faults of the result', () => {
  const answered = async () => {
    const asked = await challenged(TEST_CARDS.challenge.number);
    await submit(await submit(asked.page, password('hint')));
    return asked;
  };

  it('late: the CRes is there before the RReq', async () => {
    fail({ results: 'late' });
    await answered();
    expect(requestor.arrived).toEqual(['/notify']);
    await until('the RReq is there', () => requestor.results.length > 0);
    expect(requestor.arrived).toEqual(['/notify', 'RReq']);
    expect(requestor.results).toMatchObject([{ transStatus: 'Y' }]);
  });

  it('never: only the browser speaks', async () => {
    fail({ results: 'never' });
    await answered();
    expect(requestor.arrived).toEqual(['/notify']);
    expect(broughtCres()).toMatchObject({ message: { transStatus: 'Y' } });
  });

  it('foreign-id: the RReq speaks of another transaction', async () => {
    fail({ results: 'foreign-id' });
    const { areq, ares } = await answered();
    const disagreement = rreqDisagreement(knownTransaction(areq, ares), requestor.results[0]!);
    expect(disagreement).toEqual({ code: '301', detail: 'acsTransID' });
  });

  it('twice: the same RReq again', async () => {
    fail({ results: 'twice' });
    await answered();
    expect(requestor.results).toHaveLength(2);
    expect(requestor.results[1]).toEqual(requestor.results[0]);
  });

  it('contradicting: a second RReq says the opposite', async () => {
    fail({ results: 'contradicting' });
    await answered();
    expect(requestor.results.map(({ transStatus }) => transStatus)).toEqual(['Y', 'N']);
  });

  it('tampered: the CRes says Y where the RReq says N', async () => {
    fail({ challenge: 'tampered' });
    const { page } = await challenged(TEST_CARDS.challenge.number);
    await submit(await submit(page, { do: 'cancel' }));
    expect(requestor.results).toMatchObject([{ transStatus: 'N' }]);
    expect(broughtCres()).toMatchObject({ message: { transStatus: 'Y' } });
  });

  it('foreign-id: the CRes speaks of another transaction', async () => {
    fail({ challenge: 'foreign-id' });
    const { areq, ares } = await answered();
    const cres = broughtCres();
    expect(cres.outcome === 'message' && cresDisagreement(knownTransaction(areq, ares), cres.message)).toEqual({
      code: '301',
      detail: 'acsTransID',
    });
  });

  it('malformed and erro: the browser brings no CRes', async () => {
    fail({ challenge: 'malformed' });
    await answered();
    expect(broughtCres()).toMatchObject({ outcome: 'fault', erro: { errorCode: '101' } });
    fail({ challenge: 'erro' });
    await answered();
    expect(broughtCres()).toMatchObject({ outcome: 'erro', erro: { errorCode: '404', errorComponent: 'A' } });
  });

  it('can be set while it runs, and nothing else can', async () => {
    const put = (faults: unknown) =>
      fetch(`${networks.url}/v1/faults`, { method: 'PUT', body: JSON.stringify(faults) });
    const set = await put({ results: 'never', delayMs: 20 });
    expect(await set.json()).toMatchObject({ results: 'never', authentication: 'none', delayMs: 20 });
    for (const wrong of [{ results: 'sometimes' }, { weather: 'bad' }, { delayMs: -1 }, [], 'none']) {
      expect((await put(wrong)).status).toBe(400);
    }
    expect(networks.faults.faults.results).toBe('never');
  });
});

describe('version 1.0.2', () => {
  const enrol = (pan: string, asked = directory) =>
    asked.verifyEnrolment({ messageId: 'message-1', pan, acqBIN: '400001', merID: 'merchant-1' });

  it.each([
    ['legacy', 'Y'],
    ['notEnrolled', 'N'],
    ['frictionless', 'N'],
    ['enrolmentUnknown', 'U'],
  ] as const)('%s is enrolled: %s', async (card, enrolled) => {
    expect(await enrol(TEST_CARDS[card].number)).toMatchObject({ outcome: 'answered', message: { enrolled } });
  });

  const xid = () => Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('base64');

  async function atIssuer(card: string): Promise<{ pareq: PAReq; page: Page }> {
    const answer = await enrol(card);
    const { acctID = '', url = '' } = answer.outcome === 'answered' ? answer.message : {};
    const pareq: PAReq = {
      messageId: 'message-2',
      acqBIN: '400001',
      merID: 'merchant-1',
      xid: xid(),
      date: '20270131 18:00:00',
      purchAmount: '1042',
      currency: '840',
      exponent: '2',
      name: 'Coffee shop',
      country: '840',
      url: 'https://shop.example',
      amount: '10.42 USD',
      acctID,
      expiry: '3012',
    };
    const page = await postForm(url, { PaReq: writePaReq(pareq), MD: 'order "7"', TermUrl: `${requestor.url}/term` });
    return { pareq, page };
  }

  async function broughtPaRes() {
    const { path, form } = requestor.posted.at(-1)!;
    expect({ path, md: form.get('MD') }).toEqual({ path: '/term', md: 'order "7"' });
    return readPaRes(form.get('PaRes') ?? '', await directory.signers());
  }

  it('the right password gives a signed PARes with a proof', async () => {
    const { pareq, page } = await atIssuer(TEST_CARDS.legacy.number);
    expect(page.html).toContain('10.42 USD');
    await submit(await submit(page, password('hint')));
    const { pares, signed } = await broughtPaRes();
    expect(signed).toBe(true);
    expect(paresDifferences(pareq, pares)).toEqual([]);
    expect(pares).toMatchObject({ status: 'Y', eci: '05', pan: '0000000000001133', cavvAlgorithm: '2' });
    expect(pares.cavv).toMatch(/^[A-Za-z0-9+/]{27}=$/);
  });

  it('three wrong passwords, or cancelling, give a signed N without a proof', async () => {
    const { page } = await atIssuer(TEST_CARDS.legacy.number);
    const third = await submit(await submit(page, password('a')), password('b'));
    await submit(await submit(third, password('c')));
    expect(await broughtPaRes()).toMatchObject({ signed: true, pares: { status: 'N' } });
    const other = await atIssuer(TEST_CARDS.legacy.number);
    await submit(await submit(other.page, { do: 'cancel' }));
    const { pares } = await broughtPaRes();
    expect(pares.status).toBe('N');
    expect(pares.cavv).toBeUndefined();
  });

  it('an attempt asks nobody', async () => {
    const { page } = await atIssuer(TEST_CARDS.legacyAttempt.number);
    await submit(page);
    expect(await broughtPaRes()).toMatchObject({ signed: true, pares: { status: 'A', eci: '06' } });
  });

  it.each(['unsigned', 'tampered', 'foreign-signer'] as const)('%s: nobody signed it', async (pares) => {
    fail({ pares });
    const { page } = await atIssuer(TEST_CARDS.legacy.number);
    await submit(await submit(page, { do: 'cancel' }));
    expect(await broughtPaRes()).toMatchObject({ signed: false, pares: { status: pares === 'tampered' ? 'Y' : 'N' } });
  });

  it('other-purchase: signed, for another xid', async () => {
    fail({ pares: 'other-purchase' });
    const { pareq, page } = await atIssuer(TEST_CARDS.legacy.number);
    await submit(await submit(page, password('hint')));
    const { pares, signed } = await broughtPaRes();
    expect({ signed, differs: paresDifferences(pareq, pares) }).toEqual({ signed: true, differs: ['xid'] });
  });

  it('malformed: it cannot be read', async () => {
    fail({ pares: 'malformed' });
    const { page } = await atIssuer(TEST_CARDS.legacy.number);
    await submit(await submit(page, password('hint')));
    await expect(broughtPaRes()).rejects.toBeInstanceOf(InvalidDocument);
  });

  it('an unknown account or a bad address is no question', async () => {
    const TermUrl = `${requestor.url}/term`;
    expect(await postForm(`${networks.url}/acs/pareq`, { PaReq: 'x', TermUrl })).toMatchObject({ status: 400 });
    const { pareq } = await atIssuer(TEST_CARDS.legacy.number);
    const PaReq = writePaReq(pareq);
    const url = `${networks.url}/acs/pareq`;
    expect(await postForm(url, { PaReq, TermUrl: 'javascript:alert(1)' })).toMatchObject({ status: 400 });
    // What is kept until the payer has answered is short.
    const long = `${TermUrl}?${'x'.repeat(2_048)}`;
    expect(await postForm(url, { PaReq, TermUrl: long })).toMatchObject({ status: 400 });
    expect(await postForm(url, { PaReq, TermUrl, MD: long })).toMatchObject({ status: 400 });
    expect(await postForm(url, { PaReq, TermUrl, MD: 'x'.repeat(2_048) })).toMatchObject({ status: 200 });
    expect(await postForm(url, { PaReq: writePaReq({ ...pareq, acctID: 'else' }), TermUrl })).toMatchObject({
      status: 400,
    });
  });

  it.each([
    ['no-answer', { outcome: 'no-answer', why: 'timed-out' }],
    ['garbage', { outcome: 'unreadable' }],
  ] as const)('the directory: %s', async (fault, expected) => {
    fail({ directory: fault });
    const asked = expected.outcome === 'no-answer' ? hurried : directory;
    expect(await enrol(TEST_CARDS.legacy.number, asked)).toMatchObject(expected);
  });
});
