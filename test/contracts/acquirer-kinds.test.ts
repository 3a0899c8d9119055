// What the simulated bank does with every kind of instruction besides the plain sale: its own sums, its own refusals.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FollowUpInstruction, Instruction } from '../../src/acquirers/acquirer.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Authentication } from '../../src/domain/three-d-secure/authentication.ts';
import {
  CARD,
  charge,
  followUp,
  HOLD_MS,
  newReference,
  OTHER_CARD,
  preauth,
  push,
  question,
  StoppedClock,
  type Subject,
  sale,
  toAccount,
  toCard,
  variants,
} from './acquirer-banks.ts';

const PREPAID = '5105105105105100';
const AMEX = '378282246310005';
const SLOW = '4012888888881881';
const UNTOLD = '4000060000000006';
const IBAN = 'DE89370400440532013000';

const approved = { word: 'approved' };
const declined = (code: string) => ({ word: 'declined', code });

describe.each(variants)('the simulated bank $name', (variant) => {
  let folder: string;
  let clock: StoppedClock;
  let subject: Subject;

  const send = (instruction: Instruction) => subject.acquirer.send(instruction);
  const inquire = (reference: string) => subject.acquirer.inquire(reference);
  const reverse = ({ reference }: Instruction) => subject.acquirer.reverse(reference);
  const outcomeOf = async (instruction: Instruction) =>
    (await subject.books())
      .filter(({ reference }) => reference === instruction.reference)
      .map(({ outcome }) => outcome);

  /** Sends it and expects it to be approved. */
  async function done<T extends Instruction>(instruction: T): Promise<T> {
    expect(await send(instruction)).toMatchObject(approved);
    return instruction;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-bank-'));
    clock = new StoppedClock();
    subject = await variant.open(clock, folder);
  });
  afterEach(async () => {
    await subject.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(['sale', 'preauth', 'pull', 'verification'] as const)('a %s', (kind) => {
    it.each([
      ['123', approved],
      ['116', declined('116')],
      ['217', { word: 'unknown' }],
      ['999', declined('100')],
    ])('is judged by its security code: %s', async (cvv, answer) => {
      expect(await send(charge(kind, { cvv }))).toMatchObject(answer);
    });

    it('is never told of to one card: not when it is asked for, and not when it is to be taken back', async () => {
      const untold = charge(kind, { number: UNTOLD });
      expect(await send(untold)).toMatchObject({ word: 'unknown' });
      clock.advance(HOLD_MS);
      if (variant.keepsBooks) {
        await subject.close();
        subject = await variant.open(clock, folder);
      }
      expect(await inquire(untold.reference)).toEqual({ word: 'pending' });
      expect(await reverse(untold)).toMatchObject({ word: 'unknown' });
      expect(await outcomeOf(untold)).toEqual(['approved']);
      expect(await send(charge(kind, { number: UNTOLD, cvv: '116' }))).toMatchObject(declined('116'));
    });
  });

  describe('a charge whose payer was asked by 3-D Secure', () => {
    const proof = {
      cavv: new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA='),
      dsTransactionId: '4e4bd7ba-1b52-4b25-a1d4-d9b5e9d5d6f1',
    };
    const legacy = { version: '1.0.2', status: 'Y', eci: '02', cavv: proof.cavv, xid: proof.cavv.reveal() } as const;

    it.each<[string, Authentication, object]>([
      ['authenticated', { version: '2.2.0', status: 'Y', eci: '05', ...proof }, approved],
      ['attempted', { version: '2.1.0', status: 'A', eci: '06', ...proof }, approved],
      ['by version 1', legacy, approved],
      ['without the proof', { version: '2.2.0', status: 'Y', eci: '05' }, declined('100')],
      ['unavailable', { version: '2.2.0', status: 'U', eci: '07' }, declined('100')],
    ])('is judged by how that went where its security code asks for it: %s', async (_, authentication, answer) => {
      const instruction = { ...charge('sale', { cvv: '321' }), authentication };
      expect(await send(instruction)).toMatchObject(answer);
      const [entry] = await subject.books();
      expect(entry?.eci).toBe(authentication.eci);
    });

    it('is declined where its security code asks for it and the payer was not', async () => {
      const instruction = charge('sale', { cvv: '321' });
      expect(await send(instruction)).toMatchObject(declined('100'));
      expect((await subject.books())[0]).not.toHaveProperty('eci');
    });
  });

  describe.each(['sale', 'preauth', 'pull'] as const)('a %s without a security code', (kind) => {
    it.each([
      [1_042n, approved],
      [5_101n, declined('101')],
      [5_217n, { word: 'unknown' }],
      [0n, declined('110')],
    ])('is judged by its amount: %s', async (minor, answer) => {
      expect(await send(charge(kind, { cvv: undefined, minor }))).toMatchObject(answer);
    });
  });

  it('a verification moves no money, so it has no amount and cannot be captured', async () => {
    expect(await send(charge('verification', { minor: 100n }))).toMatchObject(declined('110'));
    const verification = await done(charge('verification', { cvv: undefined }));
    expect(await send(followUp('capture', verification, 1n))).toMatchObject(declined('902'));
    expect(await subject.clear()).toMatchObject({ lines: 0 });
  });

  describe('captures and cancels', () => {
    it('an approved capture carries numbers of its own and names its original in the books', async () => {
      const hold = await done(preauth());
      const capture = followUp('capture', hold, 1042n);
      expect(await send(capture)).toEqual({
        word: 'approved',
        approvalCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
        rrn: expect.stringMatching(/^\d{12}$/),
        processorTxId: expect.stringMatching(/^PNTEST-\d+$/),
        terminalId: 'TENDER01',
      });
      expect((await subject.books())[1]).toMatchObject({
        reference: capture.reference,
        kind: 'capture',
        original: hold.reference,
        amount: capture.amount,
        outcome: 'approved',
      });
    });

    it.each<[string, [FollowUpInstruction['kind'], bigint][], (typeof approved | ReturnType<typeof declined>)[]]>([
      [
        'parts up to the hold',
        [
          ['capture', 1000n],
          ['capture', 42n],
        ],
        [approved, approved],
      ],
      ['more than the hold', [['capture', 1043n]], [declined('110')]],
      [
        'a second part beyond the hold',
        [
          ['capture', 1000n],
          ['capture', 43n],
        ],
        [approved, declined('110')],
      ],
      [
        'a part, and the rest cancelled',
        [
          ['capture', 1000n],
          ['cancel', 42n],
        ],
        [approved, approved],
      ],
      [
        'cancelled, then captured',
        [
          ['cancel', 1042n],
          ['capture', 1n],
        ],
        [approved, declined('110')],
      ],
      ['more cancelled than held', [['cancel', 1043n]], [declined('110')]],
      [
        'a refusal uses up nothing',
        [
          ['capture', 2000n],
          ['capture', 1042n],
        ],
        [declined('110'), approved],
      ],
      [
        'nothing at all',
        [
          ['capture', 0n],
          ['cancel', 0n],
        ],
        [declined('110'), declined('110')],
      ],
      [
        'a hold of declined digits',
        [
          ['capture', 116n],
          ['cancel', 101n],
        ],
        [approved, approved],
      ],
      ['a void of the hold itself', [['void', 1042n]], [declined('902')]],
      ['a refund before any capture', [['refund', 1n]], [declined('110')]],
    ])('%s', async (_title, steps, answers) => {
      const hold = await done(preauth());
      for (const [index, [kind, minor]] of steps.entries()) {
        expect(await send(followUp(kind, hold, minor))).toMatchObject(answers[index]!);
      }
    });

    it('fifty captures at once take no more than is held', async () => {
      const hold = await done(preauth());
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(followUp('capture', hold, 100n))));
      expect(answers.filter(({ word }) => word === 'approved')).toHaveLength(10);
      expect(answers.filter(({ word }) => word === 'declined')).toHaveLength(40);
    });
  });

  describe.each(['capture', 'cancel', 'void', 'refund'] as const)('a %s', (kind) => {
    /** The instruction such a follow-up would go on with. */
    const original = () => (kind === 'capture' || kind === 'cancel' ? preauth() : sale());

    it('of something never seen is declined', async () => {
      expect(await send(followUp(kind, original(), 1042n))).toMatchObject(declined('914'));
    });

    it.each([
      ['declined', '116'],
      ['in doubt', '217'],
    ])('of something %s is declined', async (_title, cvv) => {
      const first = { ...original(), card: sale({ cvv }).card };
      await send(first);
      expect(await send(followUp(kind, first, 1042n))).toMatchObject(declined('902'));
    });

    it('of something reversed is declined', async () => {
      const first = await done(original());
      await reverse(first);
      expect(await send(followUp(kind, first, 1042n))).toMatchObject(declined('902'));
    });

    it('in another currency is declined', async () => {
      const first = await done(original());
      const answer = await send(followUp(kind, first, 1042n, { currency: 'EUR' }));
      expect(answer).toMatchObject(declined(kind === 'void' ? '902' : '110'));
    });

    it('of the wrong kind of original is declined', async () => {
      const first = await done(charge('pull'));
      expect(await send(followUp(kind, first, 1042n))).toMatchObject(declined('902'));
    });

    it('repeated gets the same answer and counts once', async () => {
      const first = await done(original());
      const again = await done(followUp(kind, first, 1042n));
      const answers = await Promise.all([send(again), send(again), inquire(again.reference)]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject(approved);
      expect(await outcomeOf(again)).toEqual(['approved']);
    });

    it.each<[string, (instruction: FollowUpInstruction) => Instruction]>([
      ['amount', (it) => ({ ...it, amount: { minor: 1n, currency: 'USD' } })],
      ['original', (it) => ({ ...it, original: '1-1' })],
      ['kind', (it) => ({ ...it, kind: it.kind === 'refund' ? 'void' : 'refund' })],
      ['nature', ({ reference }) => sale({ reference })],
    ])('repeated with another %s is refused and changes nothing', async (_title, change) => {
      const first = await done(original());
      const instruction = await done(followUp(kind, first, 1042n));
      const before = await subject.books();
      expect(await send(change(instruction))).toEqual(declined('913'));
      expect(await subject.books()).toEqual(before);
    });

    it('in doubt counts at once, is approved later, and no longer counts when it is reversed', async () => {
      const first = await done({ ...original(), amount: { minor: 5_217n, currency: 'USD' } });
      const doubtful = followUp(kind, first, 5_217n);
      expect(await send(doubtful)).toMatchObject({ word: 'unknown' });
      expect(await inquire(doubtful.reference)).toEqual({ word: 'pending' });
      expect(await send(followUp(kind, first, 5_217n))).toMatchObject({ word: 'declined' });
      await clock.advance(HOLD_MS);
      expect(await inquire(doubtful.reference)).toMatchObject(approved);
      expect(await reverse(doubtful)).toEqual({ word: 'reversed' });
      expect(await inquire(doubtful.reference)).toMatchObject(declined('914'));
      expect(await send(followUp(kind, first, 5_217n))).toMatchObject({ word: 'unknown' });
    });

    it('that was reversed before it arrived is kept out', async () => {
      const first = await done(original());
      const late = followUp(kind, first, 1042n);
      expect(await reverse(late)).toEqual({ word: 'not-found' });
      expect(await send(late)).toEqual(declined('914'));
      await done(followUp(kind, first, 1042n));
    });
  });

  describe('voids', () => {
    it('a sale is voided whole, once, and then not refunded', async () => {
      const first = await done(sale());
      expect(await send(followUp('void', first, 1041n))).toMatchObject(declined('902'));
      await done(followUp('void', first, 1042n));
      expect(await send(followUp('void', first, 1042n))).toMatchObject(declined('902'));
      expect(await send(followUp('refund', first, 1n))).toMatchObject(declined('110'));
    });

    it('a refunded sale is not voided until the refund is taken back', async () => {
      const first = await done(sale());
      const refund = await done(followUp('refund', first, 1n));
      expect(await send(followUp('void', first, 1042n))).toMatchObject(declined('902'));
      await reverse(refund);
      await done(followUp('void', first, 1042n));
    });

    it('a voided capture gives nothing back to the hold and takes nothing from the other captures', async () => {
      const hold = await done(preauth());
      const [one] = [await done(followUp('capture', hold, 500n)), await done(followUp('capture', hold, 300n))];
      await done(followUp('void', one, 500n));
      expect(await send(followUp('capture', hold, 243n))).toMatchObject(declined('110'));
      expect(await send(followUp('refund', hold, 301n))).toMatchObject(declined('110'));
      await done(followUp('refund', hold, 300n));
      await done(followUp('capture', hold, 242n));
    });

    it('a capture that a refund of the preauth needs is not voided', async () => {
      const hold = await done(preauth());
      const one = await done(followUp('capture', hold, 500n));
      const other = await done(followUp('capture', hold, 400n));
      await done(followUp('refund', hold, 450n));
      expect(await send(followUp('void', other, 400n))).toMatchObject(approved);
      expect(await send(followUp('void', one, 500n))).toMatchObject(declined('902'));
    });
  });

  describe('refunds', () => {
    it.each<[string, bigint[], (typeof approved | ReturnType<typeof declined>)[]]>([
      ['whole', [1042n], [approved]],
      ['in parts', [1000n, 42n], [approved, approved]],
      ['more than was sold', [1043n], [declined('110')]],
      ['parts beyond what was sold', [1000n, 43n, 42n], [approved, declined('110'), approved]],
      ['whatever the digits', [116n, 101n, 209n], [approved, approved, approved]],
    ])('of a sale: %s', async (_title, amounts, answers) => {
      const first = await done(sale());
      for (const [index, minor] of amounts.entries()) {
        expect(await send(followUp('refund', first, minor))).toMatchObject(answers[index]!);
      }
    });

    it('name the preauth for all its captures, or one capture', async () => {
      const hold = await done(preauth());
      const one = await done(followUp('capture', hold, 600n));
      const other = await done(followUp('capture', hold, 300n));
      await done(followUp('refund', one, 500n));
      expect(await send(followUp('refund', one, 101n))).toMatchObject(declined('110'));
      expect(await send(followUp('refund', hold, 401n))).toMatchObject(declined('110'));
      await done(followUp('refund', hold, 350n));
      expect(await send(followUp('refund', other, 51n))).toMatchObject(declined('110'));
      await done(followUp('refund', other, 50n));
      expect(await send(followUp('refund', hold, 1n))).toMatchObject(declined('110'));
    });

    it('of a capture in doubt must wait for it', async () => {
      const hold = await done(preauth());
      const capture = followUp('capture', hold, 217n);
      expect(await send(capture)).toMatchObject({ word: 'unknown' });
      expect(await send(followUp('refund', hold, 1n))).toMatchObject(declined('110'));
      await clock.advance(HOLD_MS);
      await done(followUp('refund', hold, 1n));
    });
  });

  describe('a reversal', () => {
    it('of a capture or a cancel gives the hold back', async () => {
      const hold = await done(preauth());
      const capture = await done(followUp('capture', hold, 1000n));
      const cancel = await done(followUp('cancel', hold, 42n));
      expect(await reverse(capture)).toEqual({ word: 'reversed' });
      expect(await reverse(capture)).toEqual({ word: 'reversed' });
      expect(await reverse(cancel)).toEqual({ word: 'reversed' });
      expect(await send(followUp('refund', hold, 1n))).toMatchObject(declined('110'));
      await done(followUp('capture', hold, 1042n));
    });

    it('of a void makes the sale stand again, of a refund lets it be refunded again', async () => {
      const first = await done(sale());
      await reverse(await done(followUp('void', first, 1042n)));
      await reverse(await done(followUp('refund', first, 1042n)));
      await done(followUp('refund', first, 1042n));
    });

    it.each(['verification', 'pull'] as const)('of a %s takes it back', async (kind) => {
      const first = await done(charge(kind));
      expect(await reverse(first)).toEqual({ word: 'reversed' });
      expect(await outcomeOf(first)).toEqual(['reversed']);
    });

    it('of something that later instructions stand on is refused until they are taken back', async () => {
      const hold = await done(preauth());
      const capture = await done(followUp('capture', hold, 500n));
      const refund = await done(followUp('refund', hold, 400n));
      const refused = { word: 'unknown', reason: expect.stringContaining('later instructions') };
      expect(await reverse(hold)).toEqual(refused);
      expect(await reverse(capture)).toEqual(refused);
      for (const instruction of [refund, capture, hold]) {
        expect(await reverse(instruction)).toEqual({ word: 'reversed' });
      }
    });
  });

  describe('a push', () => {
    it.each([
      ['a card', toCard(CARD), 1_042n, approved],
      ['an account', toAccount(IBAN), 1_042n, approved],
      ['an amount that ends with 116', toCard(CARD), 5_116n, declined('116')],
      ['an amount that ends with 217', toAccount(IBAN), 5_217n, { word: 'unknown' }],
      ['nothing', toCard(CARD), 0n, declined('110')],
      ['a card with a wrong check digit', toCard('4111111111111112'), 1_042n, declined('111')],
      ['something that is no card number', toCard('4111'), 1_042n, declined('111')],
      ['a prepaid card', toCard(PREPAID), 1_042n, declined('111')],
      ['a card that cannot receive', toCard(AMEX), 1_042n, declined('111')],
      ['an account of zeros', toAccount('0000000000'), 1_042n, declined('111')],
    ])('of %s', async (_title, to, minor, answer) => {
      const instruction = push(to, minor);
      expect(await send(instruction)).toMatchObject(answer);
      if (answer === approved) expect(await outcomeOf(instruction)).toEqual(['approved']);
    });

    it('to somebody else under the same reference is refused', async () => {
      const first = await done(push(toCard(CARD)));
      for (const to of [toCard(OTHER_CARD), toAccount(IBAN)]) {
        expect(await send(push(to, 1042n, first.reference))).toEqual(declined('913'));
      }
    });

    it('can be reversed, and is neither voided nor refunded', async () => {
      const first = await done(push(toCard(CARD)));
      expect(await send(followUp('void', first, 1042n))).toMatchObject(declined('902'));
      expect(await send(followUp('refund', first, 1042n))).toMatchObject(declined('902'));
      expect(await reverse(first)).toEqual({ word: 'reversed' });
    });
  });

  describe('an eligibility question', () => {
    it('is answered for each card asked about', async () => {
      const asked = question({ sending: CARD, receiving: OTHER_CARD });
      const answer = await send(asked);
      expect(answer).toMatchObject({
        word: 'approved',
        eligibility: {
          sending: { eligible: true, network: 'VISA', product: 'CREDIT', country: 'USA', issuer: 'Tender Test Bank' },
          receiving: { eligible: true, network: 'MASTERCARD', product: 'CREDIT', country: 'GBR' },
        },
      });
      expect(await inquire(asked.reference)).toEqual(answer);
      expect(await send(asked)).toEqual(answer);
    });

    it.each([
      ['sending', PREPAID, false],
      ['receiving', PREPAID, false],
      ['sending', AMEX, true],
      ['receiving', AMEX, false],
    ] as const)('%s %s: %s', async (side, number, eligible) => {
      const answer = await send(question({ [side]: number }));
      expect(answer).toMatchObject({ word: 'approved', eligibility: { [side]: { eligible } } });
      expect(Object.keys((answer as { eligibility: object }).eligibility)).toEqual([side]);
    });

    it('about no card number is declined, about a slow card is in doubt first', async () => {
      expect(await send(question({ sending: '4111111111111112' }))).toMatchObject(declined('111'));
      expect(await send(question({}))).toMatchObject(declined('902'));
      const slow = question({ receiving: SLOW });
      expect(await send(slow)).toMatchObject({ word: 'unknown' });
      await clock.advance(HOLD_MS);
      expect(await inquire(slow.reference)).toMatchObject({ eligibility: { receiving: { country: 'CAN' } } });
    });
  });

  if (variant.keepsBooks) {
    it('the books hold no whole card or account number, however short', async () => {
      await send(push(toCard(CARD)));
      await send(push(toCard('41111')));
      await send(push(toAccount(IBAN)));
      await send(push(toAccount('98765')));
      await send(question({ sending: CARD, receiving: OTHER_CARD }));
      const text = await readFile(join(folder, 'bank-books.jsonl'), 'utf8');
      for (const secret of [CARD, OTHER_CARD, IBAN, '41111"', '98765', 'ANNA']) expect(text).not.toContain(secret);
      expect(text).toContain('"to":{"accountEnd":"3000"}');
    });

    it('books that hold only sales, as the first ones did, still open', async () => {
      await subject.close();
      const taken = (reference: string, verdict: string) =>
        `{"event":"taken","kind":"sale","reference":"${reference}","card":{"firstSix":"411111","lastFour":"1111"},` +
        `"verdict":${verdict},"arrivedAt":1749999990000,"minor":"1042","currency":"USD","rrn":"414213562373",` +
        '"approvalCode":"0C3UD3"}';
      const lines = [
        taken('1-1', '{"word":"approve"}'),
        taken('2-1', '{"word":"decline","code":"116"}'),
        taken('3-1', '{"word":"hold"}'),
        '{"event":"reversed","reference":"3-1","at":1749999990001}',
        '{"event":"barred","reference":"4-1","at":1749999990002}',
      ];
      await writeFile(join(folder, 'bank-books.jsonl'), `${lines.join('\n')}\n`);
      subject = await variant.open(clock, folder);
      expect((await subject.books()).map(({ outcome }) => outcome)).toEqual(['approved', 'declined', 'reversed']);
      expect(await send(sale({ reference: '4-1' }))).toEqual(declined('914'));
      await done(followUp('void', { reference: '1-1' }, 1042n));
    });
  }

  it('nothing is known of a follow-up that was never sent', async () => {
    expect(await inquire(newReference())).toEqual({ word: 'not-found' });
  });
});
