// `tender verify`: a database that lived through everything is as it must be, and whatever is changed behind the
// gateway's back is found, with its place and its cause.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { LEASE_MS } from '../../src/compose/settings.ts';
import type { VerificationFinding } from '../../src/domain/order/verification.ts';
import type { Database } from '../../src/storage/database.ts';
import type { DueBefore, Oddity } from '../../src/storage/orders/table-checks.ts';
import { verificationStore } from '../../src/storage/orders/verification.ts';
import { Client, DEMO, describeGateway, type ReplyBody, type TestGateway } from '../harness.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';
import { liveThroughEverything } from './whole-life.ts';

const CHANGING_PLACES = [
  [2, 900],
  [1, 2],
  [900, 1],
].map(([from, to]) => `update audit_log set seq = ${to} where seq = ${from}`);

const SHORT = { acquirerTimeoutMs: 300, leaseMs: 1_000, holdMs: 200 };

/** What an administrator asks of this gateway, and what verification finds there. */
function verificationOf(gateway: TestGateway, leaseMs: number) {
  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const options = { mode: 'sandbox', clock: gateway.clock, leaseMs, changed: async () => {} } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
  async function verify(given: Given = {}) {
    const findings: VerificationFinding[] = [];
    const checked: Record<string, number> = {};
    for (let from: string | null = 'orders:0:0'; from !== null; ) {
      const part: Awaited<ReturnType<typeof ask<'verifyPart'>>> = await ask('verifyPart', { ...given, from });
      findings.push(...part.findings);
      checked[part.checked.what] = (checked[part.checked.what] ?? 0) + part.checked.count;
      from = part.next;
    }
    return { findings, checked };
  }
  const lines = async (given: Given = {}) =>
    (await verify(given)).findings.map(({ place, cause }) => `${place}: ${cause}`);
  return { ask, verify, lines };
}

describeGateway('a verified gateway', SHORT, (gateway) => {
  const { ask, verify, lines } = verificationOf(gateway, SHORT.leaseMs);
  let captured: ReplyBody;

  beforeAll(async () => {
    captured = await liveThroughEverything(gateway);
    await ask('setMerchant', { login: 'demo', name: 'Demo' });
    await ask('setMerchant', { login: 'demo', name: 'Demo again' });
    await ask('setMerchant', { login: 'demo', name: 'Demo' });
  });

  it('finds nothing after a life with everything in it', async () => {
    const { findings, checked } = await verify();
    expect(findings).toEqual([]);
    const [row] = await gateway.query('select count(*)::int as orders from orders');
    expect(checked).toMatchObject({ orders: row?.orders, merchants: 1, 'audit entries': 3 });
    expect(row?.orders).toBeGreaterThan(15);
  });

  /** Something done behind the gateway's back, what is found of it, and how it is undone. */
  const sabotage: [string, (orderId: string) => { doing: string[]; undoing: string[]; found: RegExp[] }][] = [
    [
      'a ledger entry of another amount',
      (id) => ({
        doing: [`update ledger_entries set amount = amount + 1 where order_id = ${id} and seq = 2 and line = 2`],
        undoing: [`update ledger_entries set amount = amount - 1 where order_id = ${id} and seq = 2 and line = 2`],
        found: [
          /^order \d+ transaction 2: has ledger entries that are off by 1 USD$/,
          /^order \d+: ledger entry 2\.2 is 4001 USD on merchant, its events say 4000 USD on merchant$/,
          /^merchant 1: account merchant says \d+ USD, its entries \d+$/,
          /^merchant 1: the ledger is off by 1 USD$/,
        ],
      }),
    ],
    [
      'a balance of another amount',
      () => ({
        doing: [`update accounts set balance = balance + 5 where account = 'merchant' and currency = 'USD'`],
        undoing: [`update accounts set balance = balance - 5 where account = 'merchant' and currency = 'USD'`],
        found: [/^merchant 1: account merchant says \d+ USD, its entries \d+$/],
      }),
    ],
    [
      'another outcome',
      (id) => ({
        doing: [`update transactions set stage = 'declined' where order_id = ${id} and seq = 2`],
        undoing: [`update transactions set stage = 'approved' where order_id = ${id} and seq = 2`],
        found: [
          /^order \d+: says 4000 captured, its approved transactions 0$/,
          /^order \d+: transaction 2: stage is declined, its events say approved$/,
        ],
      }),
    ],
    [
      'a sum that is not what its transactions say',
      (id) => ({
        doing: [`update orders set captured = captured - 1 where order_id = ${id}`],
        undoing: [`update orders set captured = captured + 1 where order_id = ${id}`],
        found: [
          /^order \d+: says 3999 captured, its approved transactions 4000$/,
          /^order \d+: captured is 3999, its events say 4000$/,
        ],
      }),
    ],
    [
      'an event that is gone',
      (id) => ({
        doing: [
          `create table kept_events as select * from order_events where order_id = ${id} and version = 2`,
          `delete from order_events where order_id = ${id} and version = 2`,
        ],
        undoing: ['insert into order_events select * from kept_events', 'drop table kept_events'],
        found: [/^order \d+: is at version \d+ and has the events 1, 3, 4/],
      }),
    ],
    [
      'an end with something left to do',
      (id) => ({
        doing: [`update transactions set due_at = '2039-01-01' where order_id = ${id} and seq = 2`],
        undoing: [`update transactions set due_at = null where order_id = ${id} and seq = 2`],
        found: [/^order \d+ transaction 2: is approved and still due$/],
      }),
    ],
    [
      'a transaction nobody will ever look at',
      (id) => ({
        doing: [`update transactions set stage = 'asking', due_at = null where order_id = ${id} and seq = 2`],
        undoing: [`update transactions set stage = 'approved' where order_id = ${id} and seq = 2`],
        found: [
          /^order \d+ transaction 2: is asking and never due$/,
          /^order \d+: says 4000 captured/,
          /^order \d+: transaction 2: stage is asking/,
        ],
      }),
    ],
    [
      'a security code that was kept',
      (id) => ({
        doing: [`update transactions set sealed_cvv = '\\x00' where order_id = ${id} and seq = 1`],
        undoing: [`update transactions set sealed_cvv = null where order_id = ${id} and seq = 1`],
        found: [/^order \d+ transaction 1: is final and still has its security code$/],
      }),
    ],
    [
      'a card under a key that is gone',
      () => ({
        doing: [`update cards set data_key_id = data_key_id + 900 where card_id = (select min(card_id) from cards)`],
        undoing: [`update cards set data_key_id = data_key_id - 900 where card_id = (select min(card_id) from cards)`],
        found: [/^card \d+: is sealed under data key \d+, which does not exist: it can never be opened$/],
      }),
    ],
    [
      'entries of an order that is not there',
      () => ({
        doing: [
          `insert into ledger_entries select merchant_id, 999999, 1, 1, 'merchant', 'USD', 1, now() from merchants limit 1`,
        ],
        undoing: ['delete from ledger_entries where order_id = 999999'],
        found: [
          /^merchant 1: account merchant says/,
          /^merchant 1: the ledger is off by 1 USD$/,
          /^order 999999: is not there, but has rows in ledger_entries$/,
        ],
      }),
    ],
    [
      'an id that will be given again',
      (id) => ({
        doing: [`update id_counter set next_id = ${id}`],
        undoing: ['update id_counter set next_id = 1000000'],
        found: [/^order \d+: has an id that the counter has yet to give; "tender start --first-id" moves/],
      }),
    ],
    [
      'an audit entry that was changed',
      () => ({
        doing: [`update audit_log set who = 'nobody' where seq = 2`],
        undoing: [`update audit_log set who = 'ann' where seq = 2`],
        found: [/^audit entry 2: entry 2 was changed/],
      }),
    ],
    [
      'an audit entry that was removed',
      () => ({
        doing: ['create table kept_audit as select * from audit_log', 'delete from audit_log where seq = 2'],
        undoing: ['insert into audit_log select * from kept_audit where seq = 2', 'drop table kept_audit'],
        found: [/^audit entry 3: entry 2 is missing$/],
      }),
    ],
    [
      'audit entries that changed places',
      () => ({
        doing: CHANGING_PLACES,
        undoing: CHANGING_PLACES,
        found: [
          /^audit entry 1: entry 1 was changed/,
          /^audit entry 2: entry 2 was changed/,
          /^audit entry 3: entry 3 does not follow/,
        ],
      }),
    ],
    [
      'an audit chain that was cut off',
      () => ({
        doing: ['create table kept_audit as select * from audit_log', 'delete from audit_log where seq = 3'],
        undoing: ['insert into audit_log select * from kept_audit where seq = 3', 'drop table kept_audit'],
        found: [/^audit entry 3: is the head of the chain, which ends with entry 2$/],
      }),
    ],
  ];

  it.each(sabotage)('finds %s', async (_, plan) => {
    const { doing, undoing, found } = plan(captured['paynet-order-id']);
    for (const statement of doing) await gateway.query(statement);
    const seen = await lines();
    for (const statement of undoing) await gateway.query(statement);
    expect(seen).toEqual(found.map((line) => expect.stringMatching(line)));
    expect(await lines()).toEqual([]);
  });

  it('finds a chain that was cut off together with its head by the head that was kept', async () => {
    const { head } = await ask('listAudit');
    expect(await lines({ auditHead: head })).toEqual([]);
    const [before] = await gateway.query('select seq, hash from audit_head');
    await gateway.query('create table kept_audit as select * from audit_log');
    await gateway.query('delete from audit_log where seq = 3');
    await gateway.query('update audit_head set seq = 2, hash = (select hash from audit_log where seq = 2)');
    expect(await lines()).toEqual([]);
    expect(await lines({ auditHead: head })).toEqual([
      'audit entry 3: was there when its hash was kept; the chain ends with entry 2',
    ]);
    await gateway.query('insert into audit_log select * from kept_audit where seq = 3');
    await gateway.query(
      `update audit_head set seq = 3, hash = '\\x${(before as { hash: Buffer }).hash.toString('hex')}'`,
    );
    await gateway.query('drop table kept_audit');
    expect(await lines({ auditHead: head })).toEqual([]);
  });

  it('reports work nobody does, and what waits for a person as just that', async () => {
    gateway.bank.faults.set({ messages: ['inquire', 'reverse'], refuseRate: 1 });
    await gateway.demo.sale({ cvv2: '217' });
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    const { findings } = await verify();
    expect(findings).toMatchObject([{ kind: 'waiting', cause: expect.stringMatching(/^waits for a person since 20/) }]);
    const [{ orderId, seq } = { orderId: 0, seq: 0 }] = await ask('listStuck');
    await ask('settleStuck', { orderId, seq, outcome: 'approved', note: 'by phone' });
    expect(await lines()).toEqual([]);
  });

  it('finds whatever else was due and nobody looked at', async () => {
    const [now, late] = [Date.now(), `now() - interval '1 hour'`];
    class Undone extends Error {}
    let found: string[] = [];
    // In a transaction that is given up, so that no worker sees what it would do at once.
    const looking = gateway.database.transaction(async (transaction) => {
      const change = (name: string, text: string) => transaction.query({ name: `test ${name}`, text });
      await change('authentications', `update authentications set due_at = ${late}, is_leased = false`);
      await change(
        'recurring',
        `update recurring_payments set state = 'active', interval_unit = 'day', interval_length = 1, anchor_at = now(), next_run_at = ${late}`,
      );
      await change(
        'callbacks',
        `insert into callbacks (merchant_id, order_id, seq, target, destination, state, attempts, tries, scheduled_at,
           due_at, created_at, changed_at)
         select merchant_id, order_id, seq, 'notify', 'shop.test:443', 'waiting', 0, 0, ${late}, ${late}, ${late}, ${late}
         from transactions limit 2`,
      );
      const { tables, tableChecks } = verificationStore(transaction as unknown as Database);
      const leftUndone = async (dueBefore: DueBefore | undefined) => {
        const oddities: Oddity[] = [];
        for (let index = 0; index < tableChecks; index++) oddities.push(...(await tables(index, dueBefore)));
        return oddities.map(({ place, cause }) => `${place}: ${cause}`);
      };
      expect(await leftUndone(undefined)).toEqual([]);
      expect(await leftUndone({ work: now - 7_200_000, callbacks: now - 7_200_000 })).toEqual([]);
      found = await leftUndone({ work: now, callbacks: now });
      await change(
        'one callback',
        `update callbacks set changed_at = now() + interval '1 day' where order_id = (select min(order_id) from callbacks)`,
      );
      expect(await leftUndone({ work: now - 7_200_000, callbacks: now })).toEqual([]);
      throw new Undone();
    });
    await expect(looking).rejects.toThrow(Undone);
    for (const line of [
      /^order \d+ transaction 1: its authentication was due at 20\S+Z: nobody works on it$/,
      /^recurring payment \d+: was due at 20\S+Z: nobody charges it$/,
      /^callbacks to shop.test:443: 2 were due, the first at 20\S+Z: nobody sends them$/,
    ])
      expect(found).toContainEqual(expect.stringMatching(line));
  });
});

describeGateway('a gateway with payments going on', {}, (gateway) => {
  it('is verified without hurry', async () => {
    const { lines } = verificationOf(gateway, LEASE_MS);
    const sales = Array.from({ length: 40 }, () => gateway.demo.sale());
    const seen = await Promise.all([lines(), lines(), lines()]);
    for (const { status } of await Promise.all(sales)) expect(status).toBe(200);
    expect(seen).toEqual([[], [], []]);
    await gateway.untilAllFinal();
    expect(await lines()).toEqual([]);
  });
});

describe('tender verify', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('answers by its exit code, on a running gateway and a stopped one', async () => {
    const data = join(await own.folder(), 'data');
    const gateway = own.keep(await startProcess(['--data', data]));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    await shop.saleUntilFinal();
    const run = (...args: string[]) => tender(['verify', ...args, '--data', data]);
    const running = await run();
    expect(running).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Checked 1 order, 1 merchant, \d+ tables/),
    });
    expect(running.stdout).toMatch(/Everything is as it must be\.\n$/);
    const kept = `1:${'ab'.repeat(32)}`;
    const cut = await run('--audit-head', kept, '--json');
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.stdout)).toMatchObject({ ok: false, violations: [{ place: 'audit entry 1' }] });
    await gateway.process.stop();
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run('--audit-head', 'nonsense')).toMatchObject({ code: 2 });
    expect(await run('--no-such-option')).toMatchObject({ code: 2 });
    expect(await tender(['verify', '--data', join(data, 'nowhere')])).toMatchObject({ code: 2 });
  });
});
