import { describe, expect, it } from 'vitest';
import type { FilterReason } from './filter-reason.ts';
import { type Block, BlockList, type Involved, readBlocked } from './screening-lists.ts';

const involved: Involved = {
  cards: [{ digests: ['d1'], leading: '41111122' }],
  email: 'Ann@Example.com',
  address: '203.0.113.7',
  country: 'US',
};

type Row = [title: string, blocks: Block[], asked: Partial<Involved>, reason: FilterReason | undefined];

const ROWS: Row[] = [
  ['an empty list', [], {}, undefined],
  ['the card', [{ kind: 'card', value: 'd1' }], {}, 'card-blocked'],
  ['another card', [{ kind: 'card', value: 'd2' }], {}, undefined],
  [
    'the card that is paid',
    [{ kind: 'card', value: 'd2' }],
    { cards: [...involved.cards, { digests: ['d2'], leading: '55555544' }] },
    'card-blocked',
  ],
  ['no card at all', [{ kind: 'card', value: 'd1' }], { cards: [] }, undefined],
  ['six digits', [{ kind: 'bin', value: '411111' }], {}, 'issuer-blocked'],
  ['eight digits', [{ kind: 'bin', value: '41111122' }], {}, 'issuer-blocked'],
  ['eight other digits', [{ kind: 'bin', value: '41111123' }], {}, undefined],
  ['six other digits', [{ kind: 'bin', value: '411112' }], {}, undefined],
  ['the e-mail address', [{ kind: 'email', value: 'ann@example.com' }], {}, 'email-blocked'],
  ['another e-mail address', [{ kind: 'email', value: 'bob@example.com' }], {}, undefined],
  ['the domain', [{ kind: 'email', value: '@example.com' }], {}, 'email-blocked'],
  ['a domain above it', [{ kind: 'email', value: '@com' }], {}, undefined],
  ['a domain below it', [{ kind: 'email', value: '@mail.example.com' }], {}, undefined],
  ['no e-mail address', [{ kind: 'email', value: 'ann@example.com' }], { email: undefined }, undefined],
  ['the address', [{ kind: 'address', value: '203.0.113.7' }], {}, 'address-blocked'],
  ['another address', [{ kind: 'address', value: '203.0.113.8' }], {}, undefined],
  ['its range', [{ kind: 'address', value: '203.0.113.0/29' }], {}, 'address-blocked'],
  ['the range beside it', [{ kind: 'address', value: '203.0.113.8/29' }], {}, undefined],
  ['everything', [{ kind: 'address', value: '0.0.0.0/0' }], {}, 'address-blocked'],
  ['everything of the other family', [{ kind: 'address', value: '::/0' }], {}, undefined],
  [
    'the address in the other family',
    [{ kind: 'address', value: '203.0.113.7' }],
    { address: '::ffff:203.0.113.7' },
    'address-blocked',
  ],
  [
    'a range of version 6',
    [{ kind: 'address', value: '2001:db8::/32' }],
    { address: '2001:DB8:0:1::9' },
    'address-blocked',
  ],
  ['no address', [{ kind: 'address', value: '0.0.0.0/0' }], { address: undefined }, undefined],
  ['the country', [{ kind: 'country', value: 'US' }], {}, 'country-blocked'],
  ['another country', [{ kind: 'country', value: 'CA' }], {}, undefined],
  ['no country', [{ kind: 'country', value: 'US' }], { country: undefined }, undefined],
  [
    'the country and the card',
    [
      { kind: 'country', value: 'US' },
      { kind: 'card', value: 'd1' },
    ],
    {},
    'card-blocked',
  ],
];

describe('a list with', () => {
  it.each(ROWS)('%s', (_, blocks, asked, reason) => {
    expect(new BlockList(blocks).reasonFor({ ...involved, ...asked })).toBe(reason);
  });

  it.each<[Block, boolean]>([
    [{ kind: 'card', value: 'd1' }, true],
    [{ kind: 'bin', value: '411111' }, true],
    [{ kind: 'email', value: '@example.com' }, false],
  ])('%o needs card numbers: %s', (block, needed) => {
    expect(new BlockList([block]).looksAtCards).toBe(needed);
  });
});

describe('what a person writes', () => {
  it.each([
    ['bin', '411111', '411111'],
    ['bin', '41111122', '41111122'],
    ['bin', '4111111', undefined],
    ['bin', '4111111111111111', undefined],
    ['email', 'Ann@Example.COM', 'ann@example.com'],
    ['email', '@Example.com', '@example.com'],
    ['email', 'example.com', undefined],
    ['email', 'ann@', undefined],
    ['address', '192.0.2.9/24', '192.0.2.0/24'],
    ['address', '2001:DB8::1', '2001:db8::1'],
    ['address', '192.0.2.9/33', undefined],
    ['country', 'us', 'US'],
    ['country', 'XX', undefined],
  ] as const)('%s %s is %s', (kind, text, value) => {
    expect(readBlocked(kind, text)).toBe(value);
  });
});
