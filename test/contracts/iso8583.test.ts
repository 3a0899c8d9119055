// The ISO 8583 connector against a scripted host that reads and writes messages by a library of its own: what becomes
// of each instruction, and of answers that are lost, late, doubled or noise.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Acquirer, SentInstruction, TraceLine } from '../../src/acquirers/acquirer.ts';
import { Secret } from '../../src/domain/secret.ts';
import { packedCodec } from './iso8583-codecs.ts';
import { answerTo, approvalOf, declineOf, type HostOptions, ScriptedHost } from './iso8583-host.ts';
import {
  ANSWER_MS,
  AT,
  around,
  card,
  charge,
  eur,
  following,
  later,
  openConnector,
  PAN,
  StoppedClock,
} from './iso8583-payments.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function start(settings: Readonly<Record<string, unknown>> = {}, options: HostOptions = {}) {
  const clock = new StoppedClock();
  const host = await new ScriptedHost(options).open();
  const bank: Acquirer = openConnector({ port: host.port, ...settings }, clock);
  opened.push(host, bank);
  return { clock, host, bank };
}

const sentSale = (number: number, again: boolean): SentInstruction => ({
  instruction: { ...charge('sale'), card },
  around: around(number),
  again,
});

const PATIENTLY = { timeout: 120_000 };

const NAMED = (mti: string, stan: string) => `${mti}${stan}111715214100000123456${'0'.repeat(11)}`;

describe('instructions', () => {
  it('signs on, then sells', async () => {
    const { host, bank } = await start();
    expect(await bank.send(charge('sale'), around(42))).toEqual({
      word: 'approved',
      approvalCode: 'A1B2C3',
      rrn: '632115000042',
      processorTxId: '000042/1117152141',
      terminalId: 'T1',
    });
    expect(host.heard.map(({ message }) => message['0'])).toEqual(['0800', '0200']);
    expect(host.heard[0]?.message).toMatchObject({ 70: '001' });
    expect(host.heard[1]?.message).toMatchObject({
      2: PAN,
      3: '000000',
      4: '000000001042',
      7: '1117152141',
      11: '000042',
      14: '2903',
      41: 'T1      ',
      42: 'M123           ',
      48: '9203987',
      49: '978',
    });
  });

  it('tells a decline by its action code', async () => {
    const { host, bank } = await start();
    host.script = ({ message, say }) => say(declineOf(message, '51'));
    expect(await bank.send(charge('sale'), around(42))).toEqual({ word: 'declined', code: '116', rrn: '632115000042' });
  });

  it.each([
    ['verification', charge('verification', 0n), '0100', '000000'],
    ['pull', charge('pull'), '0200', '100000'],
    [
      'push',
      { kind: 'push', reference: '8-1', amount: eur(500n), to: { card: { number: new Secret(PAN) } } },
      '0200',
      '260000',
    ],
  ] as const)('carries out a %s', async (_, instruction, mti, processing) => {
    const { host, bank } = await start();
    expect(await bank.send(instruction, around(42))).toMatchObject({ word: 'approved' });
    expect(host.ofType(mti)).toMatchObject([{ 2: PAN, 3: processing }]);
  });

  it('holds money and takes it twice', async () => {
    const { host, bank } = await start();
    const preauth = charge('preauth');
    expect(await bank.send(preauth, around(1))).toMatchObject({ word: 'approved' });
    expect(await bank.send(later('capture', 400n), following(2, preauth, 1))).toMatchObject({ word: 'approved' });
    expect(await bank.send(later('capture', 600n), following(3, preauth, 1))).toMatchObject({ word: 'approved' });
    expect(host.ofType('0100')).toHaveLength(1);
    expect(host.ofType('0220')).toMatchObject([
      { 4: '000000000400', 11: '000002', 37: '632115000001', 38: 'A1B2C3', 90: NAMED('0100', '000001') },
      { 4: '000000000600', 11: '000003', 37: '632115000001', 38: 'A1B2C3', 90: NAMED('0100', '000001') },
    ]);
  });

  it('voids a sale, cancels a hold wholly and in part, and refunds a part', async () => {
    const { host, bank } = await start();
    const [sale, preauth] = [charge('sale'), charge('preauth')];
    expect(await bank.send(later('void', 1042n), following(11, sale, 1))).toMatchObject({ word: 'approved' });
    expect(await bank.send(later('cancel', 1042n), following(12, preauth, 2))).toMatchObject({ word: 'approved' });
    expect(await bank.send(later('cancel', 42n), following(13, preauth, 2))).toMatchObject({ word: 'approved' });
    expect(await bank.send(later('refund', 42n), following(14, sale, 1))).toMatchObject({ word: 'approved' });
    const [voided, cancelled, cancelledInPart] = host.ofType('0400');
    expect(voided).toMatchObject({ 4: '000000001042', 90: NAMED('0200', '000001') });
    expect(cancelled).toMatchObject({ 4: '000000001042', 90: NAMED('0100', '000002') });
    expect(cancelled).not.toHaveProperty('95');
    expect(cancelledInPart).toMatchObject({ 4: '000000001042', 95: `000000001000${'0'.repeat(30)}` });
    expect(host.ofType('0200')).toMatchObject([{ 3: '200000', 4: '000000000042', 90: NAMED('0200', '000001') }]);
  });

  it('has many requests under way, answered in any order', async () => {
    const { host, bank } = await start();
    const waiting: (() => void)[] = [];
    host.script = ({ message, say }) => {
      waiting.push(() => say(approvalOf(message, { 38: `A${message['11']?.slice(1)}` })));
      if (waiting.length === 50) for (const answer of waiting.reverse()) answer();
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => bank.send(charge('sale'), around(at + 1))));
    const codes = answers.map((answer) => answer.word === 'approved' && answer.approvalCode);
    expect(codes).toEqual(Array.from({ length: 50 }, (_, at) => `A${String(at + 1).padStart(5, '0')}`));
  });

  it('cannot be asked about a message, nor about eligibility', async () => {
    const { host, bank } = await start();
    expect(await bank.inquire('7-1', sentSale(1, false))).toMatchObject({ word: 'unknown' });
    const question = { kind: 'eligibility', reference: '1', sending: { number: new Secret(PAN) } } as const;
    expect(await bank.send(question, around(1))).toMatchObject({ word: 'unsent' });
    expect(host.ofType('0100')).toEqual([]);
  });

  it('sends nothing that does not fit, and says why without the value', async () => {
    const { host, bank } = await start();
    const tooLong = around(1, { site: { ...around(1).site, merchantNumber: 'M'.repeat(16) } });
    expect(await bank.send(charge('sale'), tooLong)).toEqual({
      word: 'unsent',
      reason: 'field 42 has 16 characters, at most 15 fit',
    });
    expect(await bank.send(later('capture', 1n), around(2))).toMatchObject({ word: 'unsent' });
    expect(host.ofType('0200')).toEqual([]);
  });
});

describe('an answer that does not come', () => {
  it('leaves a sale unknown; its advice is repeated until it is answered', async () => {
    const { host, bank, clock } = await start();
    host.script = () => {};
    const lost = bank.send(charge('sale'), around(42));
    const { message: sale, say } = await host.hear('0200');
    clock.pass(ANSWER_MS);
    expect(await lost).toMatchObject({ word: 'unknown', fault: 'silent' });

    const first = bank.reverse('7-1', sentSale(42, false));
    const { message: advice } = await host.hear('0420');
    expect(advice).toMatchObject({ 2: PAN, 4: '000000001042', 11: sale['11'], 90: NAMED('0200', '000042') });
    // The answer to the sale comes late and must not be taken for that of the advice.
    say(approvalOf(sale));
    await vi.waitFor(() => expect(bank.traced?.().at(-1)?.text).toMatch(/^0210/), PATIENTLY);
    clock.pass(ANSWER_MS);
    expect(await first).toMatchObject({ word: 'unknown', fault: 'silent' });

    const second = bank.reverse('7-1', sentSale(42, true));
    await host.hear('0421');
    clock.pass(ANSWER_MS);
    expect(await second).toMatchObject({ word: 'unknown' });

    host.script = ({ message, say: answer }) => answer(approvalOf(message));
    expect(await bank.reverse('7-1', sentSale(42, true))).toEqual({ word: 'reversed' });
    const repeats = host.ofType('0421');
    expect(repeats).toHaveLength(2);
    for (const repeat of repeats) expect(repeat).toEqual({ ...advice, 0: '0421' });
  });

  it('is sent by another node as it would have been by the first', async () => {
    const { host, bank, clock } = await start();
    const other = openConnector({ port: host.port }, clock);
    opened.push(other);
    await bank.reverse('7-1', sentSale(42, false));
    await other.reverse('7-1', sentSale(42, false));
    const [first, second] = host.ofType('0420');
    expect(second).toEqual(first);
  });

  it.each([
    ['25', false, 'unknown'],
    ['25', true, 'unknown'],
    ['21', true, 'unknown'],
    ['00', false, 'reversed'],
    ['12', true, 'unknown'],
  ] as const)('an advice answered with %s, again %s, is %s', async (code, again, word) => {
    const { host, bank } = await start();
    host.script = ({ message, say }) => say(declineOf(message, code));
    expect(await bank.reverse('7-1', sentSale(42, again))).toMatchObject({ word });
  });

  it.each(['25', '21'])('a host that knows no original (%s) is believed when none can be on its way', async (code) => {
    const { host, bank, clock } = await start();
    host.script = ({ message, say }) => say(declineOf(message, code));
    const old = (again: boolean) => {
      const sent = sentSale(42, again);
      const trace = { number: 42, at: clock.now() - 10 * ANSWER_MS };
      return { ...sent, around: { ...sent.around, trace } };
    };
    expect(await bank.reverse('7-1', old(false))).toMatchObject({ word: 'unknown' });
    expect(await bank.reverse('7-1', old(true))).toEqual({ word: 'not-found' });
  });

  it('a host that knows no original is not believed soon after it was sent, however old its order is', async () => {
    const { host, bank, clock } = await start();
    host.script = ({ message, say }) => say(declineOf(message, '25'));
    const sentAgo = (ms: number) => {
      const sent = sentSale(42, true);
      const trace = { number: 42, at: clock.now() - 100 * ANSWER_MS };
      return { ...sent, around: { ...sent.around, trace }, sentBefore: clock.now() - ms };
    };
    expect(await bank.reverse('7-1', sentAgo(10 * ANSWER_MS - 1))).toMatchObject({ word: 'unknown' });
    expect(await bank.reverse('7-1', sentAgo(10 * ANSWER_MS))).toMatchObject({ word: 'not-found' });
  });

  it('a late answer to a sale is not taken for that of another', async () => {
    const { host, bank, clock } = await start();
    host.script = () => {};
    const lost = bank.send(charge('sale'), around(42));
    const late = await host.hear('0200');
    clock.pass(ANSWER_MS);
    expect(await lost).toMatchObject({ word: 'unknown' });
    host.script = ({ message, say }) => {
      late.say(approvalOf(late.message));
      say(declineOf(message, '05'));
    };
    expect(await bank.send(charge('sale'), around(43))).toMatchObject({ word: 'declined', code: '100' });
  });

  it('a capture is repeated, and approved by the answer to a repeat', async () => {
    const { host, bank, clock } = await start();
    host.script = ({ message, say }) => {
      if (host.ofType('0221').length === 2) say(answerTo(message, { 39: '00' }));
    };
    const captured = bank.send(later('capture', 400n), following(2, charge('preauth'), 1));
    await host.hear('0220');
    clock.pass(ANSWER_MS / 3);
    await host.hear('0221');
    clock.pass(ANSWER_MS / 3);
    expect(await captured).toMatchObject({ word: 'approved', approvalCode: 'A1B2C3' });
    const [first] = host.ofType('0220');
    for (const repeat of host.ofType('0221')) expect(repeat).toEqual({ ...first, 0: '0221' });
  });

  it('a capture is repeated on another connection when its own breaks', async () => {
    const { host, bank, clock } = await start({ connections: 2 });
    const isIn = ({ direction }: TraceLine) => direction === 'in';
    await vi.waitFor(() => expect(bank.traced?.().filter(isIn)).toHaveLength(2), PATIENTLY);
    host.script = ({ message, say, socket }) => {
      if (message['0'] === '0220') socket.destroy();
      else say(answerTo(message, { 39: '94' }));
    };
    const captured = bank.send(later('capture', 400n), following(2, charge('preauth'), 1));
    await host.hear('0220');
    await vi.waitFor(() => expect(clock.isAsleepFor(500)).toBe(true), PATIENTLY);
    clock.pass(ANSWER_MS / 3);
    expect(await captured).toMatchObject({ word: 'approved' });
  });

  it('a void is repeated; when nothing comes it stays unknown, and is not reversed', async () => {
    const { host, bank, clock } = await start();
    host.script = () => {};
    const circumstances = following(2, charge('sale'), 1);
    const lost = bank.send(later('void', 1042n), circumstances);
    await host.hear('0400');
    clock.pass(ANSWER_MS / 3);
    await host.hear('0401', 1);
    clock.pass(ANSWER_MS / 3);
    await host.hear('0401', 2);
    clock.pass(ANSWER_MS / 3);
    expect(await lost).toMatchObject({ word: 'unknown' });
    const sent = { instruction: later('void', 1042n), around: circumstances, again: false };
    expect(await bank.reverse('7-2', sent)).toMatchObject({ word: 'unknown' });
    expect(host.ofType('0420')).toEqual([]);
  });
});

describe('a host that answers badly', () => {
  it('twice: the second answer changes nothing', async () => {
    const { host, bank } = await start();
    host.script = ({ message, say }) => {
      say(approvalOf(message));
      say(declineOf(message, '05'));
    };
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
    expect(await bank.send(charge('sale'), around(2))).toMatchObject({ word: 'approved' });
  });

  it.each([
    ['bytes that are no message', () => Buffer.from('GET / HTTP/1.1')],
    ['nothing but a type', () => Buffer.from('0210')],
    ['random bytes', () => Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 73 + 11) % 256))],
  ])('with %s before the answer', async (_, noise) => {
    const { host, bank } = await start();
    host.script = ({ message, say, socket }) => {
      socket.write(host.framed(noise()));
      say(approvalOf(message));
    };
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it.each([
    ['another trace number', { 11: '000099' }],
    ['another time', { 7: '1117152142' }],
    ['another terminal', { 41: 'T2      ' }],
    ['another type', { 0: '0110' }],
    ['a request instead of an answer', { 0: '0200' }],
  ])('with %s: that is no answer', async (_, changed) => {
    const { host, bank, clock } = await start();
    host.script = ({ message, say }) => say(approvalOf(message, changed));
    const answer = bank.send(charge('sale'), around(1));
    await host.hear('0200');
    await vi.waitFor(() => expect(bank.traced?.().at(-1)?.direction).toBe('in'), PATIENTLY);
    clock.pass(ANSWER_MS);
    expect(await answer).toMatchObject({ word: 'unknown', fault: 'silent' });
  });

  it('with a request for patience: the answer after it counts', async () => {
    const { host, bank } = await start();
    host.script = ({ message, say }) => {
      say(declineOf(message, '09'));
      say(approvalOf(message));
    };
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved' });
  });

  it('for a part of the amount: nobody may take that for an approval', async () => {
    const { host, bank } = await start();
    host.script = ({ message, say }) => say(approvalOf(message, { 4: '000000000042' }));
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'unknown' });
    host.script = ({ message, say }) => say(approvalOf(message, { 39: '10' }));
    expect(await bank.send(charge('sale'), around(2))).toMatchObject({ word: 'unknown' });
  });

  it.each([
    ['before', 0],
    ['in the middle of', 20],
  ])('closing %s its answer', async (_, bytes) => {
    const { host, bank } = await start();
    host.script = ({ message, socket }) => socket.end(host.bytesOf(approvalOf(message)).subarray(0, bytes));
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'unknown', fault: 'unreachable' });
  });
});

it('refuses a second request with the number, time and terminal of one under way', async () => {
  const { host, bank, clock } = await start();
  host.script = () => {};
  const first = bank.send(charge('sale'), around(7));
  await host.hear('0200');
  expect(await bank.send(charge('sale'), around(7))).toMatchObject({ word: 'unsent' });
  clock.pass(ANSWER_MS);
  expect(await first).toMatchObject({ word: 'unknown' });
  expect(host.ofType('0200')).toHaveLength(1);
});

describe('iso93-binary', () => {
  it('sells, captures, cancels in part and takes back', async () => {
    const { host, bank } = await start({ dialect: 'iso93-binary' }, { codec: packedCodec });
    const preauth = charge('preauth');
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'approved', approvalCode: 'A1B2C3' });
    expect(await bank.send(preauth, around(2))).toMatchObject({ word: 'approved' });
    host.script = ({ message, say }) => say(answerTo(message, { 39: message['0'] === '1220' ? '900' : '400' }));
    expect(await bank.send(later('capture', 42n), following(3, preauth, 2))).toMatchObject({ word: 'approved' });
    host.script = ({ message, say }) => say(answerTo(message, { 39: '400', 4: message['4'] ?? '' }));
    expect(await bank.send(later('cancel', 1000n), following(4, preauth, 2))).toMatchObject({ word: 'approved' });
    expect(await bank.reverse('7-1', sentSale(1, false))).toEqual({ word: 'reversed' });
    expect(host.ofType('1804')).toMatchObject([{ 24: '801' }]);
    expect(host.ofType('1200')).toMatchObject([{ 2: PAN, 12: '261117152141', 24: '200', 48: '9203987' }]);
    expect(host.ofType('1220')).toMatchObject([{ 4: '000000000042', 24: '202', 56: '110000000226111715214106123456' }]);
    expect(host.ofType('1400')).toMatchObject([{ 4: '000000000042', 24: '401', 30: `000000001042${'0'.repeat(12)}` }]);
    expect(host.ofType('1420')).toMatchObject([{ 24: '400', 25: '4021', 56: '120000000126111715214106123456' }]);
  });

  it('tells a decline as it came', async () => {
    const { host, bank } = await start({ dialect: 'iso93-binary' }, { codec: packedCodec });
    host.script = ({ message, say }) => say(declineOf(message, '116'));
    expect(await bank.send(charge('sale'), around(1))).toMatchObject({ word: 'declined', code: '116' });
  });
});

it('shows its messages without the card', async () => {
  const { host, bank } = await start();
  const authentication = {
    version: '2.2.0',
    status: 'Y',
    eci: '05',
    cavv: new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA='),
  } as const;
  host.script = ({ message, say }) =>
    say(approvalOf(message, { 2: PAN, 35: `${PAN}=29031011000`, 43: PAN.padEnd(40) }));
  await bank.send({ ...charge('sale'), authentication }, around(1));
  const lines = bank.traced?.() ?? [];
  expect(lines.map(({ direction, text }) => `${direction} ${text.slice(0, 4)}`)).toEqual([
    'out 0800',
    'in 0810',
    'out 0200',
    'in 0210',
  ]);
  const shown = JSON.stringify(lines);
  expect(shown).toContain('2=411111******1111');
  expect(shown).toContain('4=000000001042');
  for (const hidden of [PAN, '987', 'AAABBEg0', '2903']) expect(shown).not.toContain(hidden);
  expect(lines.every(({ at }) => at === AT)).toBe(true);
});
