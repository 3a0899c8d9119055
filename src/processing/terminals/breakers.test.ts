import { beforeEach, describe, expect, it } from 'vitest';
import type { Acquirer, Answer, TestLine } from '../../acquirers/acquirer.ts';
import type { TerminalState, TerminalStateStore } from '../../storage/terminal-states.ts';
import { createLog } from '../../telemetry/log.ts';
import { Breakers } from './breakers.ts';

const SECOND = 1_000;
const FAULT: Answer = { word: 'unknown', reason: 'no answer', fault: 'silent' };
const UNSENT: Answer = { word: 'unsent', reason: 'no connection' };
const DECLINED: Answer = { word: 'declined', code: '912' };
const APPROVED: Answer = { word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' };

let now: number;
let rows: Map<string, TerminalState & { triedUntil: number }>;
let isReachable: boolean;
let lines: string[];

/** As the database does it. */
const store: TerminalStateStore = {
  read: async () => {
    if (!isReachable) throw new Error('no database');
    return [...rows.values()];
  },
  write: async (state) => {
    if (!isReachable) throw new Error('no database');
    if ((rows.get(state.terminal)?.version ?? 0) !== state.version - 1) return false;
    rows.set(state.terminal, { ...state, triedUntil: 0 });
    return true;
  },
  claim: async ({ terminal, version }, at, until) => {
    const row = rows.get(terminal);
    if (row?.version !== version || !row.isOpen || row.triedUntil > at) return false;
    rows.set(terminal, { ...row, triedUntil: until });
    return true;
  },
};

class Node {
  answer: Answer = APPROVED;
  tested: readonly TestLine[] = [{ what: 'connected', works: true }];
  tests = 0;
  #sleeper: (() => void) | undefined;
  #asleep: (() => void) | undefined;
  readonly clock = {
    now: () => now,
    sleep: () =>
      new Promise<void>((resolve) => {
        this.#sleeper = resolve;
        this.#asleep?.();
      }),
  };
  readonly breakers = new Breakers({ clock: this.clock, log: createLog((line) => lines.push(line)), store });
  readonly acquirer: Acquirer = this.breakers.over('bank', {
    send: async () => this.answer,
    inquire: async () => this.answer as never,
    reverse: async () => ({ word: 'reversed' }),
    test: async () => {
      this.tests += 1;
      return this.tested;
    },
    close: async () => {},
  });

  constructor() {
    const failed = () => {};
    void this.breakers.run(new AbortController().signal, { find: () => ({ acquirer: this.acquirer }) }, failed);
  }

  async send(answer: Answer, times = 1): Promise<void> {
    this.answer = answer;
    for (let time = 0; time < times; time++) await this.acquirer.send({} as never, {} as never);
    await settled();
  }

  /** One look at what the others noticed. */
  async look(): Promise<void> {
    const asleep = new Promise<void>((resolve) => {
      this.#asleep = resolve;
    });
    this.#sleeper?.();
    await asleep;
    await settled();
  }

  get isOpen(): boolean {
    return this.breakers.isOpen('bank');
  }
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

describe('a terminal whose bank does not answer', () => {
  let one: Node;
  let other: Node;

  beforeEach(() => {
    now = 1_800_000_000_000;
    rows = new Map();
    isReachable = true;
    lines = [];
    [one, other] = [new Node(), new Node()];
  });

  it('is left out at once by the node that noticed, and by the others at their next look', async () => {
    await one.send(FAULT, 4);
    expect(one.isOpen).toBe(false);
    await one.send(UNSENT);
    expect([one.isOpen, other.isOpen]).toEqual([true, false]);
    await other.look();
    expect(other.isOpen).toBe(true);
    expect(rows.get('bank')).toMatchObject({ version: 1, isOpen: true, opens: 1, reason: 'no connection' });
  });

  it('is never left out for its declines', async () => {
    await one.send(DECLINED, 100);
    expect(one.isOpen).toBe(false);
    expect(rows.size).toBe(0);
  });

  it('is tried by one node when its pause is over, and taken back by all', async () => {
    await one.send(FAULT, 5);
    await other.look();
    now += 4 * SECOND;
    await Promise.all([one.look(), other.look()]);
    expect(one.tests + other.tests).toBe(0);
    now += SECOND;
    await Promise.all([one.look(), other.look()]);
    expect(one.tests + other.tests).toBe(1);
    await Promise.all([one.look(), other.look()]);
    expect([one.isOpen, other.isOpen]).toEqual([false, false]);
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([
      'a terminal is left out until it can be reached again',
      'a terminal is left out until it can be reached again',
      'a terminal is in use again',
      'a terminal is in use again',
    ]);
  });

  it('stays out for longer when the try fails', async () => {
    one.tested = [
      { what: 'connected', works: true },
      { what: 'signed on', works: false, detail: 'wrong key' },
    ];
    await one.send(FAULT, 5);
    now += 5 * SECOND;
    await one.look();
    expect(rows.get('bank')).toMatchObject({ isOpen: true, opens: 2, at: now + 10 * SECOND, reason: 'wrong key' });
    now += 9 * SECOND;
    await one.look();
    expect(one.tests).toBe(1);
    now += SECOND;
    await one.look();
    expect(one.tests).toBe(2);
  });

  it('is tried by another node when the one that tried it died', async () => {
    await one.send(FAULT, 5);
    await other.look();
    now += 5 * SECOND;
    const row = rows.get('bank');
    if (row) rows.set('bank', { ...row, triedUntil: now + 45 * SECOND });
    await other.look();
    expect(other.tests).toBe(0);
    now += 45 * SECOND;
    await other.look();
    expect(other.tests).toBe(1);
    expect(other.isOpen).toBe(false);
  });

  it('is taken back when a payment that was sent all the same is answered', async () => {
    await one.send(FAULT, 5);
    now += 1;
    await one.send(DECLINED);
    expect(one.isOpen).toBe(false);
    expect(rows.get('bank')).toMatchObject({ version: 2, isOpen: false });
  });

  it('is not judged by calls from before it was taken back', async () => {
    let answer: (given: Answer) => void = () => {};
    const slow = one.breakers.over('bank', {
      ...one.acquirer,
      send: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const waiting = Array.from({ length: 10 }, () => {
      const call = slow.send({} as never, {} as never);
      return { call, answer };
    });
    await one.send(FAULT, 5);
    now += 5 * SECOND;
    await one.look();
    expect(one.isOpen).toBe(false);
    for (const { call, answer } of waiting) {
      answer(FAULT);
      await call;
    }
    expect(one.isOpen).toBe(false);
  });

  it('is left out by a node that cannot write it down, which does so later', async () => {
    isReachable = false;
    await one.send(FAULT, 5);
    expect(one.isOpen).toBe(true);
    await one.look();
    expect(one.isOpen).toBe(true);
    isReachable = true;
    await one.look();
    expect(rows.get('bank')).toMatchObject({ version: 1, isOpen: true });
  });

  it('is written down once when two nodes notice at the same time', async () => {
    one.answer = FAULT;
    other.answer = FAULT;
    const calls = [one, other].flatMap((node) =>
      Array.from({ length: 5 }, () => node.acquirer.send({} as never, {} as never)),
    );
    await Promise.all(calls);
    await settled();
    await Promise.all([one.look(), other.look()]);
    expect([one.isOpen, other.isOpen]).toEqual([true, true]);
    expect(rows.get('bank')).toMatchObject({ version: 1, opens: 1 });
  });
});
