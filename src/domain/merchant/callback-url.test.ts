import { describe, expect, it } from 'vitest';
import { destinationOf, isCallable, whyNotCallable } from './callback-url.ts';

const LOCAL = 'a callback URL cannot be local or private';
const HTTP_PORT = 'with http:// the port must be 80 or 8080';
const HTTPS_PORT = 'with https:// the port must be 443 or 8443';

describe('a callback URL', () => {
  it.each([
    ['https://shop.example/paid?x=1', undefined, undefined],
    ['https://shop.example:8443/paid', undefined, undefined],
    ['http://shop.example:8080/paid', undefined, undefined],
    ['http://8.8.8.8/paid', undefined, undefined],
    ['https://[2606:4700::1111]/paid', undefined, undefined],
    ['http://shop.example:443/', HTTP_PORT, undefined],
    ['https://shop.example:80/', HTTPS_PORT, undefined],
    ['https://shop.example:22/', HTTPS_PORT, undefined],
    ['ftp://shop.example/', 'it must begin with http:// or https://', 'it must begin with http:// or https://'],
    ['http://localhost:9000/', LOCAL, undefined],
    ['http://LOCALHOST/', LOCAL, undefined],
    ['http://shop.localhost/', LOCAL, undefined],
    ['http://localhost./', LOCAL, undefined],
    ['http://127.0.0.1:3000/', LOCAL, undefined],
    ['http://[::1]:3000/', LOCAL, undefined],
    // Ways to write an address that every browser understands.
    ['http://2130706433/', LOCAL, undefined],
    ['http://0x7f.1/', LOCAL, undefined],
    ['http://017700000001/', LOCAL, undefined],
    ['http://[::ffff:127.0.0.1]/', LOCAL, undefined],
    ['http://１２７.0.0.1/', LOCAL, undefined],
    ['http://169.254.169.254/latest/meta-data', LOCAL, LOCAL],
    ['http://10.1.2.3/', LOCAL, LOCAL],
    ['http://[fd00::1]/', LOCAL, LOCAL],
    ['http://[2002:7f00:1::]/', LOCAL, LOCAL],
    ['http://0.0.0.0/', LOCAL, LOCAL],
  ])('%s: %s; in a sandbox: %s', (url, inProduction, inSandbox) => {
    expect(whyNotCallable(url, { loopback: false })).toBe(inProduction);
    expect(whyNotCallable(url, { loopback: true })).toBe(inSandbox);
  });

  it.each([
    ['https://Shop.Example/paid', 'shop.example:443'],
    ['http://shop.example', 'shop.example:80'],
    ['http://shop.example:8080/', 'shop.example:8080'],
    ['http://[::1]:81/', '[::1]:81'],
  ])('%s waits in the queue of %s', (url, destination) => {
    expect(destinationOf(url)).toBe(destination);
  });
});

it('calls loopback addresses in a sandbox only, and private ones never', () => {
  const called = (address: string) => [
    isCallable(address, { loopback: false }),
    isCallable(address, { loopback: true }),
  ];
  expect(called('127.0.0.1')).toEqual([false, true]);
  expect(called('192.168.1.1')).toEqual([false, false]);
  expect(called('8.8.8.8')).toEqual([true, true]);
  expect(called('shop.example')).toEqual([false, false]);
});
