// The business days of the simulated bank: what is cleared when, what that forbids, and the settlement file it leaves.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Instruction } from '../../src/acquirers/acquirer.ts';
import { openBank, startBank } from '../../src/acquirers/index.ts';
import {
  all,
  CARD,
  charge,
  followUp,
  HOLD_MS,
  preauth,
  push,
  question,
  StoppedClock,
  type Subject,
  sale,
  toCard,
  variants,
} from './acquirer-banks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_ONE = '2025-06-15';
const DAY_TWO = '2025-06-16';
const DAY_THREE = '2025-06-17';
const FIRST_CUT_OFF = Date.UTC(2025, 5, 15, 23);

let folder: string;
let clock: StoppedClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-bank-'));
  clock = new StoppedClock();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const advanceTo = (moment: number) => clock.advance(moment - clock.now());

describe.each(variants)('clearing at the simulated bank $name', (variant) => {
  let subject: Subject;
  const send = (instruction: Instruction) => subject.acquirer.send(instruction);
  const reverse = ({ reference }: Instruction) => subject.acquirer.reverse(reference);
  const clearedAtOf = async (instruction: Instruction) =>
    (await subject.books()).find(({ reference }) => reference === instruction.reference)?.clearedAt;
  const kindsOf = async (date: string) => (await subject.settlement(date)).map((line) => line.split(',')[1]);

  async function done<T extends Instruction>(instruction: T): Promise<T> {
    expect(await send(instruction)).toMatchObject({ word: 'approved' });
    return instruction;
  }

  beforeEach(async () => {
    subject = await variant.open(clock, folder);
  });
  afterEach(() => subject.close());

  it('takes what moved money, once, and writes it into the settlement file', async () => {
    const [sold, held] = [await done(sale()), await done(preauth())];
    const captured = await done(followUp('capture', held, 500n));
    const refunded = await done(followUp('refund', held, 100n));
    await done(followUp('cancel', held, 200n));
    await done(charge('verification'));
    await done(question({ sending: CARD }));
    await done(charge('pull'));
    await done(push(toCard(CARD)));
    await send(sale({ cvv: '116' }));
    await clock.advance(1_000);

    expect(await subject.clear()).toEqual({ date: DAY_ONE, at: clock.now(), lines: 5 });
    const lines = await subject.settlement(DAY_ONE);
    const at = new Date(clock.now()).toISOString();
    expect(lines.slice(0, 3)).toEqual([
      `${sold.reference},sale,,1042,USD,${at}`,
      `${captured.reference},capture,${held.reference},500,USD,${at}`,
      `${refunded.reference},refund,${held.reference},100,USD,${at}`,
    ]);
    expect(await kindsOf(DAY_ONE)).toEqual(['sale', 'capture', 'refund', 'pull', 'push']);
    expect(await subject.clear()).toMatchObject({ lines: 0 });
    expect(await subject.settlement(DAY_ONE)).toEqual(lines);
    expect(await subject.settlement(DAY_TWO)).toEqual([]);
    expect(await clearedAtOf(sold)).toBe(clock.now());
    expect(await clearedAtOf(held)).toBeUndefined();
  });

  it('makes a void impossible and leaves refunds, captures and cancels possible', async () => {
    const [sold, held] = [await done(sale()), await done(preauth())];
    const captured = await done(followUp('capture', held, 500n));
    await subject.clear();
    expect(await send(followUp('void', sold, 1042n))).toMatchObject({ word: 'declined', code: '902' });
    expect(await send(followUp('void', captured, 500n))).toMatchObject({ word: 'declined', code: '902' });
    await done(followUp('refund', sold, 1042n));
    await done(followUp('refund', captured, 200n));
    await done(followUp('capture', held, 500n));
    await done(followUp('cancel', held, 42n));
    await subject.clear();
    expect(await kindsOf(DAY_ONE)).toEqual(['sale', 'capture', 'refund', 'refund', 'capture']);
  });

  it('leaves out what was voided or reversed, and what is in doubt until it is approved', async () => {
    const [voided, reversed] = [await done(sale()), await done(sale())];
    const doubtful = sale({ cvv: '217' });
    await send(doubtful);
    const taken = await done(followUp('void', voided, 1042n));
    await reverse(reversed);
    expect(await subject.clear()).toMatchObject({ lines: 0 });
    await reverse(taken);
    await clock.advance(HOLD_MS);
    await subject.clear();
    expect((await subject.settlement(DAY_ONE)).map((line) => line.split(',')[0])).toEqual([
      voided.reference,
      doubtful.reference,
    ]);
  });

  it('settles a reversal of something cleared the next time', async () => {
    const first = await done(sale());
    await subject.clear();
    expect(await reverse(first)).toEqual({ word: 'reversed' });
    await clock.advance(DAY_MS);
    expect(await subject.clear()).toMatchObject({ lines: 0 });
    const at = new Date(FIRST_CUT_OFF).toISOString();
    expect((await subject.settlement(DAY_ONE))[1]).toBe(
      `${first.reference},reversal,${first.reference},1042,USD,${at}`,
    );
  });

  it('happens by itself at the cut-off: nothing later belongs to the day, nothing of it can be voided', async () => {
    const first = await done(sale());
    await advanceTo(FIRST_CUT_OFF - 1);
    const last = await done(sale());
    expect(await clearedAtOf(first)).toBeUndefined();
    await advanceTo(FIRST_CUT_OFF);
    expect(await send(followUp('void', last, 1042n))).toMatchObject({ word: 'declined', code: '902' });
    const next = await done(sale());
    expect(await clearedAtOf(last)).toBe(FIRST_CUT_OFF);
    expect(await subject.settlement(DAY_ONE)).toHaveLength(2);
    await done(followUp('void', next, 1042n));
    expect(await subject.clear()).toMatchObject({ date: DAY_TWO, lines: 0 });
  });

  it('puts what was in doubt over the cut-off into the next day', async () => {
    await advanceTo(FIRST_CUT_OFF - 1);
    await send(sale({ cvv: '217' }));
    await clock.advance(DAY_MS * 2);
    expect(await subject.settlement(DAY_ONE)).toEqual([]);
    expect(await subject.settlement(DAY_TWO)).toHaveLength(1);
  });

  if (variant.keepsBooks) {
    it('is made up for when the bank was closed at the cut-off, and is the same after every restart', async () => {
      const restart = async () => {
        await subject.close();
        subject = await variant.open(clock, folder);
      };
      const [first, voided] = [await done(sale()), await done(sale())];
      const taken = await done(followUp('void', voided, 1042n));
      await subject.close();
      await advanceTo(FIRST_CUT_OFF + HOUR_MS);
      subject = await variant.open(clock, folder);
      expect(await clearedAtOf(first)).toBe(FIRST_CUT_OFF);
      await reverse(taken);
      await restart();
      expect(await clearedAtOf(voided)).toBeUndefined();
      await advanceTo(FIRST_CUT_OFF + 5 * DAY_MS);
      await restart();
      expect(await clearedAtOf(voided)).toBe(FIRST_CUT_OFF + DAY_MS);
      const [books, settled] = [await subject.books(), await subject.settlement(DAY_TWO)];
      await restart();
      expect(await subject.books()).toEqual(books);
      expect(await subject.settlement(DAY_TWO)).toEqual(settled);
      expect(await subject.settlement(DAY_THREE)).toEqual([]);
    });
  }
});

describe('the cut-off of a bank', () => {
  it('can be another time, or never', async () => {
    const at = (cutOff: '06:30' | 'never') => openBank({ clock, books: 'memory', cutOff });
    const [early, never] = [await at('06:30'), await at('never')];
    await Promise.all([early.instruct(sale()), never.instruct(sale())]);
    await advanceTo(Date.UTC(2025, 5, 17, 7));
    const [entry] = await all(early.entries());
    expect(entry).toMatchObject({ clearedAt: Date.UTC(2025, 5, 16, 6, 30), businessDate: '2025-06-16' });
    expect((await all(never.entries()))[0]).not.toHaveProperty('clearedAt');
    expect(await never.clear()).toMatchObject({ date: '2025-06-17', lines: 1 });
    await early.close();
    await never.close();
  });

  it('must be a time of day', async () => {
    await expect(openBank({ clock, books: 'memory', cutOff: '24:00' })).rejects.toThrow('a time like 23:00');
  });
});

describe('the settlement file over HTTP', () => {
  it('is CSV, quoted where a reference needs it, and asks for a date', async () => {
    const server = await startBank({ clock, books: 'memory' });
    await server.bank.instruct(sale({ reference: '1,"2"' }));
    await server.bank.clear();
    const response = await fetch(`${server.url}/v1/settlement?date=${DAY_ONE}`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toBe(
      'reference,kind,original,amount,currency,cleared_at\r\n"1,""2""",sale,,1042,USD,2025-06-15T15:06:40.000Z\r\n',
    );
    for (const query of ['', '?date=', '?date=today', '?date=2025-6-1']) {
      expect((await fetch(`${server.url}/v1/settlement${query}`)).status).toBe(400);
    }
    await server.close();
  });
});
