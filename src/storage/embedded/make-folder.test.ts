import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

describe('a folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-folder-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is made with those above it, once or at the same time', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)]);
    await makeFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await makeFolder('/');
  });

  it('is made when somebody else makes the one above it at that moment', async () => {
    for (const name of Array.from({ length: 100 }, (_, index) => `above-${index}`)) {
      const above = join(folder, name);
      await Promise.all([makeFolder(join(above, 'below')), mkdir(above).catch(() => {})]);
    }
  });

  it('is not made where a file is', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.skipIf(!existsSync('/proc/self'))('is not tried for ever where none can be made', async () => {
    await expect(makeFolder('/proc/tender/data')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/tender' });
  });
});
