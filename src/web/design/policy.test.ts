import { describe, expect, it } from 'vitest';
import { contentPolicy } from './policy.ts';

const directive = (policy: string, name: string) =>
  policy.split('; ').find((one) => one.split(' ', 1)[0] === name) ?? 'none';

describe('the content policy', () => {
  it('lets a page load and send only what is ours', () => {
    expect(contentPolicy()).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
  });

  const shop = { url: 'http://shop.example/back?a=b', sandbox: false };
  const method = { url: 'http://acs.example:81/method?x=1', isFramed: true };

  it.each([
    ['form-action', { wayBack: shop }, "form-action 'self' https: http://shop.example"],
    ['form-action', { wayBack: { ...shop, sandbox: true } }, "form-action 'self' https: http:"],
    ['form-action', { issuer: method }, "form-action 'self' https: http://acs.example:81"],
    ['frame-src', { issuer: method }, "frame-src 'self' https: http://acs.example:81"],
    ['frame-src', { issuer: { ...method, isFramed: false } }, 'none'],
    ['frame-src', {}, 'none'],
    [
      'frame-ancestors',
      { frameAncestors: ['https://a.example', 'https://b.example'] },
      'frame-ancestors https://a.example https://b.example',
    ],
  ])('%s with %j', (name, parts, expected) => {
    expect(directive(contentPolicy(parts), name)).toBe(expected);
  });
});
