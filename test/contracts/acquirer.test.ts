// What the simulated bank promises besides the contract of every connector: the same suite over a bank in this process
// with books in memory, one with books in a file, and one behind HTTP; then crashes of a bank process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Instruction } from '../../src/acquirers/acquirer.ts';
import { openAcquirer, openBank, readBooks, type SimulatorLine, startBank } from '../../src/acquirers/index.ts';
import { FaultPlan } from '../../src/acquirers/simulator/faults.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { takeLock } from '../../src/storage/embedded/lock-file.ts';
import {
  ASK_TIMEOUT_MS,
  all,
  CARD,
  HOLD_MS,
  newReference,
  OTHER_CARD,
  SEND_TIMEOUT_MS,
  StoppedClock,
  type Subject,
  sale,
  variants,
} from './acquirer-banks.ts';
import { buildProgram } from './built-program.ts';

const ORDER_ID = '1700000000001';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-bank-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each(variants)('the simulated bank $name', (variant) => {
  let clock: StoppedClock;
  let subject: Subject;

  const send = (instruction: Instruction) => subject.acquirer.send(instruction);
  const inquire = (reference: string) => subject.acquirer.inquire(reference);
  const reverse = (reference: string) => subject.acquirer.reverse(reference);
  const entriesOf = async (reference: string) =>
    (await subject.books()).filter((entry) => entry.reference === reference);
  const outcomesOf = async (reference: string) => (await entriesOf(reference)).map((entry) => entry.outcome);
  const untilBooked = (reference: string) => expect.poll(() => entriesOf(reference)).not.toHaveLength(0);

  const restart = async () => {
    await subject.close();
    subject = await variant.open(clock, folder);
  };

  beforeEach(async () => {
    clock = new StoppedClock();
    subject = await variant.open(clock, folder);
  });
  afterEach(() => subject.close());

  describe('answers', () => {
    it('an approval carries the numbers of the bank and stands in its books', async () => {
      const answer = await send(sale({ reference: `${ORDER_ID}-1` }));
      expect(answer).toEqual({
        word: 'approved',
        approvalCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
        rrn: expect.stringMatching(/^\d{12}$/),
        processorTxId: `PNTEST-${ORDER_ID}`,
        terminalId: 'TENDER01',
      });
      const { approvalCode, rrn } = answer as Extract<Answer, { word: 'approved' }>;
      expect(await subject.books()).toEqual([
        {
          reference: `${ORDER_ID}-1`,
          kind: 'sale',
          amount: { minor: 1042n, currency: 'USD' },
          card: { firstSix: '411111', lastFour: '1111' },
          outcome: 'approved',
          approvalCode,
          rrn,
          arrivedAt: clock.now(),
        },
      ]);
    });

    it.each([
      ['cvv 1234', { cvv: '1234' }],
      ['cvv 111', { cvv: '111' }],
      ['no cvv', { cvv: undefined }],
    ])('%s is approved', async (_title, choice) => {
      expect(await send(sale(choice))).toMatchObject({ word: 'approved' });
    });

    it.each([
      ['cvv 101', { cvv: '101' }, '101'],
      ['cvv 116', { cvv: '116' }, '116'],
      ['cvv 119', { cvv: '119' }, '119'],
      ['cvv 209', { cvv: '209' }, '209'],
      ['cvv 321, as nobody was authenticated', { cvv: '321' }, '100'],
      ['cvv 999', { cvv: '999' }, '100'],
      ['no cvv and an amount that ends with 116', { cvv: undefined, minor: 5_116n }, '116'],
    ])('%s is declined with its action code', async (_title, choice, code) => {
      const instruction = sale(choice);
      const answer = await send(instruction);
      expect(answer).toMatchObject({ word: 'declined', code });
      expect(await inquire(instruction.reference)).toEqual(answer);
      expect(await entriesOf(instruction.reference)).toMatchObject([{ outcome: 'declined', code }]);
    });

    it('no two approvals share a number', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(sale())));
      const approvals = answers.filter((answer) => answer.word === 'approved');
      for (const number of ['approvalCode', 'rrn', 'processorTxId'] as const) {
        expect(new Set(approvals.map((approval) => approval[number])).size).toBe(50);
      }
    });

    it('nothing is known of a reference that was never sent', async () => {
      expect(await inquire(newReference())).toEqual({ word: 'not-found' });
      expect(await subject.books()).toEqual([]);
    });
  });

  describe('a payment in doubt (cvv 217)', () => {
    it('is unknown, then pending, then approved with one authorisation', async () => {
      const instruction = sale({ cvv: '217' });
      expect(await send(instruction)).toEqual({ word: 'unknown', reason: expect.any(String) });
      expect(await inquire(instruction.reference)).toEqual({ word: 'pending' });
      expect(await outcomesOf(instruction.reference)).toEqual(['held']);
      await clock.advance(HOLD_MS - 1);
      expect(await inquire(instruction.reference)).toEqual({ word: 'pending' });
      expect(await send(instruction)).toMatchObject({ word: 'unknown' });
      await clock.advance(1);
      const answer = await inquire(instruction.reference);
      expect(answer).toMatchObject({ word: 'approved' });
      expect(await send(instruction)).toEqual(answer);
      expect(await outcomesOf(instruction.reference)).toEqual(['approved']);
    });

    it('never becomes approved when it is reversed first', async () => {
      const instruction = sale({ cvv: '217' });
      await send(instruction);
      expect(await reverse(instruction.reference)).toEqual({ word: 'reversed' });
      await clock.advance(HOLD_MS * 2);
      expect(await inquire(instruction.reference)).toMatchObject({ word: 'declined', code: '914' });
      expect(await outcomesOf(instruction.reference)).toEqual(['reversed']);
    });
  });

  describe('a repeated reference', () => {
    it('gets the same answer, one after the other or all at once, and is booked once', async () => {
      const instruction = sale();
      const atOnce = await Promise.all(Array.from({ length: 40 }, () => send(instruction)));
      const answers = [...atOnce, await send(instruction), await inquire(instruction.reference)];
      expect(atOnce[0]).toMatchObject({ word: 'approved' });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await outcomesOf(instruction.reference)).toEqual(['approved']);
    });

    it('gets the same answer without the security code, which nobody keeps', async () => {
      const instruction = sale({ cvv: '116' });
      const answer = await send(instruction);
      expect(await send(sale({ reference: instruction.reference, cvv: undefined }))).toEqual(answer);
    });

    it.each([
      ['amount', { minor: 1043n }],
      ['currency', { currency: 'EUR' }],
      ['card', { number: OTHER_CARD }],
    ])('with another %s is refused and changes nothing', async (_title, difference) => {
      const first = sale();
      const answer = await send(first);
      const before = await subject.books();
      expect(await send(sale({ reference: first.reference, ...difference }))).toEqual({
        word: 'declined',
        code: '913',
      });
      expect(await subject.books()).toEqual(before);
      expect(await inquire(first.reference)).toEqual(answer);
    });
  });

  describe('a reversal', () => {
    it('takes an approval back once, however often it is asked for', async () => {
      const { reference } = sale();
      await send(sale({ reference }));
      await clock.advance(5);
      const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(reference)));
      expect([...answers, await reverse(reference)]).toEqual(Array(11).fill({ word: 'reversed' }));
      expect(await entriesOf(reference)).toMatchObject([{ outcome: 'reversed', reversedAt: clock.now() }]);
    });

    it('is final: neither an inquiry nor a repeat says approved again', async () => {
      const instruction = sale();
      await send(instruction);
      await reverse(instruction.reference);
      expect(await inquire(instruction.reference)).toMatchObject({ word: 'declined', code: '914' });
      expect(await send(instruction)).toMatchObject({ word: 'declined', code: '914' });
      expect(await outcomesOf(instruction.reference)).toEqual(['reversed']);
    });

    it('of something declined finds nothing held', async () => {
      const instruction = sale({ cvv: '116' });
      const answer = await send(instruction);
      expect(await reverse(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await inquire(instruction.reference)).toEqual(answer);
    });

    it('of something never seen keeps it out when it arrives later', async () => {
      const instruction = sale();
      expect(await reverse(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await send(instruction)).toEqual({ word: 'declined', code: '914' });
      expect(await reverse(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await inquire(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await subject.books()).toEqual([]);
    });

    it('that races with its instruction leaves no money held', async () => {
      const instructions = Array.from({ length: 30 }, () => sale());
      const answers = await Promise.all(
        instructions.map(async (instruction, index) => {
          const calls = [() => send(instruction), () => reverse(instruction.reference)];
          if (index % 2 === 1) calls.reverse();
          const words = (await Promise.all(calls.map((call) => call()))).map((answer) => answer.word);
          return words.sort().join(' and ');
        }),
      );
      for (const words of answers) expect(['approved and reversed', 'declined and not-found']).toContain(words);
      expect((await subject.books()).filter((entry) => entry.outcome === 'approved')).toEqual([]);
    });
  });

  describe('when the bank misbehaves', () => {
    it('a lost request is unknown when its time is up, and was never booked', async () => {
      await subject.setFaults({ loseRequestRate: 1, messages: ['instruct'] });
      const instruction = sale();
      const answer = send(instruction);
      await clock.advance(SEND_TIMEOUT_MS);
      const reason = 'the bank gave no answer within 30000 ms';
      expect(await answer).toEqual({ word: 'unknown', reason, fault: 'silent' });
      expect(await inquire(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await subject.books()).toEqual([]);
    });

    it('a lost answer is unknown and not before its time is up; the payment is booked and found', async () => {
      await subject.setFaults({ loseAnswerRate: 1, messages: ['instruct'] });
      const instruction = sale();
      let word: string | undefined;
      const answer = send(instruction).then((it) => {
        word = it.word;
        return it;
      });
      await untilBooked(instruction.reference);
      await clock.advance(SEND_TIMEOUT_MS - 1);
      expect(word).toBeUndefined();
      await clock.advance(1);
      expect(await answer).toMatchObject({ word: 'unknown' });
      expect(await inquire(instruction.reference)).toMatchObject({ word: 'approved' });
      expect(await outcomesOf(instruction.reference)).toEqual(['approved']);
    });

    it('after a refused connection nothing was sent, or it is unknown at once, and nothing is booked', async () => {
      await subject.setFaults({ refuseRate: 1 });
      const { reference } = sale();
      const unreachable = { word: 'unknown', fault: 'unreachable' };
      // A server can only break a connection that it has taken, so over HTTP nobody can tell.
      const word = variant.name.includes('HTTP') ? 'unknown' : 'unsent';
      expect(await send(sale({ reference }))).toMatchObject({ word, fault: 'unreachable' });
      expect(await inquire(reference)).toMatchObject(unreachable);
      expect(await reverse(reference)).toMatchObject(unreachable);
      expect(await subject.books()).toEqual([]);
      await subject.setFaults({});
      expect(await send(sale({ reference }))).toMatchObject({ word: 'approved' });
    });

    it('an answer that cannot be read is unknown, and the payment is booked', async () => {
      await subject.setFaults({ garbleRate: 1, messages: ['instruct'] });
      const instruction = sale();
      expect(await send(instruction)).toMatchObject({ word: 'unknown', fault: 'unreadable' });
      expect(await inquire(instruction.reference)).toMatchObject({ word: 'approved' });
    });

    it('inquiries and reversals without an answer are unknown after their own time', async () => {
      await subject.setFaults({ loseRequestRate: 1 });
      const answers = Promise.all([inquire(newReference()), reverse(newReference())]);
      await clock.advance(ASK_TIMEOUT_MS);
      expect(await answers).toMatchObject([{ word: 'unknown' }, { word: 'unknown' }]);
    });

    it('a late answer within the time is the answer', async () => {
      await subject.setFaults({ answerDelayMs: 2_000 });
      const { reference } = sale();
      const answer = send(sale({ reference }));
      await untilBooked(reference);
      await expect.poll(() => clock.sleepers).toBe(2);
      await clock.advance(2_000);
      expect(await answer).toMatchObject({ word: 'approved' });
    });

    it('a request that arrives after its reversal is not booked', async () => {
      await subject.setFaults({ requestDelayMs: SEND_TIMEOUT_MS + 5_000, messages: ['instruct'] });
      const instruction = sale();
      const answer = send(instruction);
      await expect.poll(() => clock.sleepers).toBe(2);
      await clock.advance(SEND_TIMEOUT_MS);
      expect(await answer).toMatchObject({ word: 'unknown' });
      expect(await reverse(instruction.reference)).toEqual({ word: 'not-found' });
      await clock.advance(5_000);
      expect(await inquire(instruction.reference)).toEqual({ word: 'not-found' });
      expect(await subject.books()).toEqual([]);
    });

    it('a clock that is set back keeps nobody waiting', async () => {
      await subject.setFaults({ loseRequestRate: 1 });
      const answer = send(sale());
      clock.setBack(3_600_000);
      await clock.advance(SEND_TIMEOUT_MS);
      expect(await answer).toMatchObject({ word: 'unknown' });
    });

    it('some lost answers among many: what is booked and what was answered agree', async () => {
      const faults = { seed: 42, loseAnswerRate: 0.3, loseRequestRate: 0.2, refuseRate: 0.1 };
      const instructions = Array.from({ length: 60 }, () => sale());
      const plan = new FaultPlan(faults);
      const ends = instructions.map(() => plan.fateOf('instruct').end);
      const arriving = ends.filter((end) => end === 'answered' || end === 'answer-lost').length;
      await subject.setFaults(faults);
      const answers = Promise.all(instructions.map(send));
      await expect.poll(() => subject.books()).toHaveLength(arriving);
      await clock.advance(SEND_TIMEOUT_MS);
      const words = (await answers).map(({ word }) => (word === 'unsent' ? 'unknown' : word));
      expect(new Set(words)).toEqual(new Set(['approved', 'unknown']));
      await subject.setFaults({});
      for (const [index, instruction] of instructions.entries()) {
        const found = await inquire(instruction.reference);
        if (words[index] === 'approved') expect(found.word).toBe('approved');
        expect(await outcomesOf(instruction.reference)).toEqual(found.word === 'approved' ? ['approved'] : []);
      }
    });
  });

  describe('closing', () => {
    it('ends what still waits with unknown and takes nothing more', async () => {
      await subject.setFaults({ loseRequestRate: 1 });
      const answer = send(sale());
      await subject.acquirer.close();
      expect(await answer).toMatchObject({ word: 'unknown' });
      expect(await send(sale())).toMatchObject({ word: 'unknown' });
      expect(clock.sleepers).toBe(0);
    });
  });

  if (variant.keepsBooks)
    describe('books on disk', () => {
      const path = () => join(folder, 'bank-books.jsonl');

      it('a restart keeps approvals, declines, doubts, reversals, proofs and numbers', async () => {
        const authentication = { version: '2.2.0', status: 'U', eci: '07' } as const;
        const good = { ...sale(), authentication };
        const [bad, doubtful, reversed] = [sale({ cvv: '209' }), sale({ cvv: '217' }), sale()];
        for (const instruction of [good, bad, doubtful, reversed]) await send(instruction);
        await reverse(reversed.reference);
        const before = await subject.books();
        const answers = [await send(good), await send(bad)];
        await restart();
        expect(await subject.books()).toEqual(before);
        expect([await send(good), await send(bad)]).toEqual(answers);
        expect(await inquire(doubtful.reference)).toEqual({ word: 'pending' });
        expect(await reverse(reversed.reference)).toEqual({ word: 'reversed' });
        await clock.advance(HOLD_MS);
        expect(await inquire(doubtful.reference)).toMatchObject({ word: 'approved' });
        await send(sale());
        expect(new Set((await subject.books()).map((entry) => entry.rrn)).size).toBe(5);
      });

      it('a restart still keeps out what was reversed before it arrived', async () => {
        const instruction = sale();
        await reverse(instruction.reference);
        await restart();
        expect(await send(instruction)).toEqual({ word: 'declined', code: '914' });
        expect(await subject.books()).toEqual([]);
      });

      it.each([
        ['half a line', '{"event":"taken","reference":"18000'],
        ['a line of zeros', '\0\0\0\0\0\0\n'],
        ['bad lines and half a line', '{"event":\n\0\0\n{"eve'],
      ])('%s left at the end by a crash is cut off', async (_title, torn) => {
        const [first, second] = [sale(), sale()];
        await send(first);
        await subject.close();
        await appendFile(path(), torn);
        subject = await variant.open(clock, folder);
        await send(second);
        await restart();
        expect((await subject.books()).map((entry) => entry.reference)).toEqual([first.reference, second.reference]);
      });

      it('a bad line before good ones is not forgiven', async () => {
        await send(sale());
        await send(sale());
        await subject.close();
        await writeFile(path(), `{"event":"ta\n${await readFile(path(), 'utf8')}`);
        await expect(variant.open(clock, folder)).rejects.toThrow('bank-books.jsonl is damaged at byte 0');
        await rm(path());
        subject = await variant.open(clock, folder);
      });

      it('hold no card number and no security code', async () => {
        await send(sale({ cvv: '123' }));
        await send(sale({ cvv: '987', number: OTHER_CARD }));
        await reverse(newReference());
        const text = await readFile(path(), 'utf8');
        expect(text).toContain('"firstSix":"555555","lastFour":"4444"');
        for (const secret of [CARD, OTHER_CARD, 'cvv', '"123"', '"987"', 'ANNA']) expect(text).not.toContain(secret);
      });
    });
});

describe('the folder of a bank', () => {
  it('belongs to one bank at a time', async () => {
    const books = { folder, takeLock };
    const bank = await openBank({ clock: systemClock, books });
    await expect(openBank({ clock: systemClock, books })).rejects.toThrow('in use');
    await bank.close();
    await bank.close();
    await (await openBank({ clock: systemClock, books })).close();
  });

  it('is free again when its books could not be read', async () => {
    const books = { folder, takeLock };
    await writeFile(join(folder, 'bank-books.jsonl'), 'x'.repeat(100_000));
    await expect(openBank({ clock: systemClock, books })).rejects.toThrow('is not a log');
    await rm(join(folder, 'bank-books.jsonl'));
    await (await openBank({ clock: systemClock, books })).close();
  });
});

describe('a connector over HTTP', () => {
  /** What all three calls of a connector make of a server that answers like this. */
  async function wordsOf(listener: RequestListener): Promise<string[]> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = await wordsAt(url);
    server.closeAllConnections();
    server.close();
    return words;
  }

  async function wordsAt(url: string): Promise<string[]> {
    const acquirer = openAcquirer({ url }, systemClock);
    const answers = await Promise.all([acquirer.send(sale()), acquirer.inquire('1-1'), acquirer.reverse('1-1')]);
    await acquirer.close();
    return answers.map((answer) => answer.word);
  }

  const saying =
    (text: string, status = 200): RequestListener =>
    (_request, response) => {
      response.writeHead(status).end(text);
    };

  it.each<[string, RequestListener]>([
    ['no JSON', saying('hello')],
    ['nothing', saying('')],
    ['no object', saying('[]')],
    ['no word', saying('{}')],
    ['a word that is none', saying('{"word":"maybe"}')],
    ['an approval without its numbers', saying('{"word":"approved"}')],
    ['a decline without its code', saying('{"word":"declined","code":"no"}')],
    ['a decline with HTTP 500', saying('{"word":"declined","code":"100"}', 500)],
    ['a decline with HTTP 400', saying('{"word":"declined","code":"100"}', 400)],
    ['a megabyte', saying(`{"word":"declined","code":"100","x":"${'x'.repeat(1_000_000)}"}`)],
    [
      'an answer cut short',
      (_request, response) =>
        response.writeHead(200, { 'content-length': 99 }).write('{"word"', () => response.destroy()),
    ],
    ['a connection hung up', (request) => request.socket.destroy()],
  ])('makes unknown of %s', async (_title, listener) => {
    expect(await wordsOf(listener)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('does not believe an answer that does not fit its question', async () => {
    expect(await wordsOf(saying('{"word":"not-found"}'))).toEqual(['unknown', 'not-found', 'not-found']);
    expect(await wordsOf(saying('{"word":"reversed"}'))).toEqual(['unknown', 'unknown', 'reversed']);
    expect(await wordsOf(saying('{"word":"declined","code":"100"}'))).toEqual(['declined', 'declined', 'unknown']);
  });

  it('tells that nothing was sent to a bank that is not there', async () => {
    expect(await wordsAt('http://127.0.0.1:1')).toEqual(['unsent', 'unknown', 'unknown']);
  });
});

describe('a bank server', () => {
  let server: Awaited<ReturnType<typeof startBank>>;
  beforeEach(async () => {
    server = await startBank({ clock: systemClock, books: 'memory' });
  });
  afterEach(() => server.close());

  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${server.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    return { status: response.status, json: (await response.json()) as unknown };
  };

  it('is healthy and listens on this machine only', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await call('GET', '/healthz')).toEqual({ status: 200, json: { status: 'ok' } });
  });

  it.each([
    ['POST', '/v1/instructions', 'not json', 400],
    ['POST', '/v1/instructions', '', 400],
    ['POST', '/v1/instructions', '{"kind":"sale","cardNumber":"4111111111111111"}', 400],
    ['POST', '/v1/inquiries', '{"reference":7}', 400],
    ['POST', '/v1/reversals', `{"reference":"${'1'.repeat(20_000)}"}`, 400],
    ['PUT', '/v1/faults', '{"loseAnswerRate":2}', 400],
    ['PUT', '/v1/faults', '{"looseAnswerRate":1}', 400],
    ['PUT', '/v1/faults', '{"answerDelayMs":{"from":9,"to":1}}', 400],
    ['PUT', '/v1/faults', '{"messages":["shout"]}', 400],
    ['POST', '/v1/refunds', '{}', 404],
  ])('%s %s %s is refused without echoing it, and the bank goes on', async (method, path, body, status) => {
    const refused = await call(method, path, body);
    expect(refused).toEqual({ status, json: { error: expect.any(String) } });
    expect(JSON.stringify(refused.json)).not.toContain('4111');
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  it('tells and takes the faults in force', async () => {
    await call('PUT', '/v1/faults', '{"seed":3,"loseAnswerRate":0.5,"answerDelayMs":{"from":1,"to":2}}');
    expect((await call('GET', '/v1/faults')).json).toMatchObject({
      seed: 3,
      loseAnswerRate: 0.5,
      answerDelayMs: { from: 1, to: 2 },
      refuseRate: 0,
    });
  });
});

describe('a bank process that is killed', () => {
  const ROUNDS = 3;
  const WORKERS = 24;
  const BUSY_MS = 150;

  let program: string;
  let programFolder: string;

  beforeAll(async () => {
    programFolder = await mkdtemp(join(tmpdir(), 'tender-bank-program-'));
    program = join(programFolder, 'bank.mjs');
    const contents = `
      import { startBank } from './src/acquirers/simulator/bank-server.ts';
      import { systemClock } from './src/domain/clock.ts';
      import { takeLock } from './src/storage/embedded/lock-file.ts';
      const { url } = await startBank({ clock: systemClock, books: { folder: process.argv[2], takeLock } });
      process.stdout.write(url);`;
    await buildProgram(contents, program);
  });
  afterAll(() => rm(programFolder, { recursive: true, force: true }));

  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  afterEach(kill);

  async function start(): Promise<{ url: string; acquirer: SimulatorLine }> {
    child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(child.stdout!, 'data')) as [Buffer];
    const settings = { url: url.toString() };
    return { url: url.toString(), acquirer: openAcquirer(settings, systemClock) };
  }

  it('has every approval it ever answered in its books, once', async () => {
    const answered = new Map<string, Answer>();
    const unanswered: Instruction[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { acquirer } = await start();
      let running = true;
      const worker = async () => {
        while (running) {
          const instruction = sale();
          const answer = await acquirer.send(instruction);
          if (answer.word === 'approved') answered.set(instruction.reference, answer);
          else unanswered.push(instruction);
        }
      };
      const workers = Array.from({ length: WORKERS }, worker);
      const before = answered.size;
      await expect.poll(() => answered.size).toBeGreaterThan(before);
      await new Promise((done) => setTimeout(done, BUSY_MS));
      const killed = kill();
      running = false;
      await Promise.all([killed, ...workers]);
      await acquirer.close();
    }
    expect(answered.size).toBeGreaterThan(0);

    const { url, acquirer } = await start();
    const resent = await Promise.all(unanswered.map((instruction) => acquirer.send(instruction)));
    expect(resent.filter((answer) => answer.word !== 'approved')).toEqual([]);
    const references = (await all(readBooks(url))).map((entry) => entry.reference);
    expect(references.length).toBe(answered.size + unanswered.length);
    expect(new Set(references).size).toBe(references.length);
    for (const [reference, answer] of [...answered].slice(-50))
      expect(await acquirer.inquire(reference)).toEqual(answer);
    const booked = new Set(references);
    expect([...answered.keys()].filter((reference) => !booked.has(reference))).toEqual([]);
    await acquirer.close();
  });
});
