import { describe, expect, it } from 'vitest';
import { isListedAddress, isListedName, readCallbackHost } from './callback-hosts.ts';
import { isCallableFor, whyNotCallable } from './callback-url.ts';

const listOf = (...texts: string[]) =>
  texts.map((text) => {
    const host = readCallbackHost(text);
    if (!host) throw new Error(`${text} is no host`);
    return host;
  });

describe('a host that a sandbox lists', () => {
  it.each([
    'shop',
    'shop:3000',
    'shop.internal',
    'my_shop-1',
    'SHOP.',
    '10.0.0.0/8',
    '10.1.2.3:80',
    'fd00::/8',
    '[fd00::1]:1',
  ])('is read: %s', (text) => expect(readCallbackHost(text)).toBeDefined());

  it.each([
    '',
    ':3000',
    'shop:',
    'shop:0',
    'shop:65536',
    'http://shop',
    'shop/8',
    '-shop',
    '10.0.0.256',
    '10.0.0.0/33',
    '*',
    'a b',
  ])('is refused: %j', (text) => expect(readCallbackHost(text)).toBeUndefined());

  it.each([
    ['shop', 'shop', '3000', true],
    ['shop', 'SHOP.', '80', true],
    ['shop:3000', 'shop', '3000', true],
    ['shop:3000', 'shop', '3001', false],
    ['shop', 'other', '80', false],
    ['shop', 'a.shop', '80', false],
    ['10.0.0.0/8', 'shop', '80', false],
  ])('%s lists the name %s at port %s: %s', (listed, host, port, expected) => {
    expect(isListedName(host, port, listOf(listed))).toBe(expected);
  });

  it.each([
    ['10.0.0.0/8', '10.255.1.2', '3000', true],
    ['10.0.0.0/8', '11.0.0.1', '80', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '80', true],
    ['10.1.2.3:8080', '10.1.2.3', '8080', true],
    ['10.1.2.3:8080', '10.1.2.3', '80', false],
    ['fd00::/8', 'fd12::1', '80', true],
    ['[fd00::1]:8080', 'fd00::1', '8080', true],
    ['fd00::/8', '10.0.0.1', '80', false],
    ['shop', '10.0.0.1', '80', false],
  ])('%s lists the address %s at port %s: %s', (listed, address, port, expected) => {
    expect(isListedAddress(address, port, listOf(listed))).toBe(expected);
  });
});

describe('a sandbox with listed hosts', () => {
  const policy = { loopback: true, hosts: listOf('shop:3000', '10.1.0.0/16') };

  it.each([
    ['http://10.1.2.3:9000/', undefined],
    ['http://shop:3000/', undefined],
    ['http://localhost:1/', undefined],
    ['http://10.2.0.1/', expect.stringContaining('--callback-hosts')],
    ['http://169.254.169.254/latest', expect.stringContaining('--callback-hosts')],
  ])('judges %s', (url, why) => expect(whyNotCallable(url, policy)).toEqual(why));

  it.each([
    ['http://shop:3000/', '192.168.0.9', true],
    ['http://shop:3001/', '192.168.0.9', false],
    ['http://other:3000/', '192.168.0.9', false],
    ['http://other:3000/', '10.1.0.9', true],
    ['http://other:3000/', '8.8.8.8', true],
  ])('calls %s at %s: %s', (url, address, expected) => {
    expect(isCallableFor(new URL(url), address, policy)).toBe(expected);
  });

  it('is not told of where nothing may be listed', () => {
    expect(whyNotCallable('http://10.2.0.1/', { loopback: true })).toBe('a callback URL cannot be local or private');
  });
});
