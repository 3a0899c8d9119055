// Whatever is lost, late, doubled or broken between the connector and Stripe: nobody is charged twice, nothing is
// called declined that may be paid, and nothing is called taken back that may still be charged.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Acquirer, Instruction } from '../../src/acquirers/acquirer.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { CARDS } from './stripe-books.ts';
import { FAULTS, type Fault, HandClock, StripeHost } from './stripe-host.ts';
import { around, carry, charge, followUp, openStripe, originOf, withoutCode } from './stripe-orders.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Scene = { host: StripeHost; clock: HandClock; acquirer: Acquirer; close: () => Promise<void> };

async function newScene(): Promise<Scene> {
  const host = await new StripeHost().start();
  const clock = new HandClock();
  host.onHeld = () => clock.expire();
  const acquirer = openStripe({ baseUrl: host.url }, clock);
  const close = async () => {
    await acquirer.close();
    await host.stop();
  };
  return { host, clock, acquirer, close };
}

let scene: Scene;
beforeEach(async () => {
  scene = await newScene();
});
afterEach(() => scene.close());

const sentOf = (instruction: Instruction, choice = {}) => ({
  instruction: withoutCode(instruction),
  around: around(scene.clock, choice),
  again: false,
});

/** Lets the next request whose path ends so meet a fault. */
function failOnce(end: string, fault: Fault): void {
  let isOver = false;
  scene.host.fault = ({ method, path }) => {
    if (isOver || !`${method} ${path}`.endsWith(end)) return undefined;
    isOver = true;
    return fault;
  };
}

describe('before the confirmation leaves', () => {
  const steps = ['POST /v1/payment_intents', 'POST /v1/payment_methods'];
  it.each(steps.flatMap((step) => FAULTS.map((fault) => [step, fault] as const)))(
    '%s is %s: nothing was sent, and it is sent again',
    async (step, fault) => {
      const { host, acquirer, clock } = scene;
      failOnce(step, fault);
      const sale = charge();
      const told = around(clock);
      const answer = await acquirer.send(sale, told);
      expect(answer).toMatchObject({ word: 'unsent', reason: expect.any(String) });
      host.release();
      expect(host.books.charges).toEqual([]);
      const asked = await acquirer.inquire(sale.reference, sentOf(sale));
      const isStored = step.endsWith('intents') && (fault === 'failed' || fault === 'broken');
      if (!isStored) {
        expect(asked).toEqual({ word: 'not-found' });
        expect(await acquirer.send(sale, told)).toMatchObject({ word: 'approved' });
        expect(host.books.outstanding()).toBe(1042);
      }
    },
  );

  it.each([
    ['is found by its reference', 'broken', { word: 'not-found' }],
    ['stays unknown while the search finds nothing', 'failed', { word: 'unknown' }],
  ] as const)('an intent whose stored answer is a failure %s', async (_says, fault, expected) => {
    failOnce('POST /v1/payment_intents', fault);
    const sale = charge();
    await scene.acquirer.send(sale, around(scene.clock));
    expect(await scene.acquirer.inquire(sale.reference, sentOf(sale))).toMatchObject(expected);
    const reversed = await scene.acquirer.reverse(sale.reference, sentOf(sale));
    expect(reversed).toMatchObject(expected);
  });
});

describe('the confirmation', () => {
  it.each([
    ['lost', 'not-found'],
    ['held', 'not-found'],
    ['slow', 'not-found'],
    ['limited', 'not-found'],
    ['failed', 'not-found'],
    ['unanswered', 'approved'],
    ['broken', 'approved'],
    ['garbled', 'approved'],
  ] as const)('that is %s is unknown, and the intent tells: %s', async (fault, word) => {
    const { host, acquirer, clock } = scene;
    failOnce('/confirm', fault);
    const sale = charge();
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: 'unknown', reason: expect.any(String) });
    expect(await acquirer.inquire(sale.reference, sentOf(sale))).toMatchObject({ word });
    const isCarriedOut = word === 'approved';
    const reversed = await acquirer.reverse(sale.reference, sentOf(sale));
    expect(reversed).toEqual({ word: isCarriedOut ? 'reversed' : 'not-found' });
    host.release();
    expect(host.books.outstanding()).toBe(0);
    expect(host.books.charges).toHaveLength(isCarriedOut ? 1 : 0);
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: isCarriedOut ? 'approved' : 'declined' });
    expect(host.books.outstanding()).toBe(0);
  });

  it('of a decline that got lost is found declined', async () => {
    failOnce('/confirm', 'unanswered');
    const sale = charge({ number: CARDS.poor });
    expect(await scene.acquirer.send(sale, around(scene.clock))).toMatchObject({ word: 'unknown' });
    const found = await scene.acquirer.inquire(sale.reference, sentOf(sale));
    expect(found).toMatchObject({ word: 'declined', code: '116' });
  });

  it('that is sent again while Stripe works on the first is pending, and charges once', async () => {
    const { host, acquirer, clock } = scene;
    failOnce('/confirm', 'slow');
    const sale = charge();
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: 'unknown' });
    // The second one names another payment method, so Stripe calls it another request.
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: 'unknown' });
    host.release();
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: 'approved' });
    expect(host.books.charges).toHaveLength(1);
  });

  it('whose intent Stripe is still making is pending', async () => {
    failOnce('POST /v1/payment_intents', 'slow');
    const sale = charge();
    await scene.acquirer.send(sale, around(scene.clock));
    expect(await scene.acquirer.send(sale, around(scene.clock))).toEqual({ word: 'pending' });
    expect(await scene.acquirer.inquire(sale.reference, sentOf(sale))).toEqual({ word: 'pending' });
    expect(await scene.acquirer.reverse(sale.reference, sentOf(sale))).toMatchObject({ word: 'unknown' });
  });

  it('of an intent of another amount says nothing', async () => {
    const sale = charge();
    await scene.acquirer.send(sale, around(scene.clock));
    Object.assign(scene.host.books.paymentOf(sale.reference), { amount: 9_999 });
    expect(await scene.acquirer.inquire(sale.reference, sentOf(sale))).toMatchObject({ word: 'unknown' });
  });
});

describe('a reversal', () => {
  it.each([
    ['sale', 'reversed'],
    ['preauth', 'reversed'],
  ] as const)('takes back a %s, once and again', async (kind, word) => {
    const sale = charge({ kind });
    await scene.acquirer.send(sale, around(scene.clock));
    for (let times = 0; times < 2; times += 1) {
      expect(await scene.acquirer.reverse(sale.reference, sentOf(sale))).toEqual({ word });
      expect(scene.host.books.outstanding()).toBe(0);
    }
  });

  it.each(FAULTS)('whose refund is %s is tried again', async (fault) => {
    const sale = charge();
    await scene.acquirer.send(sale, around(scene.clock));
    failOnce('POST /v1/refunds', fault);
    expect(await scene.acquirer.reverse(sale.reference, sentOf(sale))).toMatchObject({ word: 'unknown' });
    expect(await scene.acquirer.reverse(sale.reference, sentOf(sale))).toEqual({ word: 'reversed' });
    expect(scene.host.books.outstanding()).toBe(0);
  });

  it.each(FAULTS)('whose cancellation is %s is not over, for the confirmation may still come', async (fault) => {
    const { host, acquirer, clock } = scene;
    const sale = charge();
    failOnce('/confirm', 'held');
    expect(await acquirer.send(sale, around(clock))).toMatchObject({ word: 'unknown' });
    failOnce('/cancel', fault);
    expect(await acquirer.reverse(sale.reference, sentOf(sale))).toMatchObject({ word: 'unknown' });
    expect(await acquirer.reverse(sale.reference, sentOf(sale))).toEqual({ word: 'not-found' });
    host.release();
    expect(host.books.charges).toEqual([]);
  });

  it('of what never came keeps it from being carried out later', async () => {
    const sale = charge();
    expect(await scene.acquirer.reverse(sale.reference, sentOf(sale))).toEqual({ word: 'not-found' });
    const late = await scene.acquirer.send(sale, around(scene.clock));
    expect(late).toMatchObject({ word: 'declined', code: '914' });
    expect(scene.host.books.charges).toEqual([]);
  });

  it.each(['capture', 'refund', 'cancel'] as const)('of a %s that never came spends its key', async (kind) => {
    const { acquirer, clock, host } = scene;
    const first = charge({ kind: kind === 'refund' ? 'sale' : 'preauth' });
    await acquirer.send(first, around(clock));
    const known = { origin: originOf(first, host.books.paymentOf(first.reference).id, clock) };
    const asked = followUp(kind, first);
    expect(await acquirer.reverse(asked.reference, sentOf(asked, known))).toEqual({ word: 'not-found' });
    expect(await acquirer.reverse(asked.reference, sentOf(asked, known))).toEqual({ word: 'not-found' });
    expect(await acquirer.send(asked, around(clock, known))).toMatchObject({ word: 'unknown' });
    expect(host.books.outstanding()).toBe(1042);
    expect(host.books.paymentOf(first.reference).status).toBe(kind === 'refund' ? 'succeeded' : 'requires_capture');
  });

  it('of a capture gives the money back, and then nothing is held', async () => {
    const { acquirer, clock, host } = scene;
    const first = charge({ kind: 'preauth' });
    await acquirer.send(first, around(clock));
    const known = { origin: originOf(first, host.books.paymentOf(first.reference).id, clock) };
    const capture = followUp('capture', first, 400n);
    await acquirer.send(capture, around(clock, known));
    expect(await acquirer.reverse(capture.reference, sentOf(capture, known))).toEqual({ word: 'reversed' });
    expect(host.books.outstanding()).toBe(0);
    const cancel = followUp('cancel', first);
    expect(await acquirer.send(cancel, around(clock, known))).toMatchObject({ word: 'approved' });
  });

  it.each(['refund', 'void', 'cancel'] as const)('of a %s that was carried out is left to a person', async (kind) => {
    const { acquirer, clock, host } = scene;
    const first = charge({ kind: kind === 'cancel' ? 'preauth' : 'sale' });
    await acquirer.send(first, around(clock));
    const known = { origin: originOf(first, host.books.paymentOf(first.reference).id, clock) };
    const asked = followUp(kind, first);
    await acquirer.send(asked, around(clock, known));
    expect(await acquirer.reverse(asked.reference, sentOf(asked, known))).toMatchObject({
      word: 'unknown',
      reason: expect.stringContaining('cannot be taken back'),
    });
  });

  it('of a refund that Stripe refused finds nothing to take back', async () => {
    const { acquirer, clock, host } = scene;
    const first = charge();
    await acquirer.send(first, around(clock));
    const known = { origin: originOf(first, host.books.paymentOf(first.reference).id, clock) };
    const asked = followUp('refund', first, 9_999n);
    expect(await acquirer.send(asked, around(clock, known))).toEqual({ word: 'declined', code: '110' });
    expect(await acquirer.reverse(asked.reference, sentOf(asked, known))).toEqual({ word: 'not-found' });
  });
});

describe('a day later', () => {
  const dayLater = () => {
    scene.clock.at += DAY_MS;
    scene.host.forgetKeys();
  };

  it('a charge is searched, never repeated', async () => {
    const { acquirer, clock, host } = scene;
    failOnce('/confirm', 'unanswered');
    const sale = charge();
    const told = around(clock);
    const sent = { instruction: withoutCode(sale), around: told, again: true };
    await acquirer.send(sale, told);
    dayLater();
    expect(await acquirer.inquire(sale.reference, sent)).toMatchObject({ word: 'approved' });
    expect(await acquirer.send(sale, told)).toMatchObject({ word: 'approved' });
    host.searchLags = true;
    expect(await acquirer.inquire(sale.reference, sent)).toMatchObject({ word: 'unknown' });
    expect(await acquirer.reverse(sale.reference, sent)).toMatchObject({ word: 'unknown' });
    host.searchLags = false;
    expect(await acquirer.reverse(sale.reference, sent)).toEqual({ word: 'reversed' });
    expect(host.books.intents.size).toBe(1);
    expect(host.books.charges).toHaveLength(1);
  });

  it('a charge that is sent for the first time is charged once', async () => {
    const { acquirer, clock, host } = scene;
    const told = around(clock);
    dayLater();
    const sale = charge();
    expect(await acquirer.send(sale, told)).toMatchObject({ word: 'approved' });
    expect(await acquirer.send(sale, told)).toMatchObject({ word: 'approved' });
    expect(host.books.charges).toHaveLength(1);
  });

  it.each(['capture', 'refund', 'cancel', 'void'] as const)('a %s is found by its mark', async (kind) => {
    const { acquirer, clock, host } = scene;
    const isHold = kind === 'capture' || kind === 'cancel';
    const first = charge({ kind: isHold ? 'preauth' : 'sale' });
    await acquirer.send(first, around(clock));
    const origin = originOf(first, host.books.paymentOf(first.reference).id, clock);
    const told = around(clock, { origin });
    const asked = followUp(kind, first, kind === 'refund' ? 400n : 1042n);
    const sent = { instruction: asked, around: told, again: true };
    dayLater();
    expect(await acquirer.inquire(asked.reference, sent)).toEqual({ word: 'not-found' });
    const done = await acquirer.send(asked, told);
    expect(done).toMatchObject({ word: 'approved' });
    host.forgetKeys();
    expect(await acquirer.inquire(asked.reference, sent)).toEqual(done);
    expect(await acquirer.send(asked, told)).toEqual(done);
    expect(host.books.refunds.map(({ amount }) => amount)).toEqual(isHold ? [] : [kind === 'refund' ? 400 : 1042]);
  });
});

/** Most requests go well, so that many get far. */
const fault = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constantFrom(...FAULTS) },
);
const faults = fc.array(fault, { minLength: 4, maxLength: 14, size: 'max' });
const course = fc.record({
  faults,
  cascades: fc.boolean(),
  inquiries: fc.integer({ min: 0, max: 6 }),
  /** Before which questions what was held back arrives. */
  releases: fc.array(fc.boolean(), { maxLength: 12 }),
  number: fc.constantFrom(CARDS.good, CARDS.good, CARDS.poor),
});

/** Lets requests from now on meet the drawn faults, one after the other. */
function meet(host: StripeHost, drawn: readonly (Fault | undefined)[]): void {
  const left = [...drawn];
  host.fault = () => left.shift();
}

function releaser(host: StripeHost, drawn: readonly boolean[]): () => void {
  const left = [...drawn];
  return () => {
    if (left.shift()) host.release();
  };
}

const RUNS = { numRuns: 150 };

describe('at random', () => {
  it('a charge ends once, as it stands in the books', async () => {
    const kinds = fc.constantFrom('sale' as const, 'preauth' as const);
    await fc.assert(
      fc.asyncProperty(course, kinds, async (drawn, kind) => {
        const { host, clock, acquirer, close } = await newScene();
        try {
          meet(host, drawn.faults);
          const instruction = charge({ kind, number: drawn.number });
          const between = releaser(host, drawn.releases);
          const end = await carry(acquirer, instruction, around(clock), { ...drawn, between });
          host.release();
          expect(host.books.charges.filter((one) => one.approved).length).toBeLessThanOrEqual(1);
          if (end === 'approved') expect(host.books.outstanding()).toBe(1042);
          else if (end !== 'stuck') expect(host.books.outstanding()).toBe(0);
        } finally {
          await close();
        }
      }),
      RUNS,
    );
  });

  it('a follow-up ends once, as it stands in the books', async () => {
    const kinds = fc.constantFrom('capture' as const, 'cancel' as const, 'void' as const, 'refund' as const);
    await fc.assert(
      fc.asyncProperty(course, kinds, async (drawn, kind) => {
        const { host, clock, acquirer, close } = await newScene();
        try {
          const isHold = kind === 'capture' || kind === 'cancel';
          const first = charge({ kind: isHold ? 'preauth' : 'sale' });
          await acquirer.send(first, around(clock));
          const payment = host.books.paymentOf(first.reference);
          meet(host, drawn.faults);
          const isPart = kind === 'capture' || kind === 'refund';
          const instruction = followUp(kind, first, isPart ? 400n : 1042n);
          const told = around(clock, { origin: originOf(first, payment.id, clock) });
          const between = releaser(host, drawn.releases);
          const end = await carry(acquirer, instruction, told, { ...drawn, between });
          host.release();
          const left = host.books.outstanding();
          if (end === 'approved') expect(left).toBe({ capture: 400, refund: 642, cancel: 0, void: 0 }[kind]);
          // A capture is taken back by a refund of what was captured.
          else if (end !== 'stuck') expect(kind === 'capture' ? [0, 1042] : [1042]).toContain(left);
        } finally {
          await close();
        }
      }),
      RUNS,
    );
  });
});

describe('the line', () => {
  const respondingWith = async (respond: RequestListener, work: (url: string) => Promise<void>) => {
    const server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  const refund = followUp('refund', charge());
  const told = (clock = systemClock) => around(clock, { origin: originOf(charge(), 'pi_1', clock) });

  it('to nobody sends nothing', async () => {
    let nowhere = '';
    await respondingWith(
      () => {},
      async (url) => {
        nowhere = url;
      },
    );
    const lost = openStripe({ baseUrl: nowhere }, systemClock);
    expect(await lost.send(refund, told())).toMatchObject({
      word: 'unsent',
      reason: 'Stripe cannot be reached (ECONNREFUSED)',
    });
    expect(await lost.inquire(refund.reference, sentOf(refund, told()))).toMatchObject({
      word: 'unknown',
      fault: 'unreachable',
    });
    expect(await lost.test()).toMatchObject([{ what: 'Stripe answers', works: false }]);
    await lost.close();
  });

  it('to a name that nobody has sends nothing', async () => {
    const lost = openStripe({ baseUrl: 'https://no-such-host.invalid' }, systemClock);
    expect(await lost.send(refund, told())).toMatchObject({ word: 'unsent', reason: expect.stringMatching(/reached/) });
    await lost.close();
  });

  it.each<[string, RequestListener, object]>([
    ['hangs up', (request) => request.socket.destroy(), { fault: 'unreachable' }],
    [
      'hangs up in the middle',
      (_, response) => response.writeHead(200).write('{"id":', () => response.destroy()),
      { fault: 'unreachable' },
    ],
    ['answers nothing', (_, response) => response.end(), { fault: 'unreadable' }],
    ['answers with a list', (_, response) => response.end('[]'), { fault: 'unreadable' }],
    ['says too much', (_, response) => response.end(`{"a":"${'x'.repeat(2 ** 20)}"}`), { fault: 'unreadable' }],
    ['sends us on', (_, response) => response.writeHead(307, { location: '/' }).end('{}'), {}],
    ['answers with something else', (_, response) => response.end('{"object":"balance"}'), {}],
    ['has no time', (_, response) => response.writeHead(503).end('{}'), {}],
    ['is confused', (_, response) => response.writeHead(409).end('{}'), {}],
  ])('to a server that %s is unknown', async (_says, respond, expected) => {
    await respondingWith(respond, async (url) => {
      const acquirer = openStripe({ baseUrl: url }, systemClock);
      expect(await acquirer.send(refund, told())).toMatchObject({ word: 'unknown', ...expected });
      expect(await acquirer.inquire(refund.reference, sentOf(refund, told()))).toMatchObject({ word: 'unknown' });
      expect(await acquirer.reverse(refund.reference, sentOf(refund, told()))).toMatchObject({ word: 'unknown' });
      await acquirer.close();
    });
  });

  it('to a silent server ends when the time is up, and when it is closed', async () => {
    const clock = new HandClock();
    let arrived = () => {};
    await respondingWith(
      () => arrived(),
      async (url) => {
        const acquirer = openStripe({ baseUrl: url }, clock);
        arrived = () => clock.expire();
        expect(await acquirer.send(refund, told(clock))).toEqual({
          word: 'unknown',
          fault: 'silent',
          reason: 'Stripe gave no answer within 30000 ms',
        });
        arrived = () => void acquirer.close();
        expect(await acquirer.send(refund, told(clock))).toMatchObject({ reason: 'the connector is closed' });
        expect(await acquirer.send(refund, told(clock))).toMatchObject({ word: 'unsent' });
      },
    );
  });
});
