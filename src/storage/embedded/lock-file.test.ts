import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownClaim, takeLock } from './lock-file.ts';

const ELSEWHERE = 'abcdef';
const SOME_ID = '00000000-0000-4000-8000-000000000000';

describe('a lock file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-lock-'));
    path = join(folder, 'lock');
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is refused while a living process holds it, and free after its release', async () => {
    const lock = await takeLock(path, 'data folder X');
    await expect(takeLock(path, 'data folder X')).rejects.toThrow(`data folder X is in use by process ${process.pid}`);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    await (await takeLock(path)).release();
  });

  it('is taken over from a process that is dead', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const { startedAt, place } = await ownClaim(path);
    await writeFile(`${path}.${child.pid}.${startedAt}.${place}.${SOME_ID}`, '');
    await (await takeLock(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('is taken over from a dead process that nobody has buried yet', async () => {
    // What a shell leaves behind when it becomes a program that waits for nobody; it would bury who ends before.
    const untilItDoes = 'until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.01; done';
    const parent = spawn('sh', ['-c', `(${untilItDoes}) & echo $!; exec sleep 30`]);
    try {
      const pid = String((await once(parent.stdout, 'data'))[0]).trim();
      const fields = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      while ((await fields())[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 10));
      const { place } = await ownClaim(path);
      await writeFile(`${path}.${pid}.${(await fields())[19]}.${place}.${SOME_ID}`, '');
      await (await takeLock(path)).release();
      expect(await readdir(folder)).toEqual([]);
    } finally {
      parent.kill();
    }
  });

  it.skipIf(process.platform !== 'linux')('is taken over when the number belongs to a later process', async () => {
    const { place } = await ownClaim(path);
    await writeFile(`${path}.${process.pid}.1.${place}.${SOME_ID}`, '');
    await (await takeLock(path)).release();
  });

  it('is refused while a process we cannot see goes on touching it', async () => {
    const file = `${path}.1.1.${ELSEWHERE}.${SOME_ID}`;
    await writeFile(file, '');
    const touching = setInterval(() => utimes(file, new Date(), new Date()), 100);
    await expect(takeLock(path)).rejects.toThrow('in use by process 1');
    clearInterval(touching);
  });

  it('goes to exactly one of many who come at once over a stale claim', async () => {
    const { place } = await ownClaim(path);
    await writeFile(`${path}.${process.pid}.1.${place}.${SOME_ID}`, '');
    const takers = await Promise.allSettled(Array.from({ length: 5 }, () => takeLock(path)));
    expect(takers.filter((taker) => taker.status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });
});
