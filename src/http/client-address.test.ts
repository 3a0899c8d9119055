import type { IncomingMessage } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { addressesIn, clientAddress, clientCertificate, clientHost, clientScheme } from './client-address.ts';

const request = (peer: string, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('whose address counts', () => {
  const proxies = addressesIn(['127.0.0.1', '10.0.0.0/8', '::1']);

  test.each<[string, string | undefined, string]>([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.7', '192.0.2.1'],
    ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '1.1.1.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['127.0.0.1', '10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.7, junk', '127.0.0.1'],
  ])('peer %s, X-Forwarded-For %s: %s', (peer, forwarded, address) => {
    expect(clientAddress(request(peer, forwarded), proxies)).toBe(address);
  });

  it('believes nobody where no proxy is known', () => {
    expect(clientAddress(request('127.0.0.1', '203.0.113.7'), undefined)).toBe('127.0.0.1');
  });
});

describe('which scheme was called', () => {
  const called = (peer: string, proto?: string) =>
    ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-proto': proto } }) as unknown as IncomingMessage;
  const proxies = addressesIn(['127.0.0.1']);

  test.each<[string, string | undefined, string]>([
    ['127.0.0.1', 'https', 'https'],
    ['127.0.0.1', 'HTTPS', 'https'],
    ['127.0.0.1', 'http, https', 'https'],
    ['127.0.0.1', 'https, http', 'http'],
    ['127.0.0.1', 'gopher', 'http'],
    ['127.0.0.1', undefined, 'http'],
    ['192.0.2.1', 'https', 'http'],
  ])('peer %s, X-Forwarded-Proto %s: %s', (peer, proto, scheme) => {
    expect(clientScheme(called(peer, proto), proxies)).toBe(scheme);
  });

  it('believes nobody where no proxy is known', () => {
    expect(clientScheme(called('127.0.0.1', 'https'), undefined)).toBe('http');
  });
});

describe('which host was called', () => {
  const called = (peer: string, forwarded?: string) => {
    const headers = { host: 'own.example:8080', 'x-forwarded-host': forwarded };
    return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  };
  const proxies = addressesIn(['127.0.0.1']);

  test.each<[string, string | undefined, string]>([
    ['127.0.0.1', 'pay.example', 'pay.example'],
    ['127.0.0.1', 'forged.example, pay.example:8443', 'pay.example:8443'],
    ['127.0.0.1', undefined, 'own.example:8080'],
    ['192.0.2.1', 'pay.example', 'own.example:8080'],
  ])('peer %s, X-Forwarded-Host %s: %s', (peer, forwarded, host) => {
    expect(clientHost(called(peer, forwarded), proxies)).toBe(host);
  });

  it('believes nobody where no proxy is known', () => {
    expect(clientHost(called('127.0.0.1', 'pay.example'), undefined)).toBe('own.example:8080');
  });
});

test.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::1/129'])('%j is no address', (text) => {
  expect(addressesIn([text])).toBeUndefined();
});

describe('whose certificate was shown', () => {
  const shown = (peer: string, headers: Record<string, string>) =>
    ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;
  const [subject, fingerprint] = ['CN=ds.example.com', 'ab'.repeat(20)];
  const headers = { 'x-client-certificate-subject': subject, 'x-client-certificate-fingerprint': fingerprint };
  const proxies = addressesIn(['127.0.0.1']);

  it('is what a known proxy says', () => {
    expect(clientCertificate(shown('127.0.0.1', headers), proxies)).toEqual({ subject, fingerprint });
    expect(clientCertificate(shown('127.0.0.1', { 'x-client-certificate-subject': '' }), proxies)).toEqual({
      subject: undefined,
      fingerprint: undefined,
    });
  });

  it('is nothing that a client says itself', () => {
    expect(clientCertificate(shown('192.0.2.1', headers), proxies)).toBeUndefined();
    expect(clientCertificate(shown('127.0.0.1', headers), undefined)).toBeUndefined();
  });
});
