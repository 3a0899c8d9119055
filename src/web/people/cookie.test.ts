import { expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { cookieHeader, cookieIn, isOwnPage, noCookieHeader } from './cookie.ts';

const HTTPS = 'https://admin.example';
const HTTP = 'http://localhost:9080';

it.each([
  [HTTPS, '__Host-tender-person=abc; Path=/; HttpOnly; SameSite=Strict; Secure'],
  [HTTP, 'tender-person=abc; Path=/; HttpOnly; SameSite=Strict'],
])('is kept from scripts and other sites at %s', (origin, header) => {
  expect(cookieHeader(new Secret('abc'), origin)).toBe(header);
  expect(noCookieHeader(origin)).toBe(header.replace('=abc', '=; Max-Age=0'));
});

it.each([
  ['tender-person=abc', HTTP, 'abc'],
  ['a=1; tender-person=abc; b=2', HTTP, 'abc'],
  ['__Host-tender-person=abc', HTTPS, 'abc'],
  ['tender-person=abc', HTTPS, undefined],
  ['xtender-person=abc', HTTP, undefined],
  ['tender-person=', HTTP, undefined],
  [`tender-person=${'a'.repeat(101)}`, HTTP, undefined],
  [undefined, HTTP, undefined],
])('is read from %s at %s as %s', (cookie, origin, value) => {
  expect(cookieIn(cookie === undefined ? {} : { cookie }, origin)?.reveal()).toBe(value);
});

it.each([
  [HTTPS, true],
  ['https://admin.example.evil.example', false],
  ['http://admin.example', false],
  ['null', false],
  [undefined, false],
])('a page of %s is our own: %s', (origin, own) => {
  expect(isOwnPage(origin === undefined ? {} : { origin }, HTTPS)).toBe(own);
});
