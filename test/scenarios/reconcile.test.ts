// `tender reconcile`: after a life with everything in it the bank's books and settlement files say what ours say, and
// whatever is changed on one side is named.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookEntry } from '../../src/acquirers/index.ts';
import { JournalComparison, SettlementComparison } from '../../src/domain/money/reconciliation.ts';
import { readSettlementLines } from '../../src/domain/money/settlement-file.ts';
import { Client, DEMO, describeGateway, type ReplyBody } from '../harness.ts';
import { formRequest } from './form-payer.ts';
import { Belongings, startBankProcess, startProcess, tender } from './tender-process.ts';
import { differencesAt, liveThroughEverything } from './whole-life.ts';

const SHORT = { acquirerTimeoutMs: 300, leaseMs: 1_000, holdMs: 200 };

describeGateway('the books compared', SHORT, (gateway) => {
  let captured: ReplyBody;

  beforeAll(async () => {
    captured = await liveThroughEverything(gateway);
  });

  async function differences(comparison: JournalComparison | SettlementComparison): Promise<string[]> {
    const found = await differencesAt(gateway, comparison);
    return found.map(({ reference, cause }) => `${reference} ${cause}`);
  }

  const lines = (entries: readonly BookEntry[]) =>
    entries.map(({ amount, ...entry }) => ({ ...entry, minor: amount.minor, currency: amount.currency }));

  it("agree with the bank's journal", async () => {
    const books = await gateway.books();
    expect(await differences(new JournalComparison(lines(books)))).toEqual([]);
    expect(books.length).toBeGreaterThan(20);
    expect(new Set(books.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
  });

  it('agree with what was cleared', async () => {
    const now = gateway.clock.now();
    await gateway.bank.clear();
    const cleared = [];
    const dates = new Set((await gateway.books()).map(({ businessDate }) => businessDate));
    for (const date of dates) {
      if (date === undefined) continue;
      for await (const { amount, ...line } of gateway.bank.settlement(date)) {
        cleared.push({ ...line, minor: amount.minor, currency: amount.currency });
      }
    }
    expect(cleared.length).toBeGreaterThan(5);
    const everything = { since: 0, until: now };
    expect(await differences(new SettlementComparison(cleared, everything))).toEqual([]);
    const [one, ...others] = cleared;
    expect(await differences(new SettlementComparison(others, everything))).toEqual([
      `${one?.reference} missing at the bank`,
    ]);
  });

  it('show what was changed behind our back', async () => {
    const books = lines(await gateway.books());
    const id = captured['paynet-order-id'];
    const reference = await gateway.bankReference(id, 2);
    const change = (set: string) => gateway.query(`update transactions set ${set} where order_id = ${id} and seq = 2`);
    await change(`stage = 'declined', decline_code = '100'`);
    expect(await differences(new JournalComparison(books))).toEqual([`${reference} other outcome`]);
    await change(`stage = 'approved', decline_code = null, amount = amount + 1`);
    expect(await differences(new JournalComparison(books))).toEqual([`${reference} other amount`]);
    await change('amount = amount - 1');
    await gateway.query(
      `update ledger_entries set amount = amount + 1 where order_id = ${id} and seq = 2 and line = 1`,
    );
    expect(await differences(new JournalComparison(books))).toEqual([`${reference} other booking`]);
    await gateway.query(
      `update ledger_entries set amount = amount - 1 where order_id = ${id} and seq = 2 and line = 1`,
    );
    expect(await differences(new JournalComparison(books))).toEqual([]);
  });
});

describe('tender reconcile', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('answers by its exit code: with a bank inside, on a stopped gateway, from files', async () => {
    const folder = await own.folder();
    const data = join(folder, 'data');
    const gateway = own.keep(await startProcess(['--data', data]));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    const run = (...args: string[]) => tender(['reconcile', ...args, '--data', data]);
    const sale = await shop.saleUntilFinal();
    await shop.saleUntilFinal({ cvv2: '116' });
    expect(await run()).toEqual({
      code: 0,
      stdout: 'Compared 2 instructions here with 2 lines of the bank: they agree.\n',
      stderr: '',
    });

    // Nobody enters a card on this form, so the bank is never told of it.
    await formRequest({ demo: shop }, 'sale-form');
    expect(await run()).toEqual({
      code: 0,
      stdout:
        'Compared 2 instructions here with 2 lines of the bank: they agree.\n' +
        'Without a line there, and in need of none: 1.\n',
      stderr: '',
    });

    const { date } = JSON.parse((await tender(['bank', 'clear', '--json', '--data', data])).stdout);
    const file = join(folder, 'settlement.csv');
    const { stdout } = await tender(['bank', 'settlement', date, '--data', data]);
    expect(readSettlementLines(stdout)).toHaveLength(1);
    await writeFile(file, stdout);
    expect(await run('--file', file)).toMatchObject({
      code: 0,
      stdout:
        'Compared 1 instruction here with 1 line of the bank: they agree.\n' +
        'Without a line there, and in need of none: 2.\n',
    });
    await writeFile(file, stdout.replace(',1042,', ',1043,'));
    const wrong = await run('--file', file, '--json');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      agree: false,
      compared: { here: 1, bank: 1, withoutLine: 2 },
      differences: [
        {
          reference: expect.stringMatching(new RegExp(`^${sale['paynet-order-id']}-1-[0-9a-z]+$`)),
          cause: 'other amount',
          ours: '10.42 USD',
          theirs: '10.43 USD',
        },
      ],
    });
    await writeFile(file, 'nonsense');
    expect(await run('--file', file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tender: .*line 1: the names/),
    });
    expect(await run('--file', join(folder, 'nowhere.csv'))).toMatchObject({ code: 2 });
    await gateway.process.stop();
    expect(await run()).toMatchObject({ code: 0 });
  });

  it('takes a bank of its own by its address, and tells what that bank has and we have not', async () => {
    const bank = own.keep(await startBankProcess(['--data', await own.folder()]));
    const [mine, other] = await Promise.all([own.folder(), own.folder()]);
    const pay = async (data: string) => {
      const gateway = own.keep(await startProcess(['--data', data, '--bank-url', bank.url]));
      const shop = new Client(() => gateway.baseUrl, DEMO);
      await shop.saleUntilFinal();
      shop.close();
      return gateway;
    };
    const gateway = await pay(mine);
    expect(await tender(['reconcile', '--data', mine])).toMatchObject({ code: 0 });
    await (await pay(other)).process.stop();
    const { code, stdout } = await tender(['reconcile', '--data', mine, '--url', bank.url]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^1-1-[0-9a-z]+ +missing here +- +sale 10\.42 USD\n$/m),
    });
    await gateway.process.stop();
  });

  it('compares what went to one terminal with the books of its bank, and leaves it out elsewhere', async () => {
    const bank = own.keep(await startBankProcess(['--data', await own.folder()]));
    const data = await own.folder();
    const gateway = own.keep(await startProcess(['--data', data]));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    await shop.saleUntilFinal();
    const run = (...args: string[]) => tender([...args, '--data', data]);
    const terminal = ['terminal', 'add', 'acme', '--connector', 'simulator', '--set', `url=${bank.url}`];
    expect(await run(...terminal)).toMatchObject({ code: 0 });
    expect(await run('endpoint', 'set', '101', '--route', 'acme')).toMatchObject({ code: 0 });
    await shop.saleUntilFinal();
    await shop.saleUntilFinal();
    const agreed = (count: string) => ({
      code: 0,
      stdout: `Compared ${count} here with ${count.replace('instruction', 'line')} of the bank: they agree.\n`,
    });
    expect(await run('reconcile')).toMatchObject(agreed('1 instruction'));
    expect(await run('reconcile', '--terminal', 'acme', '--url', bank.url)).toMatchObject(agreed('2 instructions'));
    expect(await run('reconcile', '--terminal', 'acme')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tender: the books of terminal acme are needed: [^\n]*\n$/),
    });
    expect(await run('reconcile', '--terminal', 'nobody', '--url', bank.url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tender: there is no terminal "nobody"; there are demo-bank, acme\n$/),
    });
    await gateway.process.stop();
  });
});
