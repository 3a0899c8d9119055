import { describe, expect, it } from 'vitest';
import { KeyCommandError } from '../../vault/key-command.ts';
import { OutOfReach } from '../verb/invalid-input.ts';
import { tellingHolder } from './key-holder.ts';
import { retireKeyEncryptionKey, rotateDataKey, rotateKeyEncryptionKey } from './vault.ts';

const away = new KeyCommandError('the key command /etc/key-command ended with code 1: no token');

describe('an operator is told what the holder of the keys complains of', () => {
  it.each([
    ['a new key-encryption key', () => rotateKeyEncryptionKey.run({}, { vault: { rotateKek: fails } } as never)],
    ['a new data key', () => rotateDataKey.run({}, { rotation: { isUnderWay: false, begin: fails } } as never)],
  ])('when asking for %s', async (_, run) => {
    await expect(run()).rejects.toThrow(new OutOfReach(away.message));
  });

  async function fails() {
    throw away;
  }
});

it('tells nothing of other failures', async () => {
  const odd = new Error('odd');
  await expect(tellingHolder(() => Promise.reject(odd))).rejects.toBe(odd);
});

it('speaks of copies of the key file only to whom has one', () => {
  const said = ['kek-0123', 'command:0123'].map((kekId) =>
    [rotateKeyEncryptionKey, retireKeyEncryptionKey].map((verb) => verb.show?.({ kekId }, {})),
  );
  expect(said[0]?.every((text) => text?.includes('key file'))).toBe(true);
  expect(said[1]?.some((text) => text?.includes('key file'))).toBe(false);
});
