import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, type FieldFormat, MessageFault } from './dialect.ts';
import { ISO87_ASCII } from './iso87-ascii.ts';
import { ISO93_BINARY } from './iso93-binary.ts';
import { packMessage } from './pack.ts';
import { unpackMessage } from './unpack.ts';

const DIALECTS = [ISO87_ASCII, ISO93_BINARY];

describe('by hand', () => {
  it('iso87-ascii is text: type, bitmap in hexadecimal, lengths as digits', () => {
    const fields = { 2: '4111111111111111', 3: '000000', 4: '1042', 11: '000007', 41: 'T1', 49: '978' };
    const text = [
      '0200',
      '7020000000808000',
      '164111111111111111',
      '000000',
      '000000001042',
      '000007',
      'T1      ',
      '978',
    ];
    expect(packMessage(ISO87_ASCII, { mti: '0200', fields }).toString()).toBe(text.join(''));
  });

  it('iso87-ascii has a second bitmap only when a field needs it', () => {
    const fields = { 7: '1117152141', 11: '000007', 70: '001' };
    const text = ['0800', '8220000000000000', '0400000000000000', '1117152141', '000007', '001'];
    expect(packMessage(ISO87_ASCII, { mti: '0800', fields }).toString()).toBe(text.join(''));
  });

  it('iso93-binary packs digits, and fills odd ones behind', () => {
    const fields = {
      2: '378282246310005',
      4: '1042',
      11: '000007',
      24: '200',
      39: '000',
      41: 'T1',
      52: '0123456789ABCDEF',
    };
    const hex = [
      '1200',
      // 2, 4, 11, 24, 39, 41, 52
      '5020010002801000',
      // 15 digits: the length is 0x15, and a zero fills the last byte.
      '15 3782822463100050',
      '000000001042',
      '000007',
      '2000',
      '0000',
      '5431202020202020',
      '0123456789abcdef',
    ];
    expect(packMessage(ISO93_BINARY, { mti: '1200', fields }).toString('hex')).toBe(hex.join('').replaceAll(' ', ''));
  });

  it('a header stands before the type and is skipped', () => {
    const dialect = { ...ISO87_ASCII, header: Buffer.from('ISO005000070').toString('hex') };
    const message = { mti: '0800', fields: { 11: '000007' } };
    const bytes = packMessage(dialect, message);
    expect(bytes.toString()).toBe('ISO00500007008000020000000000000000007');
    expect(unpackMessage(dialect, bytes).message).toEqual(message);
  });
});

/** Any value that fits a field, as it is read back: padded. */
function valuesOf({ content, length, prefix }: FieldFormat): fc.Arbitrary<string> {
  const text = (unit: string, max: number) =>
    fc.string({ unit: fc.constantFrom(...unit), minLength: prefix === 0 ? max : 0, maxLength: max });
  const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32));
  if (content === 'n') return text('0123456789', length);
  if (content === 'ans') return text(printable, length);
  if (content === 'x+n')
    return fc.tuple(fc.constantFrom('C', 'D'), text('0123456789', length - 1)).map((all) => all.join(''));
  return fc
    .uint8Array({ minLength: prefix === 0 ? length : 0, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase());
}

function messagesOf(dialect: Dialect) {
  const fields = Object.entries(dialect.fields).filter(([field]) => !['64', '65', '128'].includes(field));
  const some = fc.subarray(fields, { maxLength: 20 });
  return some.chain((chosen) =>
    fc.record({
      mti: fc.constantFrom('0100', '0210', '1430', '1804'),
      fields: fc.record(Object.fromEntries(chosen.map(([field, format]) => [field, valuesOf(format)]))),
    }),
  );
}

describe.each(DIALECTS)('$name', (dialect) => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(messagesOf(dialect), (message) => {
        expect(unpackMessage(dialect, packMessage(dialect, message)).message).toEqual(message);
      }),
    );
  });

  it('puts the code last and over all before it', () => {
    const code = Buffer.from('1122334455667788', 'hex');
    fc.assert(
      fc.property(messagesOf(dialect), (message) => {
        let seen: Buffer | undefined;
        const bytes = packMessage(dialect, message, (over) => {
          seen = Buffer.from(over);
          return code;
        });
        const { message: read, mac } = unpackMessage(dialect, bytes);
        expect(read).toEqual(message);
        expect(mac?.code).toEqual(code);
        expect(mac?.over).toEqual(seen);
      }),
    );
  });

  it('reads nothing that was cut off, and nothing with something behind it', () => {
    const fields = {
      2: '4111111111111111',
      4: '000000001042',
      11: '000007',
      41: 'T1      ',
      48: '9203123',
      98: 'P'.repeat(25),
    };
    const bytes = packMessage(dialect, { mti: '0200', fields });
    for (let end = 0; end < bytes.length; end++) {
      expect(() => unpackMessage(dialect, bytes.subarray(0, end))).toThrow(MessageFault);
    }
    expect(() => unpackMessage(dialect, Buffer.concat([bytes, Buffer.from('0')]))).toThrow('behind its last field');
  });

  it('never throws anything but its own fault, whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          unpackMessage(
            dialect,
            Buffer.concat([packMessage(dialect, { mti: '0210', fields: {} }).subarray(0, 4), noise]),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(MessageFault);
        }
      }),
    );
  });
});

describe('what cannot be written', () => {
  it.each([
    ['letters where digits belong', { 4: '10.42' }, 'field 4'],
    ['too long a value', { 2: '4'.repeat(20) }, 'at most 19 fit'],
    ['other than printable ASCII', { 43: 'Café' }, 'field 43'],
    ['too few bytes', { 52: '0123' }, 'needs 8 bytes'],
    ['half a byte', { 52: '0123456789ABCDE' }, 'field 52'],
    ['a field that the dialect does not have', { 129: '1' }, 'no field 129'],
    ['a code of its own', { 64: '0123456789ABCDEF' }, 'code'],
  ])('%s', (_, fields, says) => {
    expect(() => packMessage(ISO87_ASCII, { mti: '0200', fields })).toThrow(MessageFault);
    expect(() => packMessage(ISO87_ASCII, { mti: '0200', fields })).toThrow(says);
  });

  it('is told without the value', () => {
    try {
      packMessage(ISO87_ASCII, { mti: '0200', fields: { 2: '41111111111111111111' } });
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('4111');
    }
  });
});

it('takes an empty second bitmap, and a code only at the very end', () => {
  const noSecond = Buffer.from('0810' + '8020000000000000' + '0000000000000000' + '000007');
  expect(unpackMessage(ISO87_ASCII, noSecond).message).toEqual({ mti: '0810', fields: { 11: '000007' } });
  const inTheMiddle = Buffer.from(
    '0810' + '8020000000000001' + '0400000000000000' + '000007' + '1122334455667788' + '001',
  );
  expect(unpackMessage(ISO87_ASCII, inTheMiddle).mac).toBeUndefined();
});
