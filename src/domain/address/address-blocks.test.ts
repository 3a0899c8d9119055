import { expect, it } from 'vitest';
import { addressBlock } from './address-blocks.ts';

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['203.0.114.7', '203.0.114.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '::/64'],
  ['', 'unknown'],
  ['fe80::1%eth0', 'unknown'],
])('%s belongs to %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
