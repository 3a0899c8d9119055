import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLog } from './log-file.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-log-'));
  path = join(folder, 'log');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function spyOnSync() {
  const handle = await open(join(folder, 'any'), 'a');
  await handle.close();
  return vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync');
}

const ignore = () => {};
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('a log file', () => {
  it('gives back what was appended, in order', async () => {
    const log = await openLog(path, ignore);
    await Promise.all(lines(500).map((line) => log.append(line)));
    await log.close();
    const replayed: string[] = [];
    await (await openLog(path, (line) => replayed.push(line))).close();
    expect(replayed).toEqual(lines(500));
  });

  it('syncs once for all lines that came while it was busy, and before an append resolves', async () => {
    const sync = await spyOnSync();
    const log = await openLog(path, ignore);
    const first = log.append('first');
    await vi.waitFor(() => expect(sync).toHaveBeenCalledTimes(1), { interval: 0, timeout: 60_000 });
    const rest = lines(100).map((line) => log.append(line));
    await first;
    await Promise.race(rest);
    expect(sync).toHaveBeenCalledTimes(2);
    expect((await readFile(path, 'utf8')).split('\n')).toEqual(['first', ...lines(100), '']);
    await log.close();
  });

  it('fails every append of a batch that could not be synced, and all that come later', async () => {
    const sync = await spyOnSync();
    const log = await openLog(path, ignore);
    await log.append('good');
    sync.mockRejectedValueOnce(new Error('EIO'));
    const batch = await Promise.allSettled(lines(3).map((line) => log.append(line)));
    expect(batch.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(log.append('later')).rejects.toThrow('could not be written');
    await expect(log.synced()).rejects.toThrow('could not be written');
    await log.close();
  });

  it('takes nothing after it was closed', async () => {
    const log = await openLog(path, ignore);
    const last = log.append('last');
    await log.close();
    await last;
    await expect(log.append('later')).rejects.toThrow('closed');
  });
});
