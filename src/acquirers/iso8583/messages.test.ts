import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { CardDetails, ChargeInstruction, Circumstances, FollowUpInstruction, Origin } from '../acquirer.ts';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { ISO93_BINARY } from './iso93-binary.ts';
import { matchKey, messageFor, networkMessage, reversalOf } from './messages.ts';
import { packMessage } from './pack.ts';
import { retrievalNumberOf, stanOf, transmissionOf } from './trace-numbers.ts';

const AT = Date.UTC(2026, 10, 17, 15, 21, 41);
const EARLIER = Date.UTC(2026, 10, 16, 3, 4, 5);

const card: CardDetails = { number: new Secret('4111111111111111'), expireMonth: 3, expireYear: 2029 };
const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

const charge = (kind: ChargeInstruction['kind'], more: Partial<ChargeInstruction> = {}): ChargeInstruction => ({
  kind,
  reference: '7-1',
  amount: eur(1042n),
  card: { ...card, cvv: new Secret('123') },
  descriptor: 'Café Zürich',
  initiator: 'payer',
  ...more,
});

const later = (kind: FollowUpInstruction['kind'], minor: bigint): FollowUpInstruction => ({
  kind,
  reference: '7-2',
  original: '7-1',
  amount: eur(minor),
});

const originOf = (kind: Origin['kind']): Origin => ({
  reference: '7-1',
  kind,
  amount: eur(1042n),
  trace: { number: 41, at: EARLIER },
  approvalCode: 'A1B2C3',
  rrn: '632003000041',
});

const around = (more: Partial<Circumstances> = {}): Circumstances => ({
  site: {
    merchantNumber: 'M123',
    terminalNumber: 'T1',
    category: '5814',
    country: 'CH',
    acquirerNumber: '123456',
    descriptor: 'Tender',
  },
  trace: { number: 42, at: AT },
  payer: {},
  ...more,
});

describe('iso87-ascii', () => {
  it('says everything about a sale', () => {
    const authentication = {
      version: '2.2.0',
      status: 'Y',
      eci: '05',
      cavv: new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA='),
      dsTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    } as const;
    expect(messageFor(ISO87_ASCII, charge('sale', { authentication }), around())).toEqual({
      mti: '0200',
      fields: {
        2: '4111111111111111',
        3: '000000',
        4: '000000001042',
        7: '1117152141',
        11: '000042',
        12: '152141',
        13: '1117',
        14: '2903',
        18: '5814',
        19: '756',
        22: '810',
        25: '59',
        32: '123456',
        37: '632115000042',
        41: 'T1',
        42: 'M123',
        43: `${'Cafe Zurich'.padEnd(38)}CH`,
        48:
          '9203123' +
          '420205' +
          '4328AAABBEg0VhI0VniQEjRWAAAAAAA=' +
          '6636f25084f0-5b16-4c0a-ae5d-b24808a95e4b' +
          '67052.2.0',
        49: '978',
      },
    });
  });

  const push = { kind: 'push', reference: '9-1', amount: eur(500n) } as const;
  const toCard = { ...push, to: { card: { number: card.number } } };
  const toAccount = { ...push, to: { account: { number: new Secret('CH9300762011623852957') } } };

  it.each([
    ['preauth', charge('preauth'), '0100', '000000', '000000001042'],
    ['verification', charge('verification', { amount: eur(0n) }), '0100', '000000', '000000000000'],
    ['pull', charge('pull'), '0200', '100000', '000000001042'],
    ['push', toCard, '0200', '260000', '000000000500'],
  ] as const)('a %s has its type and processing code', (_, instruction, mti, processing, amount) => {
    const message = messageFor(ISO87_ASCII, instruction, around());
    expect(message).toMatchObject({ mti, fields: { 2: '4111111111111111', 3: processing, 4: amount } });
  });

  it('pays to an account instead of a card', () => {
    const { fields } = messageFor(ISO87_ASCII, toAccount, around());
    expect(fields[103]).toBe('CH9300762011623852957');
    expect(fields).not.toHaveProperty('2');
  });

  it('says when the merchant charges a stored card', () => {
    const stored = around({ stored: 'before', firstNetworkTransactionId: 'MCC123' });
    const { fields } = messageFor(ISO87_ASCII, charge('sale', { initiator: 'merchant', card }), stored);
    expect(fields).toMatchObject({ 22: '100', 25: '08', 48: '6306MCC123' });
  });

  const NAMED = (mti: string) => `${mti}000041111603040500000123456${'0'.repeat(11)}`;

  it.each([
    ['capture', 'preauth', '0220', '000000', NAMED('0100')],
    ['void', 'sale', '0400', '000000', NAMED('0200')],
    ['void', 'capture', '0400', '000000', NAMED('0220')],
    ['cancel', 'preauth', '0400', '000000', NAMED('0100')],
    ['refund', 'sale', '0200', '200000', NAMED('0200')],
  ] as const)('a %s names the %s it acts on', (kind, of, mti, processing, named) => {
    const message = messageFor(ISO87_ASCII, later(kind, 1042n), around({ card, origin: originOf(of) }));
    expect(message).toMatchObject({ mti, fields: { 2: '4111111111111111', 3: processing, 90: named } });
    expect(message.fields[90]).toHaveLength(42);
    expect(message.fields).not.toHaveProperty('95');
    expect(message.fields[37]).toBe(kind === 'refund' ? '632115000042' : '632003000041');
    expect(message.fields[38]).toBe(kind === 'refund' ? undefined : 'A1B2C3');
  });

  it('a partial cancel says what was held and what stays', () => {
    const { fields } = messageFor(ISO87_ASCII, later('cancel', 1000n), around({ card, origin: originOf('preauth') }));
    expect(fields).toMatchObject({ 4: '000000001042', 95: `000000000042${'0'.repeat(30)}` });
  });

  it('a partial capture and a partial refund say their own amount alone', () => {
    for (const kind of ['capture', 'refund'] as const) {
      const { fields } = messageFor(ISO87_ASCII, later(kind, 40n), around({ card, origin: originOf('preauth') }));
      expect(fields[4]).toBe('000000000040');
      expect(fields).not.toHaveProperty('95');
    }
  });

  it('needs the card for what follows', () => {
    const build = () => messageFor(ISO87_ASCII, later('capture', 1n), around({ origin: originOf('preauth') }));
    expect(build).toThrow('the card of the payment is needed for a capture');
  });

  describe('the advice that takes back', () => {
    const sent = { instruction: charge('sale', { card }), around: around(), again: false };

    it('is the same on every node, and a repeat differs in its type alone', () => {
      const first = reversalOf(ISO87_ASCII, sent);
      const named = `0200000042111715214100000123456${'0'.repeat(11)}`;
      expect(first).toMatchObject({ mti: '0420', fields: { 3: '000000', 7: '1117152141', 11: '000042', 90: named } });
      expect(first?.fields).not.toHaveProperty('48');
      expect(reversalOf(ISO87_ASCII, { ...sent, again: true })).toEqual({ ...first, mti: '0421' });
    });

    it('of a capture names the capture, not the hold', () => {
      const captured = { card, origin: originOf('preauth') };
      const message = reversalOf(ISO87_ASCII, {
        instruction: later('capture', 40n),
        around: around(captured),
        again: false,
      });
      expect(message?.fields[90]).toBe(`0220000042111715214100000123456${'0'.repeat(11)}`);
      expect(message?.fields[4]).toBe('000000000040');
    });

    it('is not sent for what was a reversal itself, nor for money paid out', () => {
      const voided = {
        instruction: later('void', 1042n),
        around: around({ card, origin: originOf('sale') }),
        again: true,
      };
      expect(reversalOf(ISO87_ASCII, voided)).toBeUndefined();
      expect(reversalOf(ISO87_ASCII, { instruction: toCard, around: around(), again: false })).toBeUndefined();
    });

    it('is sent for a reversal where the dialect allows it', () => {
      const { void: plan, ...messages } = ISO87_ASCII.messages;
      const dialect = { ...ISO87_ASCII, messages: { ...messages, void: { ...plan, reversible: true } } };
      const voided = {
        instruction: later('void', 1042n),
        around: around({ card, origin: originOf('sale') }),
        again: false,
      };
      expect(reversalOf(dialect, voided)?.fields[90]).toBe(`0400000042111715214100000123456${'0'.repeat(11)}`);
    });
  });
});

describe('iso93-binary', () => {
  it('says everything about a sale', () => {
    expect(messageFor(ISO93_BINARY, charge('sale'), around())).toEqual({
      mti: '1200',
      fields: {
        2: '4111111111111111',
        3: '000000',
        4: '000000001042',
        7: '1117152141',
        11: '000042',
        12: '261117152141',
        14: '2903',
        19: '756',
        22: '100050100110',
        24: '200',
        26: '5814',
        32: '123456',
        37: '632115000042',
        41: 'T1',
        42: 'M123',
        43: `Cafe Zurich\\\\\\${' '.repeat(13)}CHE`,
        48: '9203123',
        49: '978',
      },
    });
  });

  it('a partial cancel has the amount that stays, and the original one beside it', () => {
    const { mti, fields } = messageFor(
      ISO93_BINARY,
      later('cancel', 1000n),
      around({ card, origin: originOf('preauth') }),
    );
    expect(mti).toBe('1400');
    expect(fields).toMatchObject({
      4: '000000000042',
      24: '401',
      25: '4000',
      30: `000000001042${'0'.repeat(12)}`,
      56: '110000004126111603040506123456',
    });
  });

  it('a reversal advice has its reason and names its original', () => {
    const message = reversalOf(ISO93_BINARY, { instruction: charge('sale', { card }), around: around(), again: true });
    expect(message).toMatchObject({
      mti: '1421',
      fields: { 24: '400', 25: '4021', 56: '120000004226111715214106123456' },
    });
  });
});

it.each([ISO87_ASCII, ISO93_BINARY])('every message of $name can be written', (dialect) => {
  const origin = originOf('preauth');
  const all = [
    ...(['sale', 'preauth', 'pull', 'verification'] as const).map((kind) => charge(kind)),
    ...(['capture', 'cancel', 'void', 'refund'] as const).map((kind) => later(kind, 40n)),
  ];
  for (const instruction of all) {
    const sent = { instruction, around: around({ card, origin }), again: false };
    packMessage(dialect, messageFor(dialect, instruction, sent.around));
    const reversal = reversalOf(dialect, sent);
    if (reversal !== undefined) packMessage(dialect, reversal);
  }
  packMessage(dialect, networkMessage(dialect, dialect.network.signOn, { number: 1, at: AT }));
});

describe('numbers', () => {
  it.each([
    [1, '000001'],
    [999_999, '999999'],
    [1_000_000, '000001'],
    [0, '999999'],
    [1_999_998, '999999'],
  ])('the trace number of %i is %s', (number, stan) => {
    expect(stanOf({ number })).toBe(stan);
  });

  it('differ among neighbours, also where they begin again', () => {
    const around = Array.from({ length: 5000 }, (_, at) => stanOf({ number: 997_500 + at }));
    expect(new Set(around).size).toBe(5000);
    expect(stanOf({ number: 5 })).not.toBe(stanOf({ number: 5 + 999_998 }));
  });

  it('the retrieval reference has the day and hour', () => {
    expect(retrievalNumberOf({ number: 7, at: Date.UTC(2027, 0, 1) })).toBe('700100000007');
    expect(retrievalNumberOf({ number: 7, at: Date.UTC(2028, 11, 31, 23) })).toBe('836623000007');
    expect(transmissionOf({ at: Date.UTC(2027, 0, 1) })).toBe('0101000000');
  });
});

it('an answer is known by what it answers, number, time and terminal, padded or not', () => {
  const fields = { 7: '1117152141', 11: '000042', 41: 'T1' };
  expect(matchKey('021', { ...fields, 41: 'T1      ' })).toBe(matchKey('021', fields));
  const others = [
    matchKey('011', fields),
    matchKey('023', fields),
    matchKey('021', { ...fields, 7: '1117152142' }),
    matchKey('021', { ...fields, 11: '000043' }),
    matchKey('021', { ...fields, 41: 'T2' }),
  ];
  expect(others).not.toContain(matchKey('021', fields));
});
