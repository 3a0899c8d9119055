import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressKind, addressKind, isReachedFromHereOnly } from './public-address.ts';

describe('an address', () => {
  it.each<[AddressKind | undefined, string[]]>([
    ['public', ['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0']],
    ['public', ['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:8.8.8.8', '2001:4860:4860::8888']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1']],
    ['inside', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '::ffff:10.0.0.1', '::ffff:c0a8:101']],
    ['inside', ['0.0.0.0', '0.1.2.3', '255.255.255.255', '224.0.0.1', '239.1.1.1', '240.0.0.1']],
    ['inside', ['169.254.0.1', '169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254']],
    [
      'inside',
      ['100.64.0.1', '100.127.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ],
    ['inside', ['::', '::2', '::127.0.0.1', '::8.8.8.8', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1']],
    ['inside', ['2002:7f00:1::', '2002:a00:1::1', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1']],
    [
      'inside',
      ['2001::1', '2001:0:4136:e378::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1'],
    ],
    [undefined, ['shop.example', '127.1', '0x7f.0.0.1', '127.0.0.1/8', '', 'fe80::1%eth0', '1.2.3.4.5']],
  ])('is %s: %j', (kind, addresses) => {
    for (const address of addresses) expect([address, addressKind(address)]).toEqual([address, kind]);
  });

  it('of version 4 is judged the same when it is written in version 6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKind(`::ffff:${address}`)).toBe(addressKind(address));
      }),
    );
  });

  it('of version 4 is never public inside any other form of version 6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        for (const form of ['::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'])
          expect(addressKind(form + address)).not.toBe('public');
      }),
    );
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['localhost', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['203.0.113.9', false],
  ['gateway.example', false],
])('who listens on %s is reached from here only: %s', (host, here) => {
  expect(isReachedFromHereOnly(host)).toBe(here);
});
