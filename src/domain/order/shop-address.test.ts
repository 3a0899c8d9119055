import { describe, expect, it } from 'vitest';
import { shopAddressOf } from './shop-address.ts';

type Links = Parameters<typeof shopAddressOf>[0];

describe('the shop a payer goes back to', () => {
  it.each<[string, Links, string | undefined]>([
    ['nothing', {}, undefined],
    [
      'its site',
      { siteUrl: 'https://socks.example/de', redirectUrl: 'https://a.example/x' },
      'https://socks.example/de',
    ],
    ['where browsers return to', { redirectUrl: 'https://a.example/back?order=1' }, 'https://a.example/'],
    [
      'one of two',
      { redirectSuccessUrl: 'https://a.example/ok', redirectFailUrl: 'https://b.example/no' },
      'https://b.example/',
    ],
    ['only a success', { redirectSuccessUrl: 'http://a.example:8080/ok' }, 'http://a.example:8080/'],
    [
      'a site that is no address',
      { siteUrl: 'socks.example', redirectUrl: 'https://a.example/x' },
      'https://a.example/',
    ],
    ['a script', { siteUrl: 'javascript:alert(1)' }, undefined],
    ['a password', { siteUrl: 'https://ann:secret@socks.example/' }, undefined],
  ])('that gave %s', (_, links, address) => {
    expect(shopAddressOf(links, { unsigned: false })).toBe(address);
  });

  it('is not what a stranger wrote into an unsigned form', () => {
    const links = { siteUrl: 'https://evil.example/', redirectUrl: 'https://a.example/x' };
    expect(shopAddressOf(links, { unsigned: true })).toBe('https://a.example/');
    expect(shopAddressOf({ siteUrl: 'https://evil.example/' }, { unsigned: true })).toBeUndefined();
  });
});
