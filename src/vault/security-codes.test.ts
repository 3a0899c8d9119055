import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CODE_KEY_MS, CODE_KEY_SEALS_MS, CVV_MS } from '../domain/order/retry-schedule.ts';
import { Secret } from '../domain/secret.ts';
import type { HandedCodeKey, HandedCodeKeys, MeetingNode } from '../storage/keys/handed-code-keys.ts';
import { type CodeKeyPlace, codeKeysInProcess, openCodeKeyFolder } from './code-key-place.ts';
import { MeetingPair, sealTo } from './hand-over.ts';
import { SecurityCodes } from './security-codes.ts';
import { KeysTooOld } from './vault.ts';

const CODE = new Secret('7391');
const PLACE = 'merchant/1/order/2/cvv';
const QUARTER_HOUR_MS = 15 * 60_000;
const PAIR_MS = 60_000;
const ID_BYTES = 16;
const KEY_BYTES = 32;

let now: number;
const clock = { now: () => now, sleep: async () => {} };

/** What nodes hand to each other, as a database would keep it; and all that was ever written there. */
class Meetings implements HandedCodeKeys {
  readonly nodes = new Map<string, MeetingNode & { readonly livesUntil: number }>();
  readonly rows = new Map<string, HandedCodeKey>();
  readonly log: { readonly instance: string; readonly key: HandedCodeKey }[] = [];
  isAway = false;

  async meet(node: MeetingNode, at: number, livesUntil: number) {
    if (this.isAway) throw new Error('no database');
    this.nodes.set(node.instance, { ...node, livesUntil });
    const others = [...this.nodes.values()].filter((one) => one.instance !== node.instance && one.livesUntil > at);
    const handed = [...this.rows].filter(([name]) => name.startsWith(node.instance)).map(([, key]) => key);
    return { others, handed };
  }

  async hand(instance: string, key: HandedCodeKey) {
    this.rows.set(`${instance} ${key.codeKeyId}`, key);
    this.log.push({ instance, key });
  }

  async forget(at: number) {
    for (const [name, { livesUntil }] of this.rows) if (livesUntil <= at) this.rows.delete(name);
  }

  async leave(instance: string) {
    this.nodes.delete(instance);
  }
}

let place: CodeKeyPlace;
beforeEach(() => {
  now = Date.UTC(2026, 5, 1);
  place = codeKeysInProcess();
});

const openNode = (instance = 'a', around: { place?: CodeKeyPlace; handed?: HandedCodeKeys } = {}) =>
  SecurityCodes.open({ clock, place, instance, unmet: () => {}, vouch, ...around });

/** What only nodes can say. */
const vouch = (values: readonly string[]) => Buffer.from(`vault: ${values.join()}`);

const revealed = async (codes: SecurityCodes, sealed: Buffer) => (await codes.open(sealed, PLACE))?.reveal();

describe('a security code', () => {
  it('opens where it belongs, and nowhere else', async () => {
    const codes = await openNode();
    const sealed = codes.seal(CODE, PLACE);
    expect(sealed.includes('7391')).toBe(false);
    expect(await revealed(codes, sealed)).toBe('7391');
    await expect(codes.open(sealed, 'merchant/1/order/3/cvv')).rejects.toThrow();
  });

  it.each([0, CODE_KEY_SEALS_MS - 1])(
    'can be opened for as long as codes wait, sealed %i ms after its key',
    async (age) => {
      const codes = await openNode();
      now += age;
      const sealed = codes.seal(CODE, PLACE);
      now += CVV_MS;
      expect(await revealed(codes, sealed)).toBe('7391');
    },
  );

  it('is lost within a quarter of an hour after its key was used for the last time', async () => {
    const codes = await openNode();
    const sealed = codes.seal(CODE, PLACE);
    now += CODE_KEY_MS;
    expect(CODE_KEY_MS).toBeLessThan(QUARTER_HOUR_MS);
    expect(await revealed(codes, sealed)).toBeUndefined();
  });

  it('is not sealed under a key that is too old, and under a new one after that', async () => {
    const codes = await openNode();
    now += CODE_KEY_SEALS_MS;
    expect(codes.isStale).toBe(true);
    expect(() => codes.seal(CODE, PLACE)).toThrow(KeysTooOld);
    expect(await codes.freshen()).toBe(true);
    expect(await revealed(codes, codes.seal(CODE, PLACE))).toBe('7391');
  });

  it('goes on under the next key before the last one is too old', async () => {
    const codes = await openNode();
    const keys = new Set<string>();
    for (let second = 0; second < 300; second += 5) {
      await codes.look();
      expect(codes.isStale).toBe(false);
      keys.add(codes.seal(CODE, PLACE).toString('hex', 0, ID_BYTES));
      now += 5_000;
    }
    expect(keys.size).toBeGreaterThan(300_000 / CODE_KEY_SEALS_MS);
  });

  it('is opened by the next process of the machine', async () => {
    const sealed = (await openNode()).seal(CODE, PLACE);
    expect(await revealed(await openNode('b'), sealed)).toBe('7391');
  });

  it('is opened by another process that was there before', async () => {
    const other = await openNode('b');
    expect(await revealed(other, (await openNode()).seal(CODE, PLACE))).toBe('7391');
  });

  it('is lost with the memory of its machine', async () => {
    const sealed = (await openNode()).seal(CODE, PLACE);
    place = codeKeysInProcess();
    expect(await revealed(await openNode('b'), sealed)).toBeUndefined();
  });

  it('is lost when the clock was put back far', async () => {
    const codes = await openNode();
    const sealed = codes.seal(CODE, PLACE);
    now -= 60_000;
    expect(codes.isStale).toBe(true);
    expect(await revealed(codes, sealed)).toBeUndefined();
  });
});

describe('the keys of a machine', () => {
  const kept = async () => (await place.list()).length;

  it('are destroyed when they are over, whoever made them', async () => {
    await openNode();
    const other = await openNode('b');
    expect(await kept()).toBe(2);
    now += CODE_KEY_MS;
    await other.look();
    expect(await kept()).toBe(1);
  });

  it('are destroyed when they are over, also those of a process that came later and is gone', async () => {
    const other = await openNode('b');
    await openNode();
    now += CODE_KEY_MS;
    await other.look();
    expect(await kept()).toBe(1);
  });

  it('are overwritten in memory when they are destroyed', async () => {
    const alloc = vi.spyOn(Buffer, 'alloc');
    const codes = await openNode();
    const keys = alloc.mock.results.map(({ value }) => value as Buffer).filter(({ length }) => length === KEY_BYTES);
    alloc.mockRestore();
    const isBlank = (key: Buffer) => key.equals(new Uint8Array(KEY_BYTES));
    expect(keys.map(isBlank)).toEqual([false]);
    now += CODE_KEY_MS;
    await codes.look();
    expect(keys.map(isBlank)).toEqual([true]);
  });

  it('stay for the next process while codes wait', async () => {
    const codes = await openNode();
    await codes.end({ codesWait: true });
    expect(await kept()).toBe(1);
  });

  it('of siblings that were there before stay when a later worker leaves', async () => {
    const handed = new Meetings();
    const sibling = await openNode('a', { handed });
    const sealed = sibling.seal(CODE, PLACE);
    const later = await openNode('b', { handed });
    await later.end({ codesWait: false });
    expect(await kept()).toBe(1);
    const successor = await openNode('c', { handed });
    expect(await revealed(successor, sealed)).toBe('7391');
  });

  it('go with a process that leaves nothing behind, except those that others seal under', async () => {
    const [codes] = [await openNode(), await openNode('b')];
    await codes.look();
    await codes.end({ codesWait: false });
    expect(await kept()).toBe(1);
  });
});

describe('between machines', () => {
  let meetings: Meetings;
  beforeEach(() => {
    meetings = new Meetings();
  });

  const machine = (instance: string, own = codeKeysInProcess()) => openNode(instance, { place: own, handed: meetings });

  it('a code is opened by a node that was there before, although its own machine is gone', async () => {
    const b = await machine('b');
    const sealed = (await machine('a')).seal(CODE, PLACE);
    expect(await revealed(b, sealed)).toBe('7391');
  });

  it('and by one that came later, when the keys were looked after', async () => {
    const a = await machine('a');
    const sealed = a.seal(CODE, PLACE);
    const b = await machine('b');
    await a.look();
    expect(await revealed(b, sealed)).toBe('7391');
  });

  it('a key that was received outlives the process it was sealed to', async () => {
    const memory = codeKeysInProcess();
    const b = await machine('b', memory);
    const sealed = (await machine('a')).seal(CODE, PLACE);
    await b.look();
    meetings.rows.clear();
    expect(await revealed(await machine('c', memory), sealed)).toBe('7391');
  });

  it('a key is received although the pair was just renewed', async () => {
    const b = await machine('b');
    now += PAIR_MS - 1;
    await b.look();
    const sealed = (await machine('a')).seal(CODE, PLACE);
    now += 1;
    expect(await revealed(b, sealed)).toBe('7391');
  });

  it('what was written for a node is useless to who takes its place later', async () => {
    await machine('b');
    const sealed = (await machine('a')).seal(CODE, PLACE);
    expect(meetings.log).not.toEqual([]);
    const [thief] = [await machine('b')];
    expect(await revealed(thief, sealed)).toBeUndefined();
  });

  it('nothing opens what was handed over once two pairs have passed', async () => {
    const b = await machine('b');
    const sealed = (await machine('a')).seal(CODE, PLACE);
    const found = new Map(meetings.rows);
    meetings.rows.clear();
    for (const _ of ['first', 'second']) {
      now += PAIR_MS;
      await b.look();
    }
    for (const [name, row] of found) meetings.rows.set(name, row);
    expect(found.size).toBe(1);
    expect(await revealed(b, sealed)).toBeUndefined();
  });

  it.each<[string, (ofB: MeetingNode, theirs: Buffer) => MeetingNode]>([
    ['without a MAC', (_, publicKey) => ({ instance: 'stranger', publicKey, mac: Buffer.alloc(0) })],
    ['with the MAC of a node', ({ mac }, publicKey) => ({ instance: 'stranger', publicKey, mac })],
    ['with all that a node has but its name', (ofB) => ({ ...ofB, instance: 'stranger' })],
    ['in the place of a node, with a key of their own', (ofB, publicKey) => ({ ...ofB, publicKey })],
  ])('nothing is handed to somebody who can only write into the database, %s', async (_, poses) => {
    const b = await machine('b');
    const ofB = meetings.nodes.get('b') as MeetingNode;
    const stranger = poses(ofB, new MeetingPair(now).publicKey);
    meetings.nodes.set(stranger.instance, { ...stranger, livesUntil: now + QUARTER_HOUR_MS });
    const a = await machine('a');
    expect(meetings.log.filter(({ instance }) => instance === stranger.instance && instance !== 'b')).toEqual([]);
    if (stranger.instance === 'b') expect(meetings.log).toEqual([]);
    // The node itself gets what it lacks as soon as it says again that it is there.
    await b.look();
    await a.look();
    expect(await revealed(b, a.seal(CODE, PLACE))).toBe('7391');
  });

  it('a key that is over is not taken any more', async () => {
    const memory = codeKeysInProcess();
    const b = await machine('b', memory);
    await machine('a');
    expect(meetings.rows.size).toBe(1);
    now += CODE_KEY_MS;
    await b.look();
    expect(await memory.list()).toHaveLength(1);
  });

  it('a key is not taken for another one whose name somebody has given it', async () => {
    const b = await machine('b');
    const sealed = (await machine('a')).seal(CODE, PLACE);
    const [[name, ofA]] = [...meetings.rows] as [[string, HandedCodeKey]];
    await machine('c');
    const ofC = meetings.log.find(({ instance, key }) => instance === 'b' && key !== ofA)?.key as HandedCodeKey;
    meetings.rows.set(name, { ...ofC, codeKeyId: ofA.codeKeyId });
    expect(await revealed(b, sealed)).toBeUndefined();
  });

  it('nothing is sealed under a key before the others have it', async () => {
    const [b, a] = [await machine('b'), await machine('a')];
    const former = a.seal(CODE, PLACE).toString('hex', 0, ID_BYTES);
    now += CODE_KEY_SEALS_MS - 1;
    await b.look();
    const meant: string[] = [];
    const hand = meetings.hand.bind(meetings);
    meetings.hand = (instance, key) => {
      meant.push(a.seal(CODE, PLACE).toString('hex', 0, ID_BYTES));
      return hand(instance, key);
    };
    await a.look();
    expect(meant).toEqual([former]);
    expect(a.seal(CODE, PLACE).toString('hex', 0, ID_BYTES)).not.toBe(former);
  });

  it('seals although the others cannot be met', async () => {
    meetings.isAway = true;
    const a = await machine('a');
    expect(await revealed(a, a.seal(CODE, PLACE))).toBe('7391');
  });

  it('does not call a code lost while nobody can be asked for its key', async () => {
    const b = await machine('b');
    const sealed = (await machine('a')).seal(CODE, PLACE);
    meetings.isAway = true;
    await expect(b.open(sealed, PLACE)).rejects.toThrow('no database');
  });

  it('a key is opened by the pair it was sealed to, for its place', () => {
    const [pair, other] = [new MeetingPair(0), new MeetingPair(0)];
    const sealed = sealTo(pair.publicKey, Buffer.from('a key'), 'here');
    expect(pair.open(sealed, 'here')?.toString()).toBe('a key');
    expect([other.open(sealed, 'here'), pair.open(sealed, 'there')]).toEqual([undefined, undefined]);
    expect(pair.open(sealed.subarray(0, 20), 'here')).toBeUndefined();
  });
});

describe('the folder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tender-codes-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));
  const folder = () => join(parent, 'keys');

  it('is closed to others, and so are the keys', async () => {
    const opened = await openCodeKeyFolder(folder());
    await openNode('a', { place: opened });
    const [id] = await opened.list();
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder(), id as string))).mode & 0o777).toBe(0o600);
  });

  it('outlives its process, and goes when nothing is left in it', async () => {
    const first = await openNode('a', { place: await openCodeKeyFolder(folder()) });
    const sealed = first.seal(CODE, PLACE);
    const second = await openNode('b', { place: await openCodeKeyFolder(folder()) });
    expect(await revealed(second, sealed)).toBe('7391');
    await second.end({ codesWait: false });
    await expect(readdir(folder())).rejects.toThrow('ENOENT');
    await first.look();
    expect(await revealed(first, sealed)).toBe('7391');
  });

  it('has no key of the time before, and none that is half-written', async () => {
    const opened = await openCodeKeyFolder(folder());
    await openNode('a', { place: opened });
    const [id = ''] = await opened.list();
    const before = await readFile(join(folder(), id));
    await writeFile(join(folder(), 'f'.repeat(32)), before.subarray(0, 20));
    now += CODE_KEY_MS;
    const later = await openNode('b', { place: opened });
    const bytes = await Promise.all((await readdir(folder())).map((name) => readFile(join(folder(), name))));
    expect(bytes.some((one) => one.includes(before.subarray(8)))).toBe(false);
    expect(bytes.filter((one) => one.length === before.length)).toHaveLength(1);
    expect(later.isStale).toBe(false);
  });

  it.each([
    ['a file', () => writeFile(folder(), ''), 'cannot be made'],
    ['open to others', () => mkdir(folder(), { mode: 0o755 }), 'is open to others'],
    ['a link to somewhere else', () => symlink(parent, folder()), 'is not a folder'],
  ])('is refused when it is %s', async (_, make, reason) => {
    await make();
    await expect(openCodeKeyFolder(folder())).rejects.toThrow(reason);
  });
});
