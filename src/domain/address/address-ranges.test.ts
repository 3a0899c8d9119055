import { isIP, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payerRange, readAddressRange, writeAddressRange } from './address-ranges.ts';

describe('an address range', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['2001:db8::7/128', '2001:db8::7'],
    ['2001:db8:ffff:ffff::/33', '2001:db8:8000::/33'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('%s is read as %s', (text, meant) => {
    const range = readAddressRange(text);
    expect(range && writeAddressRange(range)).toBe(meant);
  });

  it.each([
    '',
    'example.com',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.7/33',
    '192.0.2.7/',
    '192.0.2.7/-1',
    '::/129',
    ':::',
    'fe80::1%eth0',
    '1.2.3.4/24/8',
  ])('%s is none', (text) => {
    expect(readAddressRange(text)).toBeUndefined();
  });
});

describe("a payer's own range", () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('around %s is %s', (address, own) => {
    const range = readAddressRange(address);
    expect(range && writeAddressRange(payerRange(range))).toBe(own);
  });
});

describe('any address', () => {
  it('is written as the system writes it', () => {
    const six = fc.ipV6().filter((text) => !/ffff/i.test(text));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), six), (text) => {
        const family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
        const range = readAddressRange(text);
        const written = range && writeAddressRange(range);
        // The system writes the end of some low addresses with points.
        const expected = new SocketAddress({ address: text, family }).address;
        expect(written !== undefined && readAddressRange(expected)).toEqual(range);
        if (family === 'ipv4' || !expected.includes('.')) expect(written).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('is one exactly when the system says so', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123afF:.:'), maxLength: 20 });
    fc.assert(
      fc.property(text, (any) => (readAddressRange(any) !== undefined) === (isIP(any) !== 0)),
      { numRuns: 20_000 },
    );
  });
});
