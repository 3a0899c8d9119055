import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODINGS } from './encodings.ts';
import { PatternSearch } from './pattern-search.ts';
import { Scanner } from './scanner.ts';
import { patternsFor, readWanted } from './wanted.ts';

const NUMBERS = ['4485275742308327', '378282246310005', '6212345678900000003'];
const CODE = '7391';
const patterns = patternsFor({ numbers: NUMBERS, codes: [CODE] });

async function found(chunks: readonly Buffer[], looksFor: typeof patterns | 'any number' = patterns) {
  const scanner = new Scanner(looksFor === 'any number' ? undefined : looksFor);
  await scanner.scan('here', chunks);
  return scanner.findings.map(({ encoding }) => encoding);
}

const noise = Buffer.from('nothing 1234567890123456 of interest \u0000\u0001 4485275742308328 cvv2=739 ');
const planted = NUMBERS.flatMap((number) =>
  ENCODINGS.flatMap(({ name, spell }) => spell(number).map((bytes) => ({ name, number, bytes }))),
);

it('has fifteen encodings, each with a name of its own', () => {
  expect(new Set(ENCODINGS.map(({ name }) => name)).size).toBe(15);
});

describe('a planted number', () => {
  it.each(planted)('$name is found, wherever a chunk ends', async ({ name, bytes }) => {
    const whole = Buffer.concat([noise, bytes, noise]);
    expect(await found([whole])).toContain(name);
    for (const cut of [1, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const at = noise.length + cut;
      expect(await found([whole.subarray(0, at), whole.subarray(at)])).toContain(name);
    }
  });

  it.each(planted)('$name is found within compressed streams', async ({ name, bytes }) => {
    const whole = Buffer.concat([noise, bytes, noise]);
    expect(await found([Buffer.concat([noise, gzipSync(whole), noise])])).toContain(`${name} in gzip`);
    expect(await found([Buffer.concat([noise, deflateSync(whole), noise])])).toContain(`${name} in deflate`);
    expect(await found([gzipSync(deflateSync(whole))])).toContain(`${name} in deflate in gzip`);
  });

  it('is found in base64 however it is aligned', async () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = Buffer.from(`${before}${NUMBERS[0]} and more`);
      expect(await found([Buffer.from(text.toString('base64'))])).toContain('base64');
      expect(await found([Buffer.from(text.toString('base64url'))])).toContain('base64');
    }
  });

  it('begins to be compressed at the end of a chunk', async () => {
    const stream = gzipSync(Buffer.from(`the card ${NUMBERS[0]}`));
    expect(await found([Buffer.concat([noise, stream.subarray(0, 4)]), stream.subarray(4)])).toContain('plain in gzip');
  });

  it('is never told', async () => {
    const scanner = new Scanner(patterns);
    await scanner.scan('here', [Buffer.from(`${NUMBERS[0]} ${NUMBERS[0]}`)]);
    expect(scanner.findings).toEqual([{ place: 'here', encoding: 'plain', shown: '448527******8327', count: 2 }]);
  });
});

it.each(['cvv2=7391', '"cvv2":"7391"', '"cvc": "7391"', 'card[cvc]=7391', 'card%5Bcvc%5D=7391', 'cvv 7391'])(
  'a security code is found in %s',
  async (text) => {
    expect(await found([Buffer.from(text)])).toContain('plain');
    expect(await found([Buffer.from(text, 'utf16le')])).toContain('UTF-16LE');
    expect(await found([Buffer.from(Buffer.from(text).toString('hex'))])).toContain('hex');
    expect(await found([Buffer.from(Buffer.from(text).toString('base64'))])).toContain('base64');
  },
);

it('finds nothing where nothing is', async () => {
  expect(await found([noise, noise])).toEqual([]);
});

it('tells what looks like a card number when none is given', async () => {
  expect(await found([noise], 'any number')).toEqual([]);
  expect(await found([Buffer.from('a 4485275742308327 b')], 'any number')).toEqual(['plain']);
  expect(await found([Buffer.from('a 4485 2757 4230'), Buffer.from(' 8327 b')], 'any number')).toEqual(['blanks']);
  expect(await found([gzipSync(Buffer.from('4485-2757-4230-8327'))], 'any number')).toEqual(['dashes in gzip']);
});

it('takes digits in a hash or a UUID for no card number, but those behind a few letters for one', async () => {
  const hash = 'c43ff28e1aae05722a40455f7ef37ba8cc0b6fd706c010f7e40908453370559a';
  const countIn = async (text: string) => {
    const scanner = new Scanner(undefined);
    await scanner.scan('here', [Buffer.from(text)]);
    return scanner.findings.reduce((sum, { count }) => sum + count, 0);
  };
  expect(await countIn(`x ${hash} y`)).toBe(0);
  expect(await countIn(`x ${hash.slice(1)} y`)).toBe(1);
  expect(await countIn('card4485275742308327 abc4485275742308327')).toBe(2);
  const uuid = 'c4f9a1de-4111-4111-8111-1110abcdef01';
  expect(await countIn(`x ${uuid} y`)).toBe(0);
  for (const cut of [uuid.slice(1), uuid.slice(0, -1), uuid.replace('c4', 'g4')]) expect(await countIn(cut)).toBe(1);
});

it('finds what a look at every byte finds', () => {
  const bytes = fc.uint8Array({ minLength: 3, maxLength: 6, max: 1 });
  const text = fc.uint8Array({ maxLength: 60, max: 1 });
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 1, maxLength: 6 }), text, fc.nat(60), (all, whole, before) => {
      const met: number[] = [];
      new PatternSearch(all).find(whole, before, (which) => met.push(which));
      const expected = all.flatMap((one, which) => {
        const starts = [...whole.keys()].filter((start) => one.every((byte, at) => byte === whole[start + at]));
        return starts.filter((start) => start + one.length > before).map(() => which);
      });
      expect(met.sort()).toEqual(expected.sort());
    }),
  );
});

it('reads numbers and codes line by line, and tells only how many lines are neither', () => {
  const text = '4485 2757 4230 8327\n\n# a comment\n7391 # a code\n4485275742308328\n123\n4485275742308327\n';
  expect(readWanted(text)).toEqual({ numbers: ['4485275742308327'], codes: ['7391', '123'], unreadable: 1 });
});
