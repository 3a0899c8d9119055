import { describe, expect, it } from 'vitest';
import { AskedTooMuch } from '../verb/invalid-input.ts';
import { Lanes } from './lanes.ts';

/** Work that says when it began and ends when it is told to. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((end) => ends.set(name, end));
    return name;
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise(setImmediate);

describe('administrators who look', () => {
  it('do not wait for each other, nor for a change', async () => {
    const lanes = new Lanes();
    const { begun, work, end } = openWork();
    const all = [
      lanes.change('ann', work('change')),
      lanes.look('ann', work('first')),
      lanes.look('bob', work('second')),
      lanes.look('cid', work('third')),
    ];
    await settled();
    expect(begun.sort()).toEqual(['change', 'first', 'second', 'third']);
    for (const name of begun) end(name);
    expect(await Promise.all(all)).toEqual(['change', 'first', 'second', 'third']);
  });

  it('are two at once of one person and six in all, and go on whatever became of those before', async () => {
    const lanes = new Lanes();
    const { begun, work, end } = openWork();
    const failing = lanes.look('ann', () => Promise.reject(new Error('odd')));
    await expect(failing).rejects.toThrow('odd');
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'd1']) void lanes.look(name[0] as string, work(name));
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
    end('b1');
    await settled();
    // Of whom may, who came first; ann has two already.
    expect(begun.slice(6)).toEqual(['d1']);
    end('a1');
    await settled();
    expect(begun.slice(7)).toEqual(['a3']);
  });
});

describe('administrators who change', () => {
  it('are served one after another', async () => {
    const lanes = new Lanes();
    const { begun, work, end } = openWork();
    const all = ['one', 'two'].map((name) => lanes.change(name, work(name)));
    await settled();
    expect(begun).toEqual(['one']);
    end('one');
    await settled();
    expect(begun).toEqual(['one', 'two']);
    end('two');
    await Promise.all(all);
  });

  it('of whom a hundred requests are under way are told to wait, and nobody else is', async () => {
    const lanes = new Lanes();
    const { work, end } = openWork();
    const first = lanes.change('ann', work('first'));
    const others = Array.from({ length: 99 }, () => lanes.change('ann', async () => 'done'));
    await expect(lanes.look('ann', work('too much'))).rejects.toThrow(AskedTooMuch);
    const look = lanes.look('bob', work('look'));
    await settled();
    end('look');
    expect(await look).toBe('look');
    end('first');
    await Promise.all([first, ...others]);
    expect(await lanes.look('ann', async () => 'again')).toBe('again');
  });
});
