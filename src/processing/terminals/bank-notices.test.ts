import { describe, expect, it } from 'vitest';
import type { Acquirer, Notice, NoticeReading } from '../../acquirers/acquirer.ts';
import { acquirerReference, type Order } from '../../domain/order/order.ts';
import type { BankNotice } from '../../storage/bank-notices.ts';
import type { DueTransaction } from '../../storage/store.ts';
import type { ReturnHeard } from '../payouts/returned-payouts.ts';
import { BankNotices } from './bank-notices.ts';
import type { OpenTerminal } from './terminal.ts';

const NOW = Date.UTC(2027, 0, 1);
const NOTICE: Notice = { method: 'POST', path: '', query: new URLSearchParams(), headers: {}, body: Buffer.alloc(0) };

const order = {
  ...{ merchantId: 2, orderId: 77, createdAt: NOW },
  transactions: [{ seq: 1, leg: 2, terminal: 'bank' }],
} as unknown as Order;
const REFERENCE = acquirerReference(order, { seq: 1, leg: 2 });

type Around = { reading?: NoticeReading | Error; isNew?: boolean; heard?: ReturnHeard };

function notices({ reading, isNew = true, heard = 'booked' }: Around = {}) {
  const seen = {
    counted: [] as string[],
    asked: [] as DueTransaction[],
    taken: [] as BankNotice[],
    log: [] as string[],
    returned: [] as string[],
  };
  const log = (message: string, { detail = '' } = {}) => void seen.log.push(`${message}: ${detail}`);
  const receive = async () => {
    if (reading instanceof Error) throw reading;
    return reading as NoticeReading;
  };
  const acquirer = { receive: reading && receive } as unknown as Acquirer;
  const bank = new BankNotices({
    clock: { now: () => NOW, sleep: async () => {} },
    configuration: { merchants: [{ merchantId: 1 }, { merchantId: 2 }] },
    count: (outcome) => void seen.counted.push(outcome),
    log: { info: log, warn: log, error: log },
    notices: { take: async (notice) => seen.taken.push(notice) > 0 && isNew, forget: async () => 0 },
    orders: {
      load: async (keys) =>
        new Map(keys.some(({ merchantId, orderId }) => merchantId === 2 && orderId === 77) ? [[77, order]] : []),
    },
    questions: {
      ask: async (transaction) => seen.asked.push(transaction) > 0,
    },
    returns: {
      hear: async ({ orderId }, seq) => {
        seen.returned.push(`${orderId}-${seq}`);
        return heard;
      },
    },
    terminals: { find: (name) => (name === 'bank' ? ({ name, acquirer } as OpenTerminal) : undefined) },
  });
  return { bank, seen };
}

describe('a notice', () => {
  it.each<[string, NoticeReading, outcome: string, asked: number]>([
    ['names an instruction', { status: 200, reference: REFERENCE, noticeId: 'n' }, 'asked', 1],
    ['has no name', { status: 200, reference: REFERENCE }, 'asked', 1],
    ['names none', { status: 200, noticeId: 'n' }, 'not-ours', 0],
    ['names an earlier leg', { status: 200, reference: acquirerReference(order, { seq: 1, leg: 1 }) }, 'not-ours', 0],
    ['names another order', { status: 200, reference: '78-1-2-x' }, 'not-ours', 0],
    ['names another transaction', { status: 200, reference: REFERENCE.replace('-1-', '-2-') }, 'not-ours', 0],
    ['could not be taken', { status: 500, reference: REFERENCE, noticeId: 'n' }, 'failed', 0],
  ])('that %s', async (_, reading, outcome, asked) => {
    const { bank, seen } = notices({ reading });
    expect(await bank.read('bank', NOTICE)).toBe(reading);
    expect(seen.asked).toEqual([]);
    bank.follow('bank', reading);
    await bank.drained();
    expect(seen.counted).toEqual([outcome]);
    expect(seen.asked).toEqual(asked ? [{ merchantId: 2, orderId: 77, seq: 1 }] : []);
  });

  it('that came before is not followed', async () => {
    const { bank, seen } = notices({ isNew: false });
    bank.follow('bank', { status: 200, reference: REFERENCE, noticeId: 'n' });
    await bank.drained();
    expect([seen.counted, seen.asked]).toEqual([['repeated'], []]);
  });

  it.each([
    ['evt_1', 'evt_1'],
    ['', /^[0-9a-f]{64}$/],
    ['x'.repeat(129), /^[0-9a-f]{64}$/],
    ['a\u0000b', /^[0-9a-f]{64}$/],
    ['naïve', /^[0-9a-f]{64}$/],
  ])('is kept by its name, or by a digest of it: %j', async (noticeId, kept) => {
    const { bank, seen } = notices();
    bank.follow('bank', { status: 200, reference: REFERENCE, noticeId });
    await bank.drained();
    expect(seen.taken).toEqual([{ terminal: 'bank', noticeId: expect.stringMatching(kept), receivedAt: NOW }]);
  });

  it.each<[string, string, NoticeReading | Error | undefined, log: string]>([
    ['an unknown terminal', 'strange', { status: 200 }, 'there is no such terminal'],
    ['a bank that sends none', 'bank', undefined, 'terminal bank: its bank sends no notices'],
    ['a stranger', 'bank', { status: 401, body: 'no' }, 'terminal bank: it does not prove its sender'],
    ['a connector that breaks', 'bank', new Error('secret'), 'terminal bank: its connector could not read it'],
  ])('of %s is refused', async (_, terminal, reading, line) => {
    const { bank, seen } = notices(reading === undefined ? {} : { reading });
    expect(await bank.read(terminal, NOTICE)).toBeUndefined();
    expect([seen.counted, seen.log]).toEqual([['refused'], [`a notice was refused: ${line}`]]);
  });

  it.each<[ReturnHeard, reference: string, status: number, counted: string, heard: string[]]>([
    ['booked', REFERENCE, 200, 'booked', ['77-1']],
    ['nothing-to-ask', REFERENCE, 200, 'nothing-to-ask', ['77-1']],
    ['unanswered', REFERENCE, 503, 'put-off', ['77-1']],
    // A bank that was told 200 would never tell it again, although nobody booked it.
    ['booked', '78-1-2-x', 404, 'not-ours', []],
    [{ notTaken: 'why' }, REFERENCE, 422, 'not-taken', ['77-1']],
  ])('of a payout that came back is answered when that is %j (%s)', async (heard, reference, status, counted, told) => {
    const { bank, seen } = notices({ reading: { status: 200, reference, returned: true }, heard });
    const reading = await bank.read('bank', NOTICE);
    expect(reading).toMatchObject({ status });
    bank.follow('bank', reading as NoticeReading);
    await bank.drained();
    expect([seen.counted, seen.returned, seen.asked]).toEqual([[counted], told, []]);
  });

  it('of a return that is not booked leaves a line for operators', async () => {
    const { bank, seen } = notices({
      reading: { status: 200, reference: REFERENCE, returned: true },
      heard: { notTaken: 'why' },
    });
    await bank.read('bank', NOTICE);
    expect(seen.log).toEqual(['a return that a bank told of was not booked: terminal bank: why']);
  });

  it('of a payment that was given back is followed as any other', async () => {
    const { bank, seen } = notices({
      reading: { status: 200, reference: REFERENCE, returned: true },
      heard: 'no-payout',
    });
    const reading = await bank.read('bank', NOTICE);
    expect(reading).toMatchObject({ status: 200 });
    bank.follow('bank', reading as NoticeReading);
    await bank.drained();
    expect([seen.counted, seen.asked.length]).toEqual([['asked'], 1]);
  });

  it('is put off while too many are under way', async () => {
    const reading = { status: 200, reference: REFERENCE };
    const { bank, seen } = notices({ reading });
    for (let times = 0; times < 500; times++) bank.follow('bank', reading);
    expect(await bank.read('bank', NOTICE)).toEqual({ status: 503 });
    expect(seen.counted).toContain('put-off');
  });
});
