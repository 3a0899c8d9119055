// A service that has another one as its bank. First the connector against a whole service: all that it offers. Then two
// whole services in a chain, with every fault of the bank behind the second.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Acquirer, Circumstances, Instruction } from '../../src/acquirers/acquirer.ts';
import type { ScriptStep } from '../../src/acquirers/simulator/fault-script.ts';
import { upstream } from '../../src/acquirers/upstream/upstream.ts';
import { Secret } from '../../src/domain/secret.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import {
  charge,
  followUp,
  newReference,
  OTHER_CARD,
  preauth,
  push,
  sale,
  toAccount,
  toCard,
} from '../contracts/acquirer-banks.ts';
import {
  CARD,
  type Client,
  DEMO,
  describeGateway,
  kindsOfThisFile,
  newOrderId,
  type ReplyBody,
  TestGateway,
  until,
} from '../harness.ts';
import { testKeys } from '../test-keys.ts';
import { REQUIRED } from './authenticating.ts';
import { ChainBridge } from './chain-bridge.ts';
import { Payer, passChallenge } from './payer.ts';

const IBAN = 'DE89370400440532013000';

const site = {
  ...{ merchantNumber: '', terminalNumber: undefined, category: '', country: '', acquirerNumber: '' },
  descriptor: 'Chain',
};
const BROWSER = {
  browserAcceptHeader: 'text/html',
  browserColorDepth: '24',
  browserJavaEnabled: 'false',
  browserJavascriptEnabled: 'true',
  browserLanguage: 'en-GB',
  browserScreenHeight: '900',
  browserScreenWidth: '1440',
  browserTimeZone: '-120',
  browserUserAgent: 'Mozilla/5.0 (a payer of the tests)',
};

function around(changes: Partial<Circumstances> = {}): Circumstances {
  const payer = { email: 'ann@example.com', firstName: 'Ann', ipAddress: '203.0.113.7', browser: BROWSER };
  return { site, trace: { number: 1, at: Date.now() }, payer, ...changes };
}

function following(original: Instruction & { readonly amount: unknown }, processorTxId?: string): Circumstances {
  const { reference, kind, amount } = original as Extract<Instruction, { kind: 'sale' }>;
  return around({ origin: { reference, kind, amount, trace: { number: 1, at: 0 }, processorTxId } });
}

type Account = { readonly client: Pick<Client, 'login' | 'key'>; readonly id: number };

function connect(far: TestGateway, { client, id }: Account, changes: Record<string, unknown> = {}): Acquirer {
  const { noticeUrl = 'https://us.example/notices', ...given } = changes;
  const settings = {
    baseUrl: `${far.origin}/paynet`,
    endpointId: id,
    login: client.login,
    controlKey: new Secret(client.key),
    privateKey: new Secret(testKeys(client.login === DEMO.login ? 'demo' : 'merchants').privateKey),
    strictSigning: false,
    answerMs: 30_000,
    statusMs: 10_000,
    ...given,
  };
  return upstream.open(settings as never, { clock: far.clock, terminal: 'far', noticeUrl: String(noticeUrl) });
}

describeGateway('the connector to another service', {}, (far) => {
  let account: Account;
  let acquirer: Acquirer;
  const opened: Acquirer[] = [];

  beforeAll(async () => {
    account = await far.newMerchant();
    acquirer = connect(far, account);
    opened.push(acquirer);
  });
  afterAll(async () => {
    await far.untilAllFinal();
    expect(await far.discrepancies()).toEqual([]);
    for (const one of opened) await one.close();
  });

  const open = (changes: Record<string, unknown>, of: Account = account) => {
    const one = connect(far, of, changes);
    opened.push(one);
    return one;
  };
  const send = (instruction: Instruction, circumstances = around()) => acquirer.send(instruction, circumstances);
  const asked = (instruction: Instruction, circumstances = around()) =>
    acquirer.inquire(instruction.reference, { instruction, around: circumstances, again: false });
  const reversed = (instruction: Instruction, circumstances = around()) =>
    acquirer.reverse(instruction.reference, { instruction, around: circumstances, again: false });

  async function approved(instruction: Instruction, circumstances = around()): Promise<string> {
    const answer = await send(instruction, circumstances);
    if (answer.word !== 'approved') throw new Error(JSON.stringify([answer, acquirer.traced?.().slice(-6)]));
    return answer.processorTxId;
  }

  /** What the far bank has in its books for an order, in words. */
  async function booked(orderId: string): Promise<string[]> {
    const entries = await far.bookedFor(orderId.split('/')[0] ?? '');
    return entries.map(({ kind, outcome, amount }) => `${kind} ${amount.minor} ${outcome}`);
  }

  it('works, and says so before any money is sent', async () => {
    expect(await acquirer.test()).toEqual([
      { what: 'login, control key and endpoint', works: true },
      { what: 'private key', works: true },
      { what: 'callbacks', works: true, detail: undefined },
    ]);
    const [line] = await open({ controlKey: new Secret('wrong') }).test();
    expect(line?.detail).toBe('the provider does not know this login with this control key');
    const [unknown] = await open({ endpointId: 999_999 }).test();
    expect(unknown?.detail).toBe('the provider has no endpoint 999999 of ours');
    const [, key] = await open({ privateKey: new Secret(testKeys('demo').privateKey) }).test();
    expect(key).toMatchObject({ works: false, detail: 'the provider does not know our public key' });
  });

  it('sells, and gives the bank’s words on', async () => {
    const payment = sale();
    const answer = await send(payment);
    expect(answer).toMatchObject({ word: 'approved', approvalCode: expect.stringMatching(/^\w{6}$/) });
    expect(await asked(payment)).toEqual(answer);
    expect(await booked((answer as { processorTxId: string }).processorTxId)).toEqual(['sale 1042 approved']);
  });

  it('is asked twice and sells once', async () => {
    const payment = sale();
    const first = await send(payment);
    expect(await send(payment)).toEqual(first);
    expect(await send({ ...payment, descriptor: 'Something else' })).toEqual(first);
    expect(await booked((first as { processorTxId: string }).processorTxId)).toHaveLength(1);
  });

  it.each([
    ['116', '116'],
    ['101', '101'],
    ['209', '209'],
    ['999', '100'],
  ])('declines by the code of the bank: cvv %s is %s', async (cvv, code) => {
    expect(await send(sale({ cvv }))).toMatchObject({ word: 'declined', code });
  });

  it('refuses what is wrong with the request, for certain', async () => {
    expect(await send(sale({ currency: 'EUR' }))).toEqual({ word: 'declined', code: '909' });
    const expired = sale();
    const card = { ...expired.card, expireYear: 2020 };
    expect(await send({ ...expired, card })).toEqual({ word: 'declined', code: '101' });
    expect(await open({ controlKey: new Secret('wrong') }).send(sale(), around())).toEqual({
      word: 'declined',
      code: '909',
    });
  });

  it('holds, captures parts, voids a capture, refunds and releases', async () => {
    const hold = preauth({ minor: 10_000n });
    const id = await approved(hold);
    const capture = followUp('capture', hold, 3_000n);
    const capturedAs = await approved(capture, following(hold, id));
    const second = followUp('capture', hold, 3_000n);
    await approved(second, following(hold, id));
    await approved(followUp('void', second, 3_000n), following(second, capturedAs));
    await approved(followUp('refund', hold, 1_000n), following(hold, id));
    await approved(followUp('cancel', hold, 4_000n), following(hold, id));
    expect((await booked(id)).sort()).toEqual([
      'cancel 4000 approved',
      'capture 3000 approved',
      'capture 3000 approved',
      'preauth 10000 approved',
      'refund 1000 approved',
      'void 3000 approved',
    ]);
    expect(await send(followUp('capture', hold, 4_000n), following(hold, id))).toEqual({
      word: 'declined',
      code: '110',
    });
  });

  it('verifies a card, and pays out to cards and accounts with either key', async () => {
    expect(await send(charge('verification'))).toMatchObject({ word: 'approved' });
    await approved(sale({ minor: 50_000n }));
    await approved(push(toCard(CARD)));
    await approved(push(toAccount(IBAN)));
    const keyless = open({ privateKey: undefined });
    expect(await keyless.send(push(toCard(OTHER_CARD)), around())).toMatchObject({ word: 'approved' });
    expect(await send(push(toCard(CARD), 9_999_999n))).toEqual({ word: 'declined', code: '116' });
  });

  it('charges a stored card without its code, and holds money on it', async () => {
    const stored = (kind: 'sale' | 'preauth' | 'pull') =>
      ({ ...charge(kind, { cvv: undefined }), initiator: 'merchant' }) as const;
    const payment = stored('sale');
    const id = await approved(payment);
    await approved(followUp('refund', payment, 42n), following(payment, id));
    const hold = stored('preauth');
    await approved(followUp('capture', hold, 1042n), following(hold, await approved(hold)));
    await approved(stored('pull'));
    expect(await send({ ...charge('sale', { cvv: undefined, minor: 1116n }), initiator: 'merchant' })).toMatchObject({
      word: 'declined',
      code: '116',
    });
  });

  it('tells which cards can send and receive', async () => {
    const card = (number: string) => ({ number: new Secret(number), holder: 'ANN', expireMonth: 12, expireYear: 2031 });
    const question = {
      kind: 'eligibility',
      reference: newReference(),
      sending: card(CARD),
      receiving: card(OTHER_CARD),
    };
    const answer = await send(question as Instruction);
    expect(answer).toMatchObject({ word: 'approved', eligibility: { sending: { eligible: true } } });
    expect(await asked(question as Instruction)).toEqual(answer);
  });

  it('signs every byte where the endpoint demands it', async () => {
    const strict = await far.newMerchant({ strictSigning: true });
    expect(await open({}, strict).send(sale(), around())).toEqual({ word: 'declined', code: '909' });
    const careful = open({ strictSigning: true }, strict);
    const payment = sale();
    const answer = await careful.send(payment, around());
    expect(answer).toMatchObject({ word: 'approved' });
    const { processorTxId } = answer as { processorTxId: string };
    const refund = followUp('refund', payment, 42n);
    expect(await careful.send(refund, following(payment, processorTxId))).toMatchObject({ word: 'approved' });
  });

  it('sends the payer to the far service’s own pages for 3-D Secure, and hears how it went', async () => {
    const demo = open({}, { client: DEMO as never, id: REQUIRED });
    const payment = sale({ currency: 'EUR', number: TEST_CARDS.challenge.number });
    const answer = await demo.send(payment, around({ returnUrl: 'https://us.example/back' }));
    expect(answer).toMatchObject({ word: 'challenge', url: expect.stringContaining('/paynet/3ds/') });
    const sent = { instruction: payment, around: around(), again: false };
    expect(await demo.inquire(payment.reference, sent)).toEqual(answer);
    const { url } = answer as { url: string };
    await passChallenge(new Payer(), { 'redirect-to': url }, 'hint');
    await expect.poll(() => demo.inquire(payment.reference, sent)).toMatchObject({ word: 'approved' });
  });

  it('is told of every end by callbacks, the follow-ups by their own reference', async () => {
    const shop = await far.shop(account.client.key);
    const listening = open({ noticeUrl: shop.url('/notices') });
    const payment = sale();
    const answer = await listening.send(payment, around());
    const refund = followUp('refund', payment, 42n);
    await listening.send(refund, following(payment, (answer as { processorTxId: string }).processorTxId));
    await until('both callbacks came', () => shop.told.length === 2);
    const readings = shop.told.map(({ fields, method }) =>
      listening.receive?.({ method, path: '', query: new URLSearchParams(fields), headers: {}, body: Buffer.alloc(0) }),
    );
    expect((await Promise.all(readings)).map((one) => [one?.status, one?.reference])).toEqual([
      [200, payment.reference],
      [200, refund.reference],
    ]);
    expect(new Set((await Promise.all(readings)).map((one) => one?.noticeId)).size).toBe(2);
  });

  it('takes back what was approved, by a void', async () => {
    for (const payment of [sale(), preauth(), charge('pull')]) {
      const id = await approved(payment);
      expect(await reversed(payment)).toEqual({ word: 'reversed' });
      expect(await reversed(payment)).toEqual({ word: 'reversed' });
      expect(await booked(id)).toHaveLength(2);
    }
  });

  it('bars what never came, so that it is refused when it comes', async () => {
    const hasty = open({ answerMs: 1_000 });
    for (const payment of [sale(), preauth(), push(toCard(CARD))]) {
      expect(await asked(payment)).toEqual({ word: 'not-found' });
      expect(await reversed(payment)).toEqual({ word: 'not-found' });
      expect(await reversed(payment)).toEqual({ word: 'not-found' });
      // An id that is barred looks like a payment that the provider still works on.
      const late = await hasty.send(payment, around());
      expect(['pending', 'unknown']).toContain(late.word);
    }
    const hold = preauth();
    const circumstances = following(hold, await approved(hold));
    const capture = followUp('capture', hold, 500n);
    expect(await reversed(capture, circumstances)).toEqual({ word: 'not-found' });
    expect(await send(capture, circumstances)).toEqual({ word: 'declined', code: '913' });
    expect(await asked(capture, circumstances)).toEqual({ word: 'declined', code: '913' });
    const made = followUp('capture', hold, 500n);
    await approved(made, circumstances);
    expect(await asked(made, circumstances)).toMatchObject({ word: 'approved' });
    expect(await reversed(made, circumstances)).toEqual({ word: 'reversed' });
    expect(await reversed(made, circumstances)).toEqual({ word: 'reversed' });
  });
});

/** What happens to the messages to the far bank, one by one. */
const SCRIPTS: readonly (readonly ScriptStep[])[] = [
  ['ok'],
  ['refuse'],
  ['lose-request'],
  ['lose-answer'],
  ['garble'],
  ['double'],
  ['late-request=2000'],
  ['late-answer=2000'],
  ['late-answer=60000'],
  ['late-request=60000'],
  ['lose-answer', 'garble', 'lose-answer'],
  ['lose-request', 'refuse', 'garble', 'lose-request'],
  ['garble', 'garble', 'refuse', 'lose-answer', 'garble', 'late-answer=60000'],
];

const STEP_MS = 2_000;

/** Holds move nothing, and neither does their release. */
const SIGNS: Readonly<Record<string, bigint>> = { sale: 1n, pull: 1n, push: 1n, capture: 1n, refund: -1n, void: -1n };

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`two services in a chain, on ${kind.name}`, () => {
    // What goes wrong at the far bank reaches no database; two of them show that each keeps what it heard.
    const scripts = kind.name === 'embedded' ? SCRIPTS : SCRIPTS.filter((script) => script.includes('lose-answer'));
    const far = new TestGateway(kind, {});
    const near = new TestGateway(kind, {});
    const bridge = new ChainBridge(() => acquirer, far.clock);
    let acquirer: Acquirer;

    beforeAll(async () => {
      await far.open();
      await near.open();
      acquirer = connect(far, await far.newMerchant(), { answerMs: 10_000, statusMs: 10_000 });
      await near.restart({ bankUrl: await bridge.open() });
    });
    afterAll(async () => {
      await near.close();
      await bridge.close();
      await acquirer.close();
      await far.close();
    });

    /**
     * Lets time pass at both alike until nothing is left to do; holds last longer. While nobody is at work it goes on
     * to what is due next, else step by step: whoever is at work waits for an answer that may be late.
     */
    async function untilBothEnded(): Promise<void> {
      const lookAt = async (one: TestGateway) => {
        const [row] = await one.query(`select count(*)::int as open, min(due_at) as due,
            count(*) filter (where lease_owner is not null)::int as busy
          from transactions where due_at is not null and stage <> 'approved'`);
        const { open, busy, due } = row as { open: number; busy: number; due: Date | null };
        const isIdle = open > 0 && busy === 0;
        return { isOver: open === 0, next: isIdle && due ? due.getTime() - one.clock.now() : undefined };
      };
      await until('both services have ended everything', async () => {
        const looked = [await lookAt(far), await lookAt(near)];
        if (looked.every(({ isOver }) => isOver)) return true;
        const waits = looked.flatMap(({ isOver, next }) => (isOver ? [] : [next ?? 0]));
        const step = Math.max(STEP_MS, Math.min(...waits));
        for (const one of [far, near]) one.clock.advance(step);
        return false;
      });
    }

    /** Money that the far bank has moved under an order of the near service, less what it gave back. */
    async function movedAt(clientOrderId: string): Promise<bigint> {
      const [row] = await far.query(
        `select order_id::text as id from orders where client_order_id = '${clientOrderId}'`,
      );
      const entries = row ? await far.bookedFor(String(row.id)) : [];
      const sums = entries
        .filter(({ outcome }) => outcome === 'approved')
        .map(({ kind: what, amount }) => (SIGNS[what] ?? 0n) * amount.minor);
      return sums.reduce((sum, one) => sum + one, 0n);
    }

    /** The far service has begun so many transactions of an order: it is the one whose bank misbehaves. */
    async function untilBegun(reference: string, transactions: number): Promise<void> {
      await until('the far service has begun it', async () => {
        const [row] = await far.query(
          `select count(*)::int as begun from transactions join orders using (merchant_id, order_id, shard)
           where client_order_id = '${reference}'`,
        );
        return Number(row?.begun) >= transactions;
      });
    }

    async function finalOf(order: ReplyBody): Promise<ReplyBody> {
      await untilBothEnded();
      return near.demo.untilFinal(order['merchant-order-id']);
    }

    it('a sale goes through both, and so do its follow-ups', async () => {
      const payment = await near.demo.saleUntilFinal();
      expect(payment).toMatchObject({ status: 'approved' });
      expect(payment['processor-tx-id']).toMatch(/^\d+$/);
      const back = await near.demo.followUpUntilFinal('return', payment, { amount: '5.00', currency: 'USD' });
      expect(back).toMatchObject({ status: 'approved', 'transaction-type': 'reversal' });
      const hold = await near.demo.preauthUntilFinal();
      const captured = await near.demo.followUpUntilFinal('capture', hold, { amount: '40.00', currency: 'USD' });
      expect(captured).toMatchObject({ status: 'approved', 'transaction-type': 'capture' });
      expect(await near.demo.followUpUntilFinal('void', hold)).toMatchObject({ status: 'approved' });
      expect(await near.demo.saleUntilFinal({ cvv2: '116' })).toMatchObject({
        status: 'declined',
        'error-code': '116',
      });
      const ended = async (path: string, fields: Record<string, string>) => {
        const { body } = await near.demo.oauth(path, { client_orderid: newOrderId(), currency: 'USD', ...fields });
        return near.demo.untilFinal(body['merchant-order-id']);
      };
      const payout = { amount: '2.00', credit_card_number: CARD };
      expect(await ended('/api/v4/payout', payout)).toMatchObject({ status: 'approved' });
      const source = { credit_card_number: CARD, expire_month: '12', expire_year: '2031', cvv2: '123' };
      const transfer = { amount: '3.00', 'destination-card-no': OTHER_CARD, ...source };
      expect(await ended('/api/v4/transfer', transfer)).toMatchObject({ status: 'approved' });
      expect(await ended('/api/v4/transfer', { ...transfer, cvv2: '116' })).toMatchObject({ status: 'declined' });
      await untilBothEnded();
      expect(await far.discrepancies()).toEqual([]);
    });

    it.each(scripts.map((script) => [script.join(', '), script] as const))(
      'money moves once or not at all when the far bank does: %s',
      async (_, script) => {
        far.bank.faults.set({ messages: ['instruct', 'inquire', 'reverse'], script: [...script] });
        const { body } = await near.demo.sale();
        const reference = await near.bankReference(body['paynet-order-id']);
        await untilBegun(reference, 1);
        const payment = await finalOf(body);
        far.bank.faults.set({ script: [] });
        expect(await movedAt(reference)).toBe(payment.status === 'approved' ? 1042n : 0n);
        expect(['approved', 'error']).toContain(payment.status);
        expect(await far.discrepancies()).toEqual([]);
      },
    );

    // What the far bank has moved if it is done, and if it is not.
    const followUps = [
      ['return', 'sale', '5.00', 542n, 1042n],
      ['void', 'sale', '10.42', 0n, 1042n],
      ['capture', 'preauth', '5.00', 500n, 0n],
    ] as const;

    it.each(followUps.flatMap((one) => scripts.map((script) => [...one, script.join(', '), script] as const)))(
      'a %s of a %s (%s) is done once or not at all, leaving %s or %s, when the far bank does: %s',
      async (kind, first, amount, done, undone, _, script) => {
        const accepted = await near.demo[first]();
        const payment = await near.demo.untilFinal(accepted.body['merchant-order-id']);
        const reference = await near.bankReference(payment['paynet-order-id']);
        far.bank.faults.set({ messages: ['instruct', 'inquire', 'reverse'], script: [...script] });
        const { body } = await near.demo.followUp(kind, payment, { amount, currency: 'USD' });
        await untilBegun(reference, 2);
        await untilBothEnded();
        far.bank.faults.set({ script: [] });
        const bySerial = body['serial-number'];
        const { status } = await near.demo.untilFinal(body['merchant-order-id'], { bySerial });
        expect(await movedAt(reference)).toBe(status === 'approved' ? done : undone);
        expect(await far.discrepancies()).toEqual([]);
      },
    );

    it.each(scripts.map((script) => [script.join(', '), script] as const))(
      'a payout is made once or not at all when the far bank does: %s',
      async (_, script) => {
        await near.demo.saleUntilFinal();
        far.bank.faults.set({ messages: ['instruct', 'inquire', 'reverse'], script: [...script] });
        const fields = { client_orderid: newOrderId(), amount: '5.00', currency: 'USD', credit_card_number: CARD };
        const { body } = await near.demo.oauth('/api/v4/payout', fields);
        const reference = await near.bankReference(body['paynet-order-id']);
        await untilBegun(reference, 1);
        const { status } = await finalOf(body);
        far.bank.faults.set({ script: [] });
        expect(await movedAt(reference)).toBe(status === 'approved' ? 500n : 0n);
        expect(await far.discrepancies()).toEqual([]);
      },
    );
  });
}
