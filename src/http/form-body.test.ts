import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormBody } from './form-body.ts';

const read = (text: string | Buffer) => readFormBody(Buffer.from(text as string));
const errorsOf = (text: string | Buffer) =>
  read(text).faults.map(({ error, field }) => [error, field].filter(Boolean).join(' '));

describe('the body of a request', () => {
  it('is read by canonical name, trimmed, empty values left out', () => {
    const { parameters, raw, faults } = read('client-order-id=+a+b+&email=%20x%40y.z&empty=&bare&&last=1');
    expect(faults).toEqual([]);
    expect(Object.fromEntries(parameters)).toEqual({ client_orderid: 'a b', email: 'x@y.z', last: '1' });
    expect(raw.get('client_orderid')).toBe(' a b ');
  });

  it.each([
    ['amount=1&amount=1', ['parameter-repeated amount']],
    ['amount=1&amount=2', ['parameter-repeated amount']],
    ['client_orderid=1&client-order-id=2', ['parameter-contradicts client-order-id']],
    ['client_orderid=1&client-order-id=1', []],
    ['a=%zz', ['text-not-utf8']],
    ['a=%', ['text-not-utf8']],
    ['a=%C3%28', ['text-not-utf8']],
    ['%C3%28=a', ['text-not-utf8']],
    ['a=%00', ['parameter-malformed a']],
    ['a=x%1By', ['parameter-malformed a']],
    ['a=x%7Fy', ['parameter-malformed a']],
    ['a=x%C2%85y', ['parameter-malformed a']],
    ['a=x%09y%0D%0Az', []],
    ['a%00=1', ['parameter-malformed name']],
    [Array.from({ length: 401 }, (_, index) => `p${index}=1`).join('&'), ['body-too-large']],
    ['__proto__=1&constructor=2', []],
    ['a=é', []],
  ])('%j has the faults %j', (text, faults) => {
    expect(errorsOf(text)).toEqual(faults);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(errorsOf(Buffer.from([0x61, 0x3d, 0xff, 0xfe]))).toEqual(['text-not-utf8']);
  });

  it('reads what URLSearchParams writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~à-ÿ]{0,20}$/)), (fields) => {
        const { raw, faults } = read(new URLSearchParams(fields).toString());
        expect(faults).toEqual([]);
        for (const [name, value] of Object.entries(fields)) {
          if (!['cres', 'pares', 'destination'].includes(name)) expect(raw.get(name)).toBe(value);
        }
      }),
    );
  });

  it('survives any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readFormBody(Buffer.from(bytes))));
  });
});
