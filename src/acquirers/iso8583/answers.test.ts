import { describe, expect, it } from 'vitest';
import { isAccepted, type JudgedExchange, judgeAnswer, judgeReversal } from './answers.ts';
import type { IsoFields, SentKind } from './dialect.ts';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { ISO93_BINARY } from './iso93-binary.ts';
import { RESPONSE_CODES_1987 } from './response-codes.ts';

const trace = { number: 42, at: Date.UTC(2026, 10, 17, 15, 21, 41) };

const exchange = (kind: SentKind, fields: IsoFields, more: Partial<JudgedExchange> = {}): JudgedExchange => ({
  kind,
  sent: { mti: '0200', fields: { 4: '000000001042', 37: '632115000042' } },
  answer: { mti: '0210', fields },
  trace,
  origin: undefined,
  repeated: false,
  ...more,
});

const judged = (kind: SentKind, code: string, repeated = false) =>
  judgeAnswer(ISO87_ASCII, exchange(kind, { 39: code }, { repeated }));
const judged93 = (kind: SentKind, code: string, repeated = false) =>
  judgeAnswer(ISO93_BINARY, exchange(kind, { 39: code }, { repeated }));

describe('an answer of 1987', () => {
  it.each([
    ['sale', '00', 'approved'],
    ['sale', '08', 'approved'],
    ['sale', '11', 'approved'],
    ['verification', '85', 'approved'],
    ['capture', '00', 'approved'],
    ['sale', '05', 'declined'],
    ['sale', '51', 'declined'],
    ['sale', '43', 'declined'],
    ['sale', '91', 'declined'],
    ['sale', '96', 'declined'],
    ['sale', 'N7', 'declined'],
    ['capture', '25', 'declined'],
    // A part, another opinion of 16, private codes, a late issuer, a duplicate, none.
    ['sale', '10', 'unknown'],
    ['sale', '32', 'unknown'],
    ['sale', '16', 'unknown'],
    ['sale', '77', 'unknown'],
    ['sale', '99', 'unknown'],
    ['sale', '??', 'unknown'],
    ['sale', '68', 'unknown'],
    ['sale', '94', 'unknown'],
    ['sale', '', 'unknown'],
    ['capture', '94', 'unknown'],
    ['sale', '__proto__', 'unknown'],
  ] as const)('to a %s with code %s is %s', (kind, code, word) => {
    expect(judged(kind, code).word).toBe(word);
  });

  it.each([
    ['05', '100'],
    ['51', '116'],
    ['54', '101'],
    ['41', '208'],
    ['91', '907'],
    ['30', '904'],
  ])('with code %s declines by action code %s', (code, action) => {
    expect(judged('sale', code)).toEqual({ word: 'declined', code: action });
  });

  it('never declines with anything but an action code, and never approves by chance', () => {
    for (const code of Object.keys(RESPONSE_CODES_1987)) {
      const answer = judged('sale', code);
      if (answer.word === 'declined') expect(answer.code).toMatch(/^[129]\d\d$/);
      if (answer.word === 'approved') expect(['00', '08', '11', '85']).toContain(code);
    }
  });
});

describe('after a repeat', () => {
  it('a duplicate advice was taken, a duplicate reversal may have been', () => {
    expect(judged('capture', '94', true).word).toBe('approved');
    expect(judged('void', '94', true).word).toBe('unknown');
  });

  it('a missing original may have been undone by the first message', () => {
    expect(judged('void', '25', false)).toEqual({ word: 'declined', code: '914' });
    expect(judged('void', '25', true).word).toBe('unknown');
    expect(judged('cancel', '21', true).word).toBe('unknown');
  });
});

describe('an answer of 1993', () => {
  it.each([
    ['sale', '000', 'approved'],
    ['sale', '116', 'declined'],
    ['sale', '208', 'declined'],
    ['sale', '909', 'declined'],
    ['sale', '002', 'unknown'],
    ['sale', '400', 'unknown'],
    ['sale', '900', 'unknown'],
    ['sale', '911', 'unknown'],
    ['sale', '923', 'unknown'],
    ['sale', '302', 'unknown'],
    ['void', '400', 'approved'],
    ['cancel', '400', 'approved'],
    ['capture', '900', 'approved'],
    ['capture', '901', 'approved'],
    ['capture', '400', 'unknown'],
  ] as const)('to a %s with code %s is %s', (kind, code, word) => {
    expect(judged93(kind, code).word).toBe(word);
  });
});

it('an approval tells everything the bank said', () => {
  const fields = {
    4: '000000001042',
    37: 'ABC123456789',
    38: 'A1B2C3',
    39: '00',
    41: 'T1      ',
    48: '6309MCC1234568301Y8701M',
  };
  expect(judgeAnswer(ISO87_ASCII, exchange('sale', fields))).toEqual({
    word: 'approved',
    approvalCode: 'A1B2C3',
    rrn: 'ABC123456789',
    processorTxId: '000042/1117152141',
    terminalId: 'T1',
    networkTransactionId: 'MCC123456',
    checks: { address: 'Y', securityCode: 'M' },
  });
});

it('an approval without details keeps what is known', () => {
  const origin = {
    reference: '1',
    kind: 'sale',
    amount: { minor: 1n, currency: 'EUR' },
    trace,
    approvalCode: 'OLD',
  } as const;
  expect(judgeAnswer(ISO87_ASCII, exchange('void', { 39: '00' }, { origin }))).toEqual({
    word: 'approved',
    approvalCode: 'OLD',
    rrn: '632115000042',
    processorTxId: '000042/1117152141',
  });
});

it('an approval of another amount is none', () => {
  expect(judgeAnswer(ISO87_ASCII, exchange('sale', { 4: '000000000042', 39: '00' })).word).toBe('unknown');
});

it('a partial cancel may be answered with any amount', () => {
  expect(judgeAnswer(ISO87_ASCII, exchange('cancel', { 4: '000000000042', 39: '00' })).word).toBe('approved');
});

it('bytes that no database takes are left out of what is kept', () => {
  const fields = { 37: 'ABC\0\x1b56789012', 38: '\0\0\0\0\0\0', 39: '00', 41: 'T1\xff', 48: '6303A\0B8702M\0' };
  expect(judgeAnswer(ISO87_ASCII, exchange('sale', fields))).toEqual({
    word: 'approved',
    approvalCode: '',
    rrn: 'ABC56789012',
    processorTxId: '000042/1117152141',
    terminalId: 'T1',
    networkTransactionId: 'AB',
    checks: { securityCode: 'M' },
  });
});

it('private data that is cut off changes nothing', () => {
  for (const text of ['63', '6399x', '63xx', '8701']) {
    expect(judgeAnswer(ISO87_ASCII, exchange('sale', { 39: '00', 48: text }))).not.toHaveProperty('checks');
  }
});

describe('a reversal', () => {
  const answer = (code: string) => ({ mti: '0430', fields: { 39: code } });

  it.each([
    ['00', false, 'reversed'],
    ['00', true, 'reversed'],
    ['25', false, 'unknown'],
    ['25', true, 'not-found'],
    ['21', false, 'unknown'],
    ['21', true, 'not-found'],
    ['76', true, 'unknown'],
    ['77', true, 'unknown'],
    ['94', true, 'unknown'],
    ['05', true, 'unknown'],
    ['96', true, 'unknown'],
    ['08', true, 'unknown'],
  ] as const)('answered with %s, again %s, is %s', (code, again, word) => {
    expect(judgeReversal(ISO87_ASCII, answer(code), again).word).toBe(word);
  });

  it.each([
    ['400', 'reversed'],
    ['000', 'reversed'],
    ['901', 'reversed'],
    ['900', 'unknown'],
    ['914', 'not-found'],
  ] as const)('of 1993 answered with %s is %s', (code, word) => {
    expect(judgeReversal(ISO93_BINARY, answer(code), true).word).toBe(word);
  });
});

it('a network message is accepted by its own codes', () => {
  expect(isAccepted(ISO87_ASCII, { mti: '0810', fields: { 39: '00' } })).toBe(true);
  expect(isAccepted(ISO87_ASCII, { mti: '0810', fields: { 39: '05' } })).toBe(false);
  expect(isAccepted(ISO87_ASCII, { mti: '0810', fields: {} })).toBe(false);
  expect(isAccepted(ISO93_BINARY, { mti: '1814', fields: { 39: '800' } })).toBe(true);
});
