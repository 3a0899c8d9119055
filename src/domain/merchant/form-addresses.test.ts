import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Misread } from '../input-kinds.ts';
import { mayGoTo, takesUnsignedForms } from './form-addresses.ts';
import { formAddress } from './setting-kinds.ts';

describe('unsigned forms', () => {
  it.each([
    [undefined, true, true],
    [undefined, false, false],
    [false, false, true],
    [false, true, true],
    [true, true, false],
    [true, false, false],
  ])('with signed forms %s and sandbox %s are taken: %s', (signedForms, sandbox, isTaken) => {
    expect(takesUnsignedForms({ signedForms, sandbox })).toBe(isTaken);
  });
});

describe('an address that is registered', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://Shop.Example:443/', 'https://shop.example'],
    ['http://localhost:4000/done', 'http://localhost:4000/done'],
    ['https://shop.example/a/../pay/', 'https://shop.example/pay/'],
    ['ftp://shop.example', undefined],
    ['https://ann:secret@shop.example', undefined],
    ['https://shop.example/?a=1', undefined],
    ['https://shop.example/#top', undefined],
    ['shop.example', undefined],
    ['javascript:alert(1)', undefined],
  ])('%s is kept as %s', (text, kept) => {
    const read = formAddress.read(text, { vocabulary: { operations: [], fields: [] } });
    expect(read instanceof Misread ? undefined : read).toBe(kept);
  });
});

describe('an unsigned order goes', () => {
  const registered = ['https://shop.example', 'https://pay.example/socks'];
  it.each([
    ['https://shop.example', true],
    ['https://shop.example/anything?of=it#here', true],
    ['https://SHOP.example:443/', true],
    ['https://pay.example/socks', true],
    ['https://pay.example/socks/done?x=1', true],
    ['https://pay.example/socksy', false],
    ['https://pay.example/socks/../evil', false],
    ['https://pay.example/socks/%2e%2e/evil', false],
    ['https://pay.example/', false],
    ['http://shop.example/', false],
    ['https://shop.example:8443/', false],
    ['https://shop.example.evil.example/', false],
    ['https://evil.example/?https://shop.example', false],
    ['https://shop.example@evil.example/', false],
  ])('to %s: %s', (url, may) => {
    for (const sandbox of [true, false]) expect(mayGoTo(url, { formAddresses: registered, sandbox })).toBe(may);
  });

  it('anywhere in a sandbox that registered nothing, and nowhere in production', () => {
    expect(mayGoTo('http://localhost:1', { formAddresses: [], sandbox: true })).toBe(true);
    expect(mayGoTo('https://shop.example', { formAddresses: [], sandbox: false })).toBe(false);
  });

  it('never to an origin that is not registered', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        fc.pre(!registered.some((one) => new URL(one).origin === new URL(url).origin));
        expect(mayGoTo(url, { formAddresses: registered, sandbox: true })).toBe(false);
      }),
    );
  });
});
