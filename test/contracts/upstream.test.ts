// The connector to a provider, held to the contract of a bank: whatever is lost, late or unreadable on the way, it says
// `unknown` unless it is certain, and money moves once or not at all.

import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Acquirer,
  Circumstances,
  FollowUpInstruction,
  Instruction,
  InstructionKind,
} from '../../src/acquirers/acquirer.ts';
import { upstream } from '../../src/acquirers/upstream/upstream.ts';
import { MAX_SENDS } from '../../src/domain/order/retry-schedule.ts';
import { Secret } from '../../src/domain/secret.ts';
import { testKeys } from '../test-keys.ts';
import {
  CARD,
  charge,
  followUp,
  newReference,
  OTHER_CARD,
  preauth,
  push,
  question,
  StoppedClock,
  sale,
  toAccount,
  toCard,
} from './acquirer-banks.ts';
import { CONTROL_KEY, ENDPOINT, LOGIN, MISHAPS, type Mishap, UpstreamHost } from './upstream-host.ts';

const { privateKey, publicKey } = testKeys('merchants');
const ANSWER_MS = 30_000;
const NOTICES = 'http://localhost:8080/paynet/notices/far-bank';

let host: UpstreamHost;
let clock: StoppedClock;
let acquirer: Acquirer;

function open(changes: Record<string, unknown> = {}): Acquirer {
  const settings = {
    baseUrl: host.baseUrl,
    endpointId: Number(ENDPOINT),
    login: LOGIN,
    controlKey: new Secret(CONTROL_KEY),
    privateKey: new Secret(privateKey),
    strictSigning: false,
    answerMs: ANSWER_MS,
    statusMs: 10_000,
    ...changes,
  };
  return upstream.open(settings as never, { clock, terminal: 'far-bank', noticeUrl: NOTICES });
}

beforeEach(async () => {
  clock = new StoppedClock();
  host = await UpstreamHost.open({ publicKey });
  acquirer = open();
});

afterEach(async () => {
  await acquirer.close();
  await host.close();
});

const site = {
  ...{ merchantNumber: '1', terminalNumber: undefined, category: '5999', country: 'US', acquirerNumber: '1' },
  descriptor: 'Socks',
};
const payer = { email: 'ann@example.com', firstName: 'Ann', ipAddress: '203.0.113.7' };

function around(changes: Partial<Circumstances> = {}): Circumstances {
  return { site, trace: { number: 1, at: clock.now() }, payer, ...changes };
}

/** What is known of an instruction that a follow-up acts on. */
function following(original: Instruction, processorTxId: string | undefined): Circumstances {
  const amount = 'amount' in original ? original.amount : { minor: 0n, currency: 'USD' };
  const { reference, kind } = original;
  return around({ origin: { reference, kind, amount, trace: { number: 1, at: 0 }, processorTxId } });
}

/** Waits for what takes real time at the provider, and puts the clock on where nothing else would. */
async function lasting<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.advance(host.hanging > 0 ? ANSWER_MS : 100);
    host.hanging = 0;
  }
  return ended;
}

const send = (instruction: Instruction, circumstances = around()) => acquirer.send(instruction, circumstances);
const asked = (instruction: Instruction, circumstances = around(), again = false) =>
  acquirer.inquire(instruction.reference, { instruction, around: circumstances, again });
const reversed = (instruction: Instruction, circumstances = around()) =>
  acquirer.reverse(instruction.reference, { instruction, around: circumstances, again: false });

async function approved(instruction: Instruction, circumstances = around()): Promise<string> {
  const answer = await send(instruction, circumstances);
  if (answer.word !== 'approved') throw new Error(`it is ${JSON.stringify(answer)}`);
  return answer.processorTxId;
}

describe('an instruction to a provider that behaves', () => {
  it('is an order under our reference, with its money, and named by the id of that order', async () => {
    const payment = sale();
    const answer = await send(payment);
    const order = host.orders.get(payment.reference);
    expect(answer).toEqual({
      word: 'approved',
      approvalCode: '123456',
      rrn: '612345678901',
      processorTxId: order?.orderId,
    });
    expect(host.money(payment.reference)).toMatchObject({ taken: 1042 });
    expect(host.requests[0]?.fields).toMatchObject({ notify_url: NOTICES, server_callback_url: NOTICES, cvv2: '123' });
  });

  it.each([
    ['sale', () => sale(), '/api/v2/sale'],
    ['preauth', () => preauth(), '/api/v2/preauth'],
    ['pull', () => charge('pull'), '/api/v2/sale'],
    ['verification', () => charge('verification'), '/api/v2/account-verification'],
    ['payout to a card', () => push(toCard(CARD)), '/api/v4/payout'],
    ['payout to an account', () => push(toAccount('DE89370400440532013000')), '/api/v4/payout'],
    ['question', () => question({ receiving: OTHER_CARD }), '/api/v2/pan-eligibility/receive'],
  ] as const)('a %s is approved', async (_, make, path) => {
    const instruction = make();
    expect(await send(instruction)).toMatchObject({ word: 'approved' });
    expect(host.paths()).toEqual([path, '/api/v2/status']);
    expect(await asked(instruction)).toMatchObject({ word: 'approved' });
  });

  it('a question about a sending card needs its expiry, which comes with the card', async () => {
    const sending = { number: new Secret(CARD), holder: 'ANN', expireMonth: 12, expireYear: 2031 };
    const answer = await send({ kind: 'eligibility', reference: newReference(), sending });
    expect(answer).toMatchObject({ eligibility: { sending: { eligible: true, network: 'VISA' } } });
    expect(host.requests[0]?.fields).toMatchObject({ expire_month: '12', expire_year: '2031' });
  });

  it('a payout is signed with the control key when there is no private key', async () => {
    await acquirer.close();
    acquirer = open({ privateKey: undefined });
    expect(await send(push(toCard(CARD)))).toMatchObject({ word: 'approved' });
    expect(host.paths()).toEqual(['/api/v2/payout', '/api/v2/status']);
  });

  it('a stored card is charged by the provider’s own reference, and stored once', async () => {
    const stored = (kind: 'sale' | 'preauth') =>
      ({ ...charge(kind, { cvv: undefined }), initiator: 'merchant' }) as const;
    const first = stored('sale');
    expect(await send(first)).toMatchObject({ word: 'approved' });
    expect(await send(stored('preauth'))).toMatchObject({ word: 'approved' });
    expect(host.storedCards.size).toBe(1);
    expect(host.paths().filter((path) => path !== '/api/v2/status')).toEqual([
      '/api/v4/create-recurring-payment',
      '/api/v2/make-rebill',
      '/api/v4/create-recurring-payment',
      '/api/v2/make-rebill-preauth',
    ]);
    expect(host.money(first.reference)).toMatchObject({ taken: 1042 });
  });

  it('follow-ups name the order by both of its ids, also those on a capture', async () => {
    const hold = preauth();
    const id = await approved(hold);
    const capture = followUp('capture', hold, 1042n);
    const capturedAs = await approved(capture, following(hold, id));
    expect(capturedAs).toBe(`${id}/${hold.reference}`);
    expect(host.money(hold.reference)).toMatchObject({ held: 0, taken: 1042 });
    const back = followUp('void', capture, 1042n);
    expect(await send(back, following(capture, capturedAs))).toMatchObject({ word: 'approved' });
    expect(host.money(hold.reference)).toMatchObject({ held: 0, taken: 0 });
  });

  it('parts are captured, cancelled and refunded, also equal ones', async () => {
    const hold = preauth();
    const circumstances = following(hold, await approved(hold));
    for (const kind of ['capture', 'capture', 'cancel', 'refund', 'refund'] as const) {
      expect(await send(followUp(kind, hold, 100n), circumstances)).toMatchObject({ word: 'approved' });
    }
    expect(host.money(hold.reference)).toEqual({ held: 742, taken: 0, paidOut: 0 });
  });

  it('an order whose id an operator did not know is found by our reference', async () => {
    const payment = sale();
    await approved(payment);
    expect(await send(followUp('refund', payment, 42n), following(payment, ''))).toMatchObject({ word: 'approved' });
    expect(await send(followUp('refund', sale(), 42n), around())).toEqual({ word: 'declined', code: '914' });
  });

  it.each([
    ['declined', '116', { word: 'declined', code: '116' }],
    ['filtered', '75', { word: 'declined', code: '123' }],
    ['error', '504', { word: 'declined', code: '911' }],
    ['unknown', undefined, { word: 'unknown' }],
    ['processing', undefined, { word: 'pending' }],
    ['challenge', undefined, { word: 'challenge', url: 'https://provider.example/challenge?a=1&b=2' }],
  ] as const)('one that is %s there is %s here', async (status, code, expected) => {
    host.outcomes.push({ status, ...(code && { code }) });
    const payment = sale();
    expect(await lasting(send(payment))).toMatchObject(expected);
    expect(await asked(payment)).toMatchObject(expected);
  });

  it('waits for a slow provider, with growing gaps', async () => {
    host.outcomes.push({ status: 'processing' });
    const payment = sale();
    const answer = send(payment);
    await expect.poll(() => host.paths()).toContain('/api/v2/status');
    for (const deed of host.orders.get(payment.reference)?.deeds ?? []) deed.status = 'approved';
    expect(await lasting(answer)).toMatchObject({ word: 'approved' });
  });

  it('hears of the end by a callback without waiting for the next question', async () => {
    host.outcomes.push({ status: 'processing' });
    const payment = sale();
    const answer = send(payment);
    // The call's own limit, and the gap before the next question.
    await expect.poll(() => clock.sleepers).toBe(2);
    const order = host.orders.get(payment.reference);
    for (const deed of order?.deeds ?? []) deed.status = 'approved';
    const signed = `approved${order?.orderId}${payment.reference}${CONTROL_KEY}`;
    const control = createHash('sha1').update(signed).digest('hex');
    const said = { status: 'approved', orderid: order?.orderId ?? '', client_orderid: payment.reference, control };
    const notice = { method: 'GET', path: '/', query: new URLSearchParams(said), headers: {}, body: Buffer.alloc(0) };
    expect(await acquirer.receive?.(notice)).toMatchObject({ status: 200, reference: payment.reference });
    expect(await answer).toMatchObject({ word: 'approved' });
    const forged = { ...notice, query: new URLSearchParams({ ...said, status: 'declined' }) };
    const traced = acquirer.traced?.();
    // The digits of a reference may look like those of a card, and are masked then.
    expect(traced?.map(({ text }) => text).join('\n')).toMatch(/callback about \S+, answered with 200/);
    expect(await acquirer.receive?.(forged)).toMatchObject({ status: 400 });
    // However many a stranger sends, the provider's own messages stay in the trace.
    expect(acquirer.traced?.()).toEqual(traced);
  });
});

describe('a provider that refuses', () => {
  it.each([
    ['1', '904'],
    ['10', '909'],
    ['13', '110'],
    ['20', '909'],
    ['33', '101'],
    ['45', '116'],
    ['4711', '909'],
  ])('with error %s makes nothing: declined with %s', async (code, action) => {
    host.refusals.push({ path: '/api/v2/sale', code });
    expect(await send(sale())).toEqual({ word: 'declined', code: action });
  });

  it('to call us is not told our address, and asked instead', async () => {
    host.refusals.push({ path: '/api/v2/sale', code: '60' });
    expect(await send(sale())).toMatchObject({ word: 'approved' });
    const [first, second] = host.requests;
    expect([first?.fields.notify_url, second?.fields.notify_url]).toEqual([NOTICES, undefined]);
  });

  it('because it has the order already is asked about it', async () => {
    const payment = sale();
    await approved(payment);
    const again = await send({ ...payment, descriptor: 'Other socks' });
    expect(again).toMatchObject({ word: 'approved' });
    expect(host.money(payment.reference)).toMatchObject({ taken: 1042 });
  });

  it('because it has the order already, and still works on it, is waited for', async () => {
    host.outcomes.push({ status: 'processing' });
    const payment = sale();
    await lasting(send(payment));
    const again = send({ ...payment, descriptor: 'Other socks' });
    await expect.poll(() => clock.sleepers).toBe(2);
    for (const deed of host.orders.get(payment.reference)?.deeds ?? []) deed.status = 'approved';
    expect(await lasting(again)).toMatchObject({ word: 'approved' });
  });

  it('because somebody else has the id declines', async () => {
    const payment = sale();
    host.refusals.push({ path: '/api/v2/sale', code: '31' });
    expect(await send(payment)).toEqual({ word: 'declined', code: '913' });
  });

  it('is not believed when its code is none of the interface and the order is there', async () => {
    const payment = sale();
    await approved(payment);
    host.refusals.push({ path: '/api/v2/sale', code: '4711' });
    expect(await send(payment)).toMatchObject({ word: 'approved' });
  });

  it('a follow-up is certain too, and says nothing of the order’s other money', async () => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    expect(await send(followUp('refund', payment, 1043n), circumstances)).toEqual({ word: 'declined', code: '110' });
    const unknownCode = followUp('refund', payment, 1n);
    host.refusals.push({ path: '/api/v2/return', code: '4711' });
    expect(await send(unknownCode, circumstances)).toMatchObject({ word: 'unknown' });
  });

  it('to say how an order stands leaves it unknown, unless there is none', async () => {
    const payment = sale();
    expect(await asked(payment)).toEqual({ word: 'not-found' });
    for (const code of ['20', '10', '4711']) {
      host.refusals.push({ path: '/api/v2/status', code });
      expect(await asked(payment)).toMatchObject({ word: 'unknown' });
    }
  });
});

describe('a connection', () => {
  it('that cannot be made sent nothing for certain', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const away = open({ baseUrl: `http://127.0.0.1:${port}/paynet` });
    const payment = sale();
    const unsent = { word: 'unsent', reason: 'the provider refuses connections', fault: 'unreachable' };
    expect(await away.send(payment, around())).toEqual(unsent);
    const question = { instruction: payment, around: around(), again: false };
    expect(await away.inquire(payment.reference, question)).toMatchObject({ word: 'unknown', fault: 'unreachable' });
    expect(await away.reverse(payment.reference, question)).toMatchObject({ word: 'unknown', fault: 'unreachable' });
    await away.close();
  });

  it('that takes the request and says nothing leaves it unknown when the time is up', async () => {
    const deaf = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as { port: number };
    const connected = new Promise((resolve) => deaf.once('connection', (socket) => socket.once('data', resolve)));
    const away = open({ baseUrl: `http://127.0.0.1:${port}/paynet` });
    const answer = away.send(sale(), around());
    await connected;
    await clock.advance(ANSWER_MS);
    expect(await answer).toMatchObject({ word: 'unknown', fault: 'silent' });
    await away.close();
    await new Promise((resolve) => deaf.close(resolve));
  });

  it.each<[Mishap, string | undefined]>([
    ['lose-request', 'unreachable'],
    ['lose-answer', 'unreachable'],
    ['half', 'unreachable'],
    ['garble', 'unreadable'],
    ['bad-gateway', 'unreadable'],
    ['bad-gateway-after', 'unreadable'],
    ['unavailable', undefined],
    ['failure-after', undefined],
    ['hang', 'silent'],
    ['hang-after', 'silent'],
  ])('with mishap %s leaves it unknown (%s)', async (mishap, fault) => {
    host.mishaps.push({ mishap });
    const answer = await lasting(send(sale()));
    expect(answer.word).toBe('unknown');
    expect('fault' in answer ? answer.fault : undefined).toBe(fault);
  });

  it('ends with the connector, and what is asked afterwards is unknown', async () => {
    host.mishaps.push({ mishap: 'hang' });
    const answer = send(sale());
    await expect.poll(() => host.hanging).toBe(1);
    await acquirer.close();
    expect(await answer).toMatchObject({ word: 'unknown' });
    expect(await send(sale())).toEqual({ word: 'unknown', reason: 'the connector is closed' });
  });
});

describe('what is taken back', () => {
  it.each([
    ['sale', () => sale(), '/api/v2/void'],
    ['pull', () => charge('pull'), '/api/v2/void'],
    ['preauth', () => preauth(), '/api/v2/return'],
  ] as const)('a %s that was approved is given back whole, once', async (_, make, path) => {
    const payment = make();
    await approved(payment);
    expect(await reversed(payment)).toEqual({ word: 'reversed' });
    expect(host.paths()).toContain(path);
    expect(await reversed(payment)).toEqual({ word: 'reversed' });
    expect(host.money(payment.reference)).toEqual({ held: 0, taken: 0, paidOut: 0 });
  });

  it('a payment that can no longer be voided is returned', async () => {
    const payment = sale();
    await approved(payment);
    host.outcomes.push({ status: 'declined', code: '914' });
    expect(await lasting(reversed(payment))).toMatchObject({ word: 'unknown' });
    expect(await reversed(payment)).toEqual({ word: 'reversed' });
    expect(host.orders.get(payment.reference)?.deeds.map(({ type }) => type)).toEqual(['sale', 'void', 'reversal']);
  });

  it('a payment that was given back in part by somebody else waits for a person', async () => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    await approved(followUp('refund', payment, 42n), circumstances);
    expect(await reversed(payment)).toMatchObject({ word: 'unknown', reason: 'the provider gave back a part' });
  });

  it.each(['declined', 'filtered', 'error'] as const)('one that is %s needs nothing', async (status) => {
    host.outcomes.push({ status });
    const payment = sale();
    await send(payment);
    expect(await reversed(payment)).toEqual({ word: 'reversed' });
    expect(host.orders.get(payment.reference)?.deeds).toHaveLength(1);
  });

  it.each(['unknown', 'processing', 'challenge'] as const)('one that is %s waits', async (status) => {
    host.outcomes.push({ status });
    const payment = sale();
    await lasting(send(payment));
    expect(await reversed(payment)).toMatchObject({ word: 'unknown' });
  });

  it.each([
    ['sale', () => sale()],
    ['preauth', () => preauth()],
    ['payout', () => push(toCard(CARD))],
  ] as const)('a %s that never arrived is barred, and does nothing when it arrives', async (_, make) => {
    const payment = make();
    host.mishaps.push({ mishap: 'arrive-late' });
    expect(await send(payment)).toMatchObject({ word: 'unknown' });
    expect(await reversed(payment)).toEqual({ word: 'not-found' });
    host.letGo();
    expect(host.requests.at(-1)?.fields.client_orderid).toBe(payment.reference);
    expect(host.money(payment.reference)).toEqual({ held: 0, taken: 0, paidOut: 0 });
    expect(await reversed(payment)).toEqual({ word: 'not-found' });
    // The form is over some time later, and nobody paid on it.
    for (const deed of host.orders.get(payment.reference)?.deeds ?? []) deed.status = 'error';
    expect(await reversed(payment)).toEqual({ word: 'reversed' });
  });

  it('one that is barred by nothing stays unknown', async () => {
    host.refusals.push({ path: '/api/v2/sale-form', code: '23' });
    expect(await reversed(sale())).toMatchObject({ word: 'unknown' });
    host.mishaps.push({ mishap: 'lose-answer', path: '/api/v2/sale-form' });
    expect(await reversed(sale())).toMatchObject({ word: 'unknown' });
  });

  it('a payout that was made stays, and says so', async () => {
    const payout = push(toCard(CARD));
    await approved(payout);
    expect(await reversed(payout)).toMatchObject({
      word: 'unknown',
      reason: 'the provider paid it out, which cannot be taken back',
    });
  });

  it('what moves no money needs no question', async () => {
    expect(await reversed(charge('verification'))).toEqual({ word: 'reversed' });
    expect(await reversed(question({ receiving: CARD }))).toEqual({ word: 'reversed' });
    expect(host.requests).toEqual([]);
  });

  it('a capture that never arrived is barred; one that was made is given back', async () => {
    const hold = preauth();
    const circumstances = following(hold, await approved(hold));
    const lost = followUp('capture', hold, 500n);
    host.mishaps.push({ mishap: 'arrive-late' });
    expect(await send(lost, circumstances)).toMatchObject({ word: 'unknown' });
    expect(await reversed(lost, circumstances)).toEqual({ word: 'not-found' });
    host.letGo();
    expect(host.money(hold.reference)).toMatchObject({ held: 1042, taken: 0 });
    const made = followUp('capture', hold, 500n);
    host.mishaps.push({ mishap: 'lose-answer' });
    expect(await send(made, circumstances)).toMatchObject({ word: 'unknown' });
    expect(await reversed(made, circumstances)).toEqual({ word: 'reversed' });
    expect(await reversed(made, circumstances)).toEqual({ word: 'reversed' });
    expect(host.money(hold.reference)).toMatchObject({ held: 542, taken: 0 });
  });

  it.each(['refund', 'void', 'cancel'] as const)('a %s that was made cannot be taken back', async (kind) => {
    const payment = kind === 'cancel' ? preauth() : sale();
    const circumstances = following(payment, await approved(payment));
    const back = followUp(kind, payment, 1042n);
    await approved(back, circumstances);
    expect(await reversed(back, circumstances)).toMatchObject({ word: 'unknown' });
  });

  it.each(['92', '91', '47'])('a refund that was made stands when the provider refuses to tell by %s', async (code) => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    const back = followUp('refund', payment, 500n);
    await approved(back, circumstances);
    host.refusals.push({ path: '/api/v2/return', code });
    expect(await reversed(back, circumstances)).toMatchObject({ word: 'unknown' });
    expect(host.refusals).toEqual([]);
    expect(host.money(payment.reference)).toMatchObject({ taken: 542 });
  });
});

describe('a follow-up whose answer was lost', () => {
  it.each(MISHAPS)('by mishap %s is found by its key, and done once', async (mishap) => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    const refund = followUp('refund', payment, 500n);
    host.mishaps.push({ mishap });
    await lasting(send(refund, circumstances));
    expect(await asked(refund, circumstances)).toMatchObject({ word: 'approved' });
    host.letGo();
    expect(host.money(payment.reference)).toMatchObject({ taken: 542 });
  });

  it('is left to a person when the provider may have forgotten its key', async () => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    const refund = followUp('refund', payment, 500n);
    host.mishaps.push({ mishap: 'lose-answer' });
    await send(refund, circumstances);
    const late = { ...circumstances, trace: { number: 2, at: clock.now() - 7 * 24 * 60 * 60 * 1000 } };
    const before = host.requests.length;
    expect(await asked(refund, late)).toMatchObject({ word: 'unknown' });
    expect(await reversed(refund, late)).toMatchObject({ word: 'unknown' });
    expect(host.requests).toHaveLength(before);
  });

  it('is told apart from an equal one', async () => {
    const payment = sale();
    const circumstances = following(payment, await approved(payment));
    const [first, second] = [followUp('refund', payment, 500n), followUp('refund', payment, 500n)];
    host.outcomes.push({ status: 'declined', code: '116' });
    host.mishaps.push({ mishap: 'lose-answer' });
    await send(first, circumstances);
    await approved(second, circumstances);
    expect(await asked(first, circumstances)).toMatchObject({ word: 'declined', code: '116' });
    expect(await asked(second, circumstances)).toMatchObject({ word: 'approved' });
  });

  it('is refused for good only when a copy of it can do no harm', async () => {
    const hold = preauth();
    const circumstances = following(hold, await approved(hold));
    const first = followUp('capture', hold, 1042n);
    host.outcomes.push({ status: 'processing' });
    await lasting(send(first, circumstances));
    const second = followUp('capture', hold, 1042n);
    host.mishaps.push({ mishap: 'arrive-late' });
    await send(second, circumstances);
    expect(await asked(second, circumstances)).toEqual({ word: 'declined', code: '110' });
    // The first comes to nothing, so that the hold would have room for the second.
    for (const deed of host.orders.get(hold.reference)?.deeds ?? []) {
      if (deed.type === 'capture') deed.status = 'declined';
    }
    host.letGo();
    expect(host.money(hold.reference)).toMatchObject({ held: 1042, taken: 0 });
  });
});

/** What became of an instruction that is worked on as the order machine does. */
type End = 'approved' | 'declined' | 'undone' | 'stuck';

type Working = {
  /** How many questions are put before it is taken back. */
  readonly inquiries: number;
  /** Whether copies that are on their way arrive only when everything has ended, or in between. */
  readonly isLate: boolean;
};

async function worked(
  instruction: Instruction,
  circumstances: Circumstances,
  { inquiries, isLate }: Working,
): Promise<End> {
  const MOST_REVERSALS = 25;
  let answer: { readonly word: string } = await send(instruction, circumstances);
  for (let asks = 0, sends = 1; asks < inquiries; ) {
    if (answer.word === 'approved' || answer.word === 'declined') return answer.word;
    answer = await asked(instruction, circumstances, asks > 0);
    if (!isLate) host.letGo();
    if (answer.word !== 'not-found') asks++;
    else if (sends++ < MAX_SENDS) answer = await send(instruction, circumstances);
    else break;
  }
  if (answer.word === 'approved' || answer.word === 'declined') return answer.word;
  for (let tries = 0; tries < MOST_REVERSALS; tries++) {
    const { word } = await reversed(instruction, circumstances);
    if (!isLate) host.letGo();
    if (word !== 'unknown') return 'undone';
  }
  return 'stuck';
}

describe('whatever happens on the way', () => {
  const CHARGES: readonly InstructionKind[] = ['sale', 'preauth', 'pull', 'push'];
  const FOLLOW_UPS = ['capture', 'cancel', 'refund', 'void'] as const satisfies FollowUpInstruction['kind'][];
  const mishaps = fc.array(fc.option(fc.constantFrom(...MISHAPS), { nil: undefined, freq: 3 }), { maxLength: 8 });
  const story = fc.record({
    mishaps,
    inquiries: fc.integer({ min: 0, max: 5 }),
    declines: fc.array(fc.boolean(), { maxLength: 3 }),
    isLate: fc.boolean(),
  });
  type Story = (typeof story extends fc.Arbitrary<infer S> ? S : never) & { readonly kind: InstructionKind };

  function make(kind: InstructionKind): Instruction {
    if (kind === 'push') return push(toCard(CARD));
    return charge(kind as 'sale' | 'preauth' | 'pull');
  }

  function begin({ mishaps: all, declines }: Story): void {
    host.mishaps.push(...all.map((mishap) => mishap && { mishap }));
    host.outcomes.push(...declines.map((no) => ({ status: no ? ('declined' as const) : ('approved' as const) })));
  }

  function settle(): void {
    host.letGo();
    host.mishaps.length = 0;
    host.outcomes.length = 0;
  }

  it('a charge or payout is made once if it is approved, and not at all if it is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CHARGES), story, async (kind, rest) => {
        const instruction = make(kind);
        begin({ kind, ...rest });
        const end = await lasting(worked(instruction, around(), rest));
        settle();
        const { held, taken, paidOut } = host.money(instruction.reference);
        // A payout that was made cannot be taken back: a person says that it is approved.
        if (end === 'stuck') expect([kind, paidOut]).toEqual(['push', 1042]);
        else expect(held + taken + paidOut).toBe(end === 'approved' ? 1042 : 0);
      }),
      { numRuns: 60 },
    );
  });

  it('a follow-up is made once if it is approved, and not at all if it is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FOLLOW_UPS), story, async (kind, rest) => {
        const isHeld = kind === 'capture' || kind === 'cancel';
        const payment = isHeld ? preauth() : sale();
        const circumstances = following(payment, await approved(payment));
        const amount = kind === 'void' ? 1042n : 500n;
        const instruction = followUp(kind, payment, amount);
        begin({ kind, ...rest });
        const end = await lasting(worked(instruction, circumstances, rest));
        settle();
        const moved = Number(amount);
        const { held, taken } = host.money(payment.reference);
        const isDone = {
          capture: held === 1042 - moved && taken === moved,
          cancel: held === 1042 - moved,
          refund: taken === 1042 - moved,
          void: taken === 0,
        }[kind];
        const isNothingMoved = isHeld ? held === 1042 && taken === 0 : taken === 1042;
        // A capture that is taken back gives the money to the payer, not to the hold.
        const isGivenBack = kind === 'capture' && held === 1042 - moved && taken === 0;
        if (end === 'approved') expect(isDone).toBe(true);
        else if (end === 'stuck') expect(kind === 'capture' || isDone).toBe(true);
        else expect(isNothingMoved || (end === 'undone' && isGivenBack)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a try without money', () => {
  it('says that everything works', async () => {
    expect(await acquirer.test()).toEqual([
      { what: 'login, control key and endpoint', works: true },
      { what: 'private key', works: true },
      { what: 'callbacks', works: true, detail: undefined },
    ]);
    expect(host.orders.size).toBe(0);
  });

  it.each([
    [{ controlKey: new Secret('wrong') }, 'the provider does not know this login with this control key'],
    [{ login: 'somebody' }, 'the provider does not know this login with this control key'],
    [{ baseUrl: 'https://nobody.invalid/paynet' }, "the name of the provider's host leads nowhere"],
  ])('says of %j that %s', async (changes, detail) => {
    const wrong = open(changes);
    expect((await wrong.test())[0]).toEqual({ what: 'login, control key and endpoint', works: false, detail });
    await wrong.close();
  });

  it('says which key is wrong', async () => {
    const stranger = open({ privateKey: new Secret(testKeys('demo').privateKey) });
    expect((await stranger.test())[1]).toMatchObject({
      works: false,
      detail: 'the provider does not know our public key',
    });
    await stranger.close();
    const broken = open({ privateKey: new Secret('no key') });
    expect((await broken.test())[1]).toMatchObject({ works: false, detail: expect.stringContaining('no RSA key') });
    await broken.close();
    host.refusals.push({ path: '/api/v2/status', code: '10' });
    expect((await acquirer.test())[0]).toMatchObject({ detail: 'the provider has no endpoint 101 of ours' });
  });
});

it('shows its messages without card numbers, codes, keys, signatures and addresses of payers', async () => {
  host.outcomes.push({ status: 'challenge' });
  await send(sale());
  await send(push(toAccount('DE89370400440532013000')));
  await send({ ...charge('sale', { cvv: undefined }), initiator: 'merchant' });
  const lines = acquirer.traced?.() ?? [];
  const text = JSON.stringify(lines);
  expect(lines[0]).toMatchObject({ direction: 'out', text: expect.stringContaining('POST /api/v2/sale/101') });
  expect(lines[1]).toMatchObject({ direction: 'in', text: expect.stringContaining('HTTP 200 type=async-response') });
  expect(text).toContain('411111');
  const hidden = [CARD, '"123"', 'cvv', CONTROL_KEY, 'control=', 'oauth', 'DE8937', 'ann@example.com', 'challenge?'];
  for (const secret of hidden) expect(text).not.toContain(secret);
});

it('keeps the latest messages only', async () => {
  for (let asks = 0; asks < 150; asks++) await asked(sale());
  expect(acquirer.traced?.()).toHaveLength(200);
});
