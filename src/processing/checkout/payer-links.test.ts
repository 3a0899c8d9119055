import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PayerLinks } from './payer-links.ts';

const under = (key: string) =>
  new PayerLinks({ linkMarks: (values) => [createHmac('sha256', key).update(JSON.stringify(values)).digest()] });

const links = under('a key');
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const link = fc.record({ merchantId: id, orderId: id, until: fc.integer({ min: 0, max: 4e9 }).map((s) => s * 1000) });

describe('the link of a payer', () => {
  it('names the order it was made for', () => {
    fc.assert(fc.property(link, (one) => void expect(links.read(links.tokenOf(one))).toEqual(one)));
  });

  it('fits into a path as it is', () => {
    fc.assert(fc.property(link, (one) => void expect(links.tokenOf(one)).toMatch(/^[\w-]+$/)));
  });

  it('is worth nothing once a character is changed', () => {
    const changed = fc.tuple(link, fc.nat(), fc.constantFrom(...'0123456789abcxyz-_'));
    fc.assert(
      fc.property(changed, ([one, place, character]) => {
        const token = links.tokenOf(one);
        const at = place % token.length;
        const other = token.slice(0, at) + character + token.slice(at + 1);
        fc.pre(other !== token);
        expect(links.read(other)).toBeUndefined();
      }),
    );
  });

  it('is worth nothing to another vault', () => {
    fc.assert(fc.property(link, (one) => void expect(under('another').read(links.tokenOf(one))).toBeUndefined()));
  });

  it.each(['', 'x', '1-2-3', `1-2-3-${'A'.repeat(43)}`, `1-2-3-${'A'.repeat(44)}`, '../../etc/passwd'])(
    'does not read %j',
    (token) => expect(links.read(token)).toBeUndefined(),
  );
});
