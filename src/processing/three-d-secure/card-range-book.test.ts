import { expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { DirectoryAnswer, DirectoryServer } from '../../threeds/directory.ts';
import type { PReq } from '../../threeds/messages/index.ts';
import { CardRangeBook } from './card-range-book.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const VISA = new Secret('4000000000001000');
const MASTERCARD = new Secret('5200000000001005');

const listOf = (serialNum: string, ...firsts: string[]) =>
  ({
    outcome: 'answered',
    message: {
      messageType: 'PRes',
      messageVersion: '2.2.0',
      dsTransID: '1f7e2c7a-6a3b-4d5e-8f90-0a1b2c3d4e5f',
      threeDSServerTransID: '2f7e2c7a-6a3b-4d5e-8f90-0a1b2c3d4e5f',
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.2.0',
      serialNum,
      cardRangeData: firsts.map((first) => ({
        startRange: first.padEnd(16, '0'),
        endRange: first.padEnd(16, '9'),
        acsStartProtocolVersion: '2.1.0',
        acsEndProtocolVersion: '2.2.0',
      })),
    },
  }) as DirectoryAnswer<'PRes'>;

it('forgets ranges that a new whole list does not have, once its state is known to the directory server no more', async () => {
  const asked: (string | undefined)[] = [];
  const forgotten = { outcome: 'refused', erro: { errorCode: '307' } } as DirectoryAnswer<'PRes'>;
  const answers = [listOf('1', '4', '5'), forgotten, listOf('7', '5')];
  const cardRanges = async ({ serialNum }: PReq) => {
    asked.push(serialNum);
    return answers.shift() as DirectoryAnswer<'PRes'>;
  };
  let now = 0;
  const book = new CardRangeBook({ cardRanges } as DirectoryServer, { now: () => now, sleep: async () => {} });
  expect(await book.find(VISA)).toMatchObject({ protocol: '2.2.0' });
  now += DAY_MS;
  // Old ranges are used until there are new ones.
  expect(await book.find(VISA)).toMatchObject({ protocol: '2.2.0' });
  expect(await book.find(MASTERCARD)).toMatchObject({ protocol: '2.2.0' });
  expect(await book.find(VISA)).toBe('not-found');
  expect(asked).toEqual([undefined, '1', undefined]);
});
