import { describe, expect, it } from 'vitest';
import { isLegacyAccept, legacyBody } from './legacy-reply.ts';

describe('legacy replies', () => {
  it.each([
    [undefined, true],
    ['*/*', true],
    ['text/html', true],
    ['text/html; charset=utf-8', true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['text/*', true],
    ['text/plain', true],
    ['application/*', true],
    ['application/json', true],
    ['application/json, text/plain, */*', true],
    ['application/x-www-form-urlencoded', true],
    ['', true],
    ['application/vnd.pay+json', false],
    ['text/html, Application/VND.pay+json', false],
    ['image/*', false],
    ['nonsense', false],
  ])('Accept %j asks for one: %s', (header, expected) => {
    expect(isLegacyAccept(header)).toBe(expected);
  });

  it('are pairs, each value followed by a line feed, and are read by any form parser', () => {
    const body = legacyBody({
      type: 'validation-error',
      'error-message': 'a b & c=d é+',
      errors: [{ field: 'amount', code: '1', message: 'x' }],
    });
    expect(body).toBe('type=validation-error\n&error-message=a+b+%26+c%3Dd+%C3%A9%2B\n');
    expect(new URLSearchParams(body).get('error-message')).toBe('a b & c=d é+\n');
  });
});
