// Security codes that wait for a bank, sealed under keys of minutes that are in no database, log, backup or export.
// Each process makes its own keys, and keeps them where the next process of this machine finds them; other machines
// get them sealed to themselves. A key that is over is destroyed, and with it every code that was sealed under it,
// wherever a copy of the bytes may be. A code whose key is lost before its time is lost, too.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import { CODE_KEY_MS, CVV_MS } from '../domain/order/retry-schedule.ts';
import { patiently } from '../domain/patience.ts';
import { Secret } from '../domain/secret.ts';
import type { HandedCodeKeys, MeetingNode } from '../storage/keys/handed-code-keys.ts';
import type { CodeKeyPlace } from './code-key-place.ts';
import { MeetingPair, sealTo } from './hand-over.ts';
import { openSealed, seal } from './seal.ts';
import { KeysTooOld } from './vault.ts';

const ID_BYTES = 16;
const KEY_BYTES = 32;
const MOMENT_BYTES = 8;

/** How often keys are looked after, and how long before its time is up a key is followed by the next. */
const LOOK_EVERY_MS = 5_000;
const RENEW_BEFORE_MS = 3 * LOOK_EVERY_MS;

/** How long a node counts as being there, and how long its pair of keys is the one that is sealed to. */
const LIVES_MS = 30_000;
const PAIR_MS = 60_000;

/** How long a caller who wants to seal waits for a new key. */
const FRESHEN_LIMIT_MS = 2_000;

/** How far the clocks of two machines may be apart. */
const CLOCKS_APART_MS = 30_000;

/** The key is a buffer of its own, because that can be overwritten. */
type CodeKey = { readonly id: string; readonly key: Buffer; readonly livesUntil: number };

/** What orders need of it. */
export type CodeSealing = Pick<SecurityCodes, 'isStale' | 'freshen' | 'seal' | 'open'>;

export type SecurityCodesParts = {
  readonly clock: Clock;
  readonly place: CodeKeyPlace;
  /** Names this process. */
  readonly instance: string;
  /** The way to other nodes; left out where there are none. */
  readonly handed?: HandedCodeKeys | undefined;
  /** A keyed digest that only nodes with the vault's keys can make. */
  vouch(values: readonly string[]): Buffer;
  /** Called when other nodes could not be met: their codes may be lost if this node's keys are. */
  readonly unmet: (error: unknown) => void;
};

export class SecurityCodes {
  readonly #parts: SecurityCodesParts;
  readonly #keys = new Map<string, CodeKey>();
  /** Keys of this machine that other nodes get, each with the nodes that have it. */
  readonly #own = new Map<string, Set<string>>();
  /** Keys that this process made: only it seals under them. */
  readonly #made = new Set<string>();
  #hasSiblings = false;
  #current: CodeKey | undefined;
  #pair: MeetingPair;
  #formerPair: MeetingPair | undefined;
  #looked: Promise<unknown> = Promise.resolve();
  readonly #lookSoon = patiently(() => this.look(), FRESHEN_LIMIT_MS);

  private constructor(parts: SecurityCodesParts) {
    this.#parts = parts;
    this.#pair = new MeetingPair(parts.clock.now());
  }

  /** Takes over the keys of earlier processes of this machine. */
  static async open(parts: SecurityCodesParts): Promise<SecurityCodes> {
    const codes = new SecurityCodes(parts);
    for (const id of await parts.place.list()) if (await codes.#found(id)) codes.#own.set(id, new Set());
    await codes.look();
    return codes;
  }

  /** Whether there is no key that may still seal. */
  get isStale(): boolean {
    return this.#current === undefined || !maySeal(this.#current, this.#parts.clock.now());
  }

  /** Makes a key if there is none that may seal. False when that failed: then no code can be sealed. */
  async freshen(): Promise<boolean> {
    try {
      await this.#lookSoon();
    } catch {
      // The keys stay as they are.
    }
    return !this.isStale;
  }

  /** The bytes begin with the name of the key. */
  seal(code: Secret<string>, place: string): Buffer {
    const current = this.#current;
    if (current === undefined || this.isStale) throw new KeysTooOld('the key of security codes is too old to seal');
    return Buffer.concat([Buffer.from(current.id, 'hex'), seal(current.key, code.reveal(), place)]);
  }

  /** Undefined when the key is gone: nobody can open the code any more. */
  async open(sealed: Buffer, place: string): Promise<Secret<string> | undefined> {
    const id = sealed.subarray(0, ID_BYTES).toString('hex');
    const known = this.#keys.get(id) ?? (await this.#found(id)) ?? (await this.#received(id));
    if (!known || isOver(known, this.#parts.clock.now())) return undefined;
    return new Secret(openSealed(known.key, sealed.subarray(ID_BYTES), place).toString('utf8'));
  }

  /** Looks after the keys until the signal is aborted. */
  async run(signal: AbortSignal, failed: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) await this.look().catch(failed);
    }
  }

  /** Destroys what is over, makes the next key in time, and meets the other nodes. */
  look(): Promise<void> {
    // One after the other, so that a key is not made twice.
    const looked = this.#looked.then(() => this.#look());
    this.#looked = looked.catch(() => {});
    return looked;
  }

  /**
   * Other nodes seal nothing to this one any more. While codes wait, the keys stay where the next process of this
   * machine finds them; otherwise those that seal no more, or no other process seals under, are destroyed. While
   * other nodes are there, what an earlier process made may be the key of a sibling, a worker behind the same port.
   */
  async end({ codesWait }: { readonly codesWait: boolean }): Promise<void> {
    const { clock, handed, instance, place } = this.#parts;
    await handed?.leave(instance);
    if (codesWait) return;
    const now = clock.now();
    for (const known of [...this.#keys.values()]) {
      const isOurs = this.#made.has(known.id) || (!this.#hasSiblings && this.#own.has(known.id));
      if (isOurs || !maySeal(known, now)) await this.#destroy(known);
    }
    await place.removeIfEmpty();
  }

  async #look(): Promise<void> {
    const { clock } = this.#parts;
    await this.#destroyOld();
    const renews = this.#current === undefined || !maySeal(this.#current, clock.now() + RENEW_BEFORE_MS);
    const next = renews ? await this.#make() : this.#current;
    // Others have the new key before anything is sealed under it, unless they cannot be met.
    await this.#meet().catch(this.#parts.unmet);
    this.#current = next;
  }

  async #make(): Promise<CodeKey> {
    const id = randomBytes(ID_BYTES).toString('hex');
    const bytes = randomBytes(MOMENT_BYTES + KEY_BYTES);
    bytes.writeBigUInt64BE(BigInt(this.#parts.clock.now() + CODE_KEY_MS));
    this.#own.set(id, new Set());
    this.#made.add(id);
    return this.#keep(id, bytes);
  }

  async #keep(id: string, bytes: Buffer): Promise<CodeKey> {
    await this.#parts.place.keep(id, bytes);
    return this.#learn(id, bytes);
  }

  #learn(id: string, bytes: Buffer): CodeKey {
    const key = Buffer.alloc(KEY_BYTES);
    bytes.copy(key, 0, MOMENT_BYTES);
    const known = { id, key, livesUntil: livesUntilIn(bytes) };
    bytes.fill(0);
    this.#keys.set(id, known);
    return known;
  }

  /** The key of another process of this machine. */
  async #found(id: string): Promise<CodeKey | undefined> {
    const bytes = await this.#parts.place.find(id);
    return bytes?.length === MOMENT_BYTES + KEY_BYTES ? this.#learn(id, bytes) : undefined;
  }

  /** A key of another machine that has not arrived yet. */
  async #received(id: string): Promise<CodeKey | undefined> {
    if (!this.#parts.handed) return undefined;
    await this.#meet();
    return this.#keys.get(id);
  }

  async #destroyOld(): Promise<void> {
    const now = this.#parts.clock.now();
    // What an earlier process left half-written, or another process has made, is looked at, too.
    for (const id of await this.#parts.place.list()) if (!this.#keys.has(id)) await this.#found(id);
    for (const known of [...this.#keys.values()]) if (isOver(known, now)) await this.#destroy(known);
  }

  async #destroy({ id, key }: CodeKey): Promise<void> {
    this.#keys.delete(id);
    this.#own.delete(id);
    this.#made.delete(id);
    key.fill(0);
    await this.#parts.place.destroy(id);
  }

  /** Says that this node is there, takes what others have sealed to it, and gives them what they lack. */
  async #meet(): Promise<void> {
    const { clock, handed, instance } = this.#parts;
    if (!handed) return;
    const now = clock.now();
    if (Math.abs(now - this.#pair.madeAt) >= PAIR_MS) this.#renewPair(now);
    const { publicKey } = this.#pair;
    const self = { instance, publicKey, mac: this.#macOf({ instance, publicKey }) };
    const met = await handed.meet(self, now, now + LIVES_MS);
    const others = met.others.filter((one) => this.#isNode(one));
    this.#hasSiblings = others.length > 0;
    for (const { codeKeyId, sealed } of met.handed) if (!this.#keys.has(codeKeyId)) await this.#take(codeKeyId, sealed);
    for (const [id, having] of this.#own) await this.#give(id, having, others);
    await handed.forget(now);
  }

  #macOf({ instance, publicKey }: Omit<MeetingNode, 'mac'>): Buffer {
    return this.#parts.vouch(['a node that takes keys of security codes', instance, publicKey.toString('hex')]);
  }

  /** Whoever can only write into the database is no node. */
  #isNode(node: MeetingNode): boolean {
    const right = this.#macOf(node);
    return node.mac.length === right.length && timingSafeEqual(node.mac, right);
  }

  /** The former pair opens what was sealed to it just before. */
  #renewPair(now: number): void {
    this.#formerPair = this.#pair;
    this.#pair = new MeetingPair(now);
  }

  async #take(id: string, sealed: Buffer): Promise<void> {
    const place = handOverPlace(this.#parts.instance, id);
    const bytes = this.#pair.open(sealed, place) ?? this.#formerPair?.open(sealed, place);
    if (bytes && !isOver({ livesUntil: livesUntilIn(bytes) }, this.#parts.clock.now())) await this.#keep(id, bytes);
  }

  async #give(id: string, having: Set<string>, others: readonly MeetingNode[]): Promise<void> {
    const { handed, place } = this.#parts;
    // A node that was away for long comes back under another name, or with an empty memory.
    for (const instance of having) if (!others.some((one) => one.instance === instance)) having.delete(instance);
    const lacking = others.filter(({ instance }) => !having.has(instance));
    const bytes = lacking.length > 0 ? await place.find(id) : undefined;
    if (!handed || !bytes) return;
    const livesUntil = livesUntilIn(bytes);
    const sealed = lacking.map(({ instance, publicKey }) => sealTo(publicKey, bytes, handOverPlace(instance, id)));
    bytes.fill(0);
    for (const [index, { instance }] of lacking.entries()) {
      await handed.hand(instance, { codeKeyId: id, sealed: sealed[index] as Buffer, livesUntil });
      having.add(instance);
    }
  }
}

const handOverPlace = (instance: string, id: string) => `node/${instance}/code-key/${id}`;

/** In front of the key itself. */
const livesUntilIn = (bytes: Buffer) => Number(bytes.readBigUInt64BE());

/** Also when the clock was put back: no key lives for longer than a whole life from now. */
function isOver({ livesUntil }: Pick<CodeKey, 'livesUntil'>, now: number): boolean {
  return now >= livesUntil || livesUntil - now > CODE_KEY_MS + CLOCKS_APART_MS;
}

/** A code that is sealed now can be opened for as long as codes may wait. */
function maySeal(key: CodeKey, now: number): boolean {
  return !isOver(key, now) && now < key.livesUntil - CVV_MS;
}
