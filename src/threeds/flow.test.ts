import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuthenticationRecord, AuthenticationStep } from '../domain/three-d-secure/authentication-record.ts';
import { type FlowEvent, isWork, MAX_REQUESTS, type NotTakenReason, next, RESULT_WAIT_MS } from './flow.ts';
import type { ARes, PARes, RReq } from './messages/index.ts';

const NOW = Date.UTC(2026, 5, 1);
const LEASE_MS = 45_000;
const UNTIL = NOW + 15 * 60_000;

const ID = '11111111-1111-4111-8111-111111111111';
const NEW_ID = '22222222-2222-4222-8222-222222222222';
const ACS_ID = '33333333-3333-4333-8333-333333333333';
const DS_ID = '44444444-4444-4444-8444-444444444444';
const ids = { threeDSServerTransID: ID, acsTransID: ACS_ID, dsTransID: DS_ID };
const PROOF = 'AAABBEg0VhI0VniQEjRWAAAAAAA=';
const browser = { acceptHeader: 'text/html', userAgent: 'Test', language: 'en', javascriptEnabled: false };
const NOTIFY = 'https://pay.example/3ds/notify/token';

const steps = {
  lookingUp: { name: 'looking-up' },
  browser: { name: 'browser', protocol: '2.2.0', transactionId: ID, methodUrl: undefined, isMethodDone: false },
  method: {
    ...{ name: 'browser', protocol: '2.2.0', transactionId: ID, isMethodDone: false },
    methodUrl: 'https://acs.example/method',
  },
  requesting: {
    ...{ name: 'requesting', protocol: '2.2.0', transactionId: ID, hasMethod: true, completion: 'Y', browser },
    ...{ notificationUrl: NOTIFY, tries: 1 },
  },
  challenge: {
    ...{ name: 'challenge', protocol: '2.2.0', ids, acsUrl: 'https://acs.example/challenge' },
    ...{ cardholderInfo: undefined, browserSaid: undefined },
  },
  enrolling: { name: 'enrolling' },
  pareq: {
    ...{ name: 'pareq', xid: PROOF, messageId: 'm', date: '20260601 00:00:00', acsUrl: 'https://acs.example/pareq' },
    ...{ pareq: 'eJw', merchantData: 'md' },
  },
} as const satisfies Record<string, AuthenticationStep>;

function at(step: AuthenticationStep, more: Partial<AuthenticationRecord> = {}): AuthenticationRecord {
  const key = { merchantId: 1, orderId: 77, seq: 1 };
  return { ...key, version: 3, step, taken: {}, until: UNTIL, dueAt: UNTIL, startedAt: NOW, ...more };
}

const ares = (transStatus: string, more: object = {}): FlowEvent => ({
  type: 'answered',
  ares: { messageType: 'ARes', messageVersion: '2.2.0', ...ids, transStatus, ...more } as unknown as ARes,
});
const result = (transStatus: string, more: object = {}, digest = `rreq ${transStatus}`): FlowEvent => ({
  type: 'result',
  rreq: { messageType: 'RReq', messageVersion: '2.2.0', ...ids, transStatus, ...more } as unknown as RReq,
  digest,
});
const pares = (status: string, more: object = {}): FlowEvent => ({
  type: 'pares',
  pares: { status, ...more } as unknown as PARes,
  digest: `pares ${status}`,
});
const back = (said: 'Y' | 'N' | 'error', digest = `cres ${said}`): FlowEvent => ({
  type: 'browser-back',
  said,
  digest,
});
const told = (more: object = {}): FlowEvent => ({
  ...{ type: 'browser-told', transactionId: ID, browser, completion: undefined, notificationUrl: NOTIFY },
  digest: 'method',
  ...more,
});
const rangeFound = (more: object = {}): FlowEvent => ({
  ...{ type: 'range-found', protocol: '2.2.0', transactionId: ID, methodUrl: undefined, browser },
  notificationUrl: NOTIFY,
  ...more,
});
const ownDone: FlowEvent = { type: 'method-done', transactionId: ID, seen: { language: 'en' } };
const lost: FlowEvent = { type: 'unavailable', reason: 'no-answer' };

const moment = (now = NOW) => ({ now, leaseMs: LEASE_MS });

/** The step that follows, or why none does. */
function stepAfter(
  record: AuthenticationRecord,
  event: FlowEvent,
  now = NOW,
): AuthenticationStep | NotTakenReason | undefined {
  const change = next(record, event, moment(now));
  return change === undefined || typeof change === 'string' ? change : change.record.step;
}

const ended = (status: string, more: object = {}) => ({ name: 'over', isTold: false, outcome: { status, ...more } });

describe('what follows from what was learned', () => {
  it.each<[string, AuthenticationStep, FlowEvent, object]>([
    // from · learned · to
    ['left out in the sandbox', steps.lookingUp, { type: 'left-out' }, ended('U', { isLeftOut: true })],
    ['no range of EMV 3DS', steps.lookingUp, { type: 'range-not-found' }, { name: 'enrolling' }],
    ['no directory', steps.lookingUp, lost, ended('U', { reason: 'no-answer' })],
    ['range, browser known', steps.lookingUp, rangeFound(), { name: 'requesting', completion: 'U', tries: 1 }],
    ['range, browser unknown', steps.lookingUp, rangeFound({ browser: undefined }), { name: 'browser' }],
    ['range with a method page', steps.lookingUp, rangeFound({ methodUrl: 'https://m' }), { methodUrl: 'https://m' }],

    ['the method page is done', steps.method, { type: 'method-done', transactionId: ID }, { isMethodDone: true }],
    ['our own page is done', steps.browser, ownDone, { isMethodDone: true, seen: { language: 'en' } }],
    ['told, our own page done', { ...steps.browser, isMethodDone: true }, told(), { completion: 'U' }],
    ['told, method not done', steps.method, told(), { name: 'requesting', completion: 'N', hasMethod: true }],
    ['told, method done', { ...steps.method, isMethodDone: true }, told(), { completion: 'Y' }],
    ['the merchant says it is done', steps.method, told({ completion: 'Y' }), { completion: 'Y' }],
    ['the merchant says it is not', steps.method, told({ completion: 'N' }), { completion: 'N' }],
    ['the merchant says there is none', steps.method, told({ completion: 'U' }), { completion: 'N' }],
    [
      'the issuer says otherwise',
      { ...steps.method, isMethodDone: true },
      told({ completion: 'N' }),
      { completion: 'Y' },
    ],
    ['told, no method page', steps.browser, told({ completion: 'Y' }), { name: 'requesting', completion: 'U' }],
    ['ids compare without case', steps.browser, told({ transactionId: ID.toUpperCase() }), { name: 'requesting' }],

    [
      'authenticated',
      steps.requesting,
      ares('Y', { authenticationValue: PROOF, eci: '05' }),
      ended('Y', { eci: '05' }),
    ],
    ['attempted', steps.requesting, ares('A', { authenticationValue: PROOF, eci: '06' }), ended('A')],
    ['not authenticated', steps.requesting, ares('N', { transStatusReason: '01' }), ended('N', { reason: '01' })],
    [
      'not authenticated, and the payer is told why',
      steps.requesting,
      ares('N', { cardholderInfo: 'Call us.' }),
      ended('N', { cardholderInfo: 'Call us.' }),
    ],
    [
      'challenged and failed, and the payer was told why before',
      { ...steps.challenge, cardholderInfo: 'Call us.' },
      result('N'),
      ended('N', { cardholderInfo: 'Call us.' }),
    ],
    ['rejected', steps.requesting, ares('R', { transStatusReason: '11' }), ended('R')],
    ['unavailable', steps.requesting, ares('U', { transStatusReason: '22' }), ended('U')],
    ['informational', steps.requesting, ares('I'), ended('I')],
    ['decoupled, which was not asked for', steps.requesting, ares('D'), ended('U')],
    ['Y, and an eci that says no', steps.requesting, ares('Y', { eci: '07', authenticationValue: PROOF }), ended('U')],
    ['N, and an eci that says yes', steps.requesting, ares('N', { eci: '05' }), ended('U')],
    [
      'challenge',
      steps.requesting,
      ares('C', { acsURL: 'https://acs' }),
      { name: 'challenge', acsUrl: 'https://acs', ids },
    ],
    ['a challenge without a page', steps.requesting, ares('C'), ended('U')],
    ['no answer', steps.requesting, lost, ended('U', { reason: 'no-answer' })],
    [
      'taken over: asked again under a new id',
      steps.requesting,
      { type: 'taken-over', transactionId: NEW_ID },
      { name: 'requesting', transactionId: NEW_ID, completion: 'N', tries: 2 },
    ],
    [
      'taken over without a method page',
      { ...steps.requesting, hasMethod: false, completion: 'U' },
      { type: 'taken-over', transactionId: NEW_ID },
      { completion: 'U' },
    ],
    [
      'taken over once too often',
      { ...steps.requesting, tries: MAX_REQUESTS },
      { type: 'taken-over', transactionId: NEW_ID },
      ended('U'),
    ],

    [
      'passed',
      steps.challenge,
      result('Y', { authenticationValue: PROOF, eci: '05' }),
      ended('Y', { wasChallenged: true }),
    ],
    ['failed', steps.challenge, result('N', { transStatusReason: '01' }), ended('N', { isCancelled: false })],
    ['cancelled', steps.challenge, result('N', { challengeCancel: '01' }), ended('N', { isCancelled: true })],
    [
      'timed out at the issuer',
      steps.challenge,
      result('N', { challengeCancel: '04' }),
      ended('N', { isCancelled: false }),
    ],
    ['C is no result', steps.challenge, result('C'), ended('U')],
    ['the browser is back', steps.challenge, back('Y'), { name: 'challenge', browserSaid: 'Y' }],
    [
      'the browser says Y, the network N',
      { ...steps.challenge, browserSaid: 'Y' },
      result('N'),
      ended('N', { browserSaid: 'Y' }),
    ],
    ['back, and nobody confirms Y', { ...steps.challenge, browserSaid: 'Y' }, { type: 'due' }, ended('N')],
    ['back, and nobody confirms N', { ...steps.challenge, browserSaid: 'N' }, { type: 'due' }, ended('N')],
    ['back with an error', { ...steps.challenge, browserSaid: 'error' }, { type: 'due' }, ended('N')],

    ['enrolled', steps.enrolling, { type: 'enrolled', step: steps.pareq }, steps.pareq],
    ['not enrolled', steps.enrolling, { type: 'not-enrolled', enrolled: 'N' }, ended('U', { protocol: '1.0.2' })],
    ['nobody knows', steps.enrolling, { type: 'not-enrolled', enrolled: 'U' }, ended('U')],
    [
      '1.0.2 passed',
      steps.pareq,
      pares('Y', { cavv: PROOF, eci: '05' }),
      ended('Y', { protocol: '1.0.2', xid: PROOF }),
    ],
    ['1.0.2 attempted', steps.pareq, pares('A', { cavv: PROOF, eci: '06' }), ended('A')],
    ['1.0.2 failed', steps.pareq, pares('N'), ended('N')],
    ['1.0.2 unavailable', steps.pareq, pares('U'), ended('U')],
    ['1.0.2 of another purchase', steps.pareq, { type: 'pares', pares: 'unfit', digest: 'x' }, ended('N')],
    ['1.0.2 not signed', steps.pareq, { type: 'pares', pares: 'untrusted', digest: 'x' }, ended('N')],
  ])('%s', (_, step, event, expected) => {
    expect(stepAfter(at(step), event)).toMatchObject(expected);
  });

  it('hands over the proof with Y and A, and with nothing else', () => {
    for (const status of ['Y', 'A', 'N', 'R', 'U', 'I']) {
      const change = next(at(steps.requesting), ares(status, { authenticationValue: PROOF }), moment());
      const proof = change !== undefined && typeof change !== 'string' && change.proof;
      expect(proof ? proof.reveal() : undefined).toBe(status === 'Y' || status === 'A' ? PROOF : undefined);
    }
  });
});

describe('what is not taken', () => {
  const over = { name: 'over', isTold: true, outcome: { status: 'Y', wasChallenged: true, ids } } as AuthenticationStep;
  const frictionless = { ...over, outcome: { status: 'Y', wasChallenged: false, ids } } as AuthenticationStep;

  it.each<[string, AuthenticationRecord, FlowEvent, NotTakenReason]>([
    [
      'a method page of another transaction',
      at(steps.method),
      { type: 'method-done', transactionId: NEW_ID },
      'foreign',
    ],
    ['a browser of another transaction', at(steps.method), told({ transactionId: NEW_ID }), 'foreign'],
    ['a result before the question', at(steps.browser), result('Y'), 'not-pending'],
    ['a result before the answer', at(steps.requesting), result('Y'), 'not-pending'],
    ['a result of what was never a challenge', at(frictionless), result('N'), 'not-pending'],
    ['a browser back from where it never was', at(frictionless), back('Y'), 'not-pending'],
    ['a PARes in EMV 3DS', at(steps.challenge), pares('Y'), 'not-pending'],
    ['a CRes in version 1', at(steps.pareq), back('Y'), 'not-pending'],
    ['a browser that was told of', at(steps.challenge), told(), 'not-pending'],
    ['the same result again', at(over, { taken: { rreq: 'rreq Y' } }), result('Y'), 'repeated'],
    ['another result', at(over, { taken: { rreq: 'rreq Y' } }), result('N'), 'contradicts'],
    ['the same CRes again', at(steps.challenge, { taken: { cres: 'cres Y' } }), back('Y'), 'repeated'],
    ['another CRes', at(steps.challenge, { taken: { cres: 'cres Y' } }), back('N'), 'contradicts'],
    ['the same upload again, long after', at(steps.challenge, { taken: { method: 'method' } }), told(), 'repeated'],
    ['another upload', at(steps.requesting, { taken: { method: 'other' } }), told(), 'contradicts'],
  ])('%s', (_, record, event, unfit) => {
    expect(stepAfter(record, event)).toBe(unfit);
  });

  it.each<[string, AuthenticationStep, FlowEvent]>([
    ['our method page in the place of the issuer’s', steps.method, ownDone],
    ['the issuer’s method page where it has none', steps.browser, { type: 'method-done', transactionId: ID }],
    ['our method page a second time', { ...steps.browser, isMethodDone: true } as AuthenticationStep, ownDone],
  ])('%s: nothing follows', (_, step, event) => {
    expect(next(at(step), event, moment())).toBeUndefined();
  });

  it.each<[string, FlowEvent]>([
    ['a result', result('Y', { authenticationValue: PROOF })],
    ['the browser', back('Y')],
  ])('%s that comes too late', (_, event) => {
    expect(stepAfter(at(steps.challenge), event, UNTIL - 1)).toMatchObject({});
    expect(stepAfter(at(steps.challenge), event, UNTIL)).toBe('too-late');
  });

  it('waits no longer for a browser that brought nothing, and still takes what it brings later', () => {
    const empty = next(at(steps.challenge), { type: 'browser-back', said: 'error', digest: undefined }, moment());
    expect(empty).toMatchObject({ record: { taken: {}, step: { browserSaid: 'error' }, dueAt: NOW + RESULT_WAIT_MS } });
    const { record } = empty as { record: AuthenticationRecord };
    expect(next(record, { type: 'browser-back', said: 'error', digest: undefined }, moment())).toBeUndefined();
    expect(stepAfter(record, back('Y'))).toMatchObject({ browserSaid: 'Y' });
  });

  it('lets the browser come after the result, and changes nothing by it', () => {
    const later = stepAfter(at(over), back('N'));
    expect(later).toMatchObject({ name: 'over', isTold: true, outcome: { status: 'Y', browserSaid: 'N' } });
  });
});

describe('when somebody must look at it', () => {
  const dueAfter = (record: AuthenticationRecord, event: FlowEvent, now = NOW) => {
    const change = next(record, event, moment(now));
    return change === undefined || typeof change === 'string' ? change : change.record.dueAt;
  };

  it('is after a lease while a node is at work', () => {
    expect(dueAfter(at(steps.browser), told())).toBe(NOW + LEASE_MS);
    expect(dueAfter(at(steps.challenge), result('Y'))).toBe(NOW + LEASE_MS);
  });

  it('is at the end of its time while the payer has the turn', () => {
    expect(dueAfter(at(steps.requesting), ares('C', { acsURL: 'https://acs' }))).toBe(UNTIL);
    expect(dueAfter(at(steps.enrolling), { type: 'enrolled', step: steps.pareq })).toBe(UNTIL);
  });

  it('is a while after the browser came back, and never after its time', () => {
    expect(dueAfter(at(steps.challenge), back('Y'))).toBe(NOW + RESULT_WAIT_MS);
    expect(dueAfter(at(steps.challenge), back('Y'), UNTIL - 5)).toBe(UNTIL);
  });

  it('is never once the order has heard of the end', () => {
    const over = stepAfter(at(steps.requesting), lost) as AuthenticationStep;
    expect(isWork(over)).toBe(true);
    expect(dueAfter(at(over), { type: 'told' })).toBeUndefined();
  });

  it('ends whatever is open when its time is over', () => {
    for (const step of Object.values(steps)) {
      expect(stepAfter(at(step), { type: 'due' }, UNTIL)).toMatchObject(ended('U', { isOutOfTime: true }));
    }
  });
});

describe('any course', () => {
  const anyStatus = fc.constantFrom('Y', 'A', 'N', 'R', 'U', 'I', 'C', 'D');
  const anyEvent: fc.Arbitrary<FlowEvent> = fc.oneof(
    fc.constantFrom<FlowEvent>(
      { type: 'left-out' },
      { type: 'range-not-found' },
      lost,
      { type: 'due' },
      { type: 'told' },
    ),
    fc.constantFrom(rangeFound(), rangeFound({ browser: undefined }), rangeFound({ methodUrl: 'https://m' })),
    fc.constantFrom<FlowEvent>({ type: 'method-done', transactionId: ID }, told(), told({ digest: 'other' })),
    fc.constant<FlowEvent>({ type: 'taken-over', transactionId: NEW_ID }),
    anyStatus.map((status) => ares(status, { acsURL: 'https://acs', authenticationValue: PROOF })),
    anyStatus.map((status) => result(status, { authenticationValue: PROOF })),
    fc.constantFrom(back('Y'), back('N'), back('error')),
    fc.constantFrom<FlowEvent>({ type: 'enrolled', step: steps.pareq }, { type: 'not-enrolled', enrolled: 'N' }),
    fc.constantFrom(pares('Y', { cavv: PROOF, eci: '05' }), pares('N'), pares('U')),
  );
  const anyCourse = fc.array(fc.tuple(anyEvent, fc.integer({ min: 0, max: 120_000 })), { maxLength: 40 });

  it('keeps every promise', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        let record = at(steps.lookingUp, { version: 1 });
        let now = NOW;
        let questions = 0;
        let outcome: string | undefined;
        const heard = new Set<string>();
        for (const [event, passed] of course) {
          now += passed;
          const before = record;
          const change = next(record, event, moment(now));
          if (change === undefined || typeof change === 'string') continue;
          record = change.record;
          expect(record.version).toBe(before.version + 1);
          if (record.step.name === 'requesting') questions += 1;
          if ('ares' in event) heard.add(String(event.ares.transStatus));
          if (event.type === 'pares' && typeof event.pares !== 'string') heard.add(event.pares.status);
          if (event.type === 'result') heard.add(String(event.rreq.transStatus));
          // Only the issuer's word, sent by the card network or signed, authenticates; and it comes with its proof.
          const status = record.step.name === 'over' ? record.step.outcome.status : undefined;
          if (status === 'Y' || status === 'A') expect(heard.has(status)).toBe(true);
          if (change.proof) expect(['Y', 'A']).toContain(status);
          // A finished flow keeps its outcome. An unfinished one comes due again, at most one lease after its deadline.
          if (outcome !== undefined) expect(status).toBe(outcome);
          outcome = status;
          const isTold = record.step.name === 'over' && record.step.isTold;
          expect(record.dueAt === undefined).toBe(isTold);
          if (record.dueAt !== undefined) expect(record.dueAt).toBeLessThanOrEqual(Math.max(UNTIL, now) + LEASE_MS);
        }
        expect(questions).toBeLessThanOrEqual(MAX_REQUESTS);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends when its time is over', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        let record = at(steps.lookingUp);
        for (const [event] of course) {
          const change = next(record, event, moment());
          if (change !== undefined && typeof change !== 'string') record = change.record;
        }
        const last = next(record, { type: 'due' }, moment(UNTIL));
        expect(last === undefined || typeof last === 'string' ? record.step.name : last.record.step.name).toBe('over');
      }),
    );
  });
});
