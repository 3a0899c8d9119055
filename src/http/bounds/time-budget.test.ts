import { describe, expect, it } from 'vitest';
import { SpentTime } from './time-budget.ts';

const BUDGET = { share: 0.2, mostSavedMs: 100 };

describe('time that strangers may ask for', () => {
  it('is spent from what was saved up', () => {
    const spent = new SpentTime(BUDGET, 0);
    spent.spend(60);
    expect(spent.isLeft(0)).toBe(true);
    spent.spend(60);
    expect(spent.isLeft(0)).toBe(false);
  });

  it('comes back as its share of the time that passes', () => {
    const spent = new SpentTime(BUDGET, 0);
    spent.spend(200);
    expect(spent.isLeft(499)).toBe(false);
    expect(spent.isLeft(506)).toBe(true);
  });

  it('is never saved up beyond its bound', () => {
    const spent = new SpentTime(BUDGET, 0);
    expect(spent.isLeft(1_000_000)).toBe(true);
    spent.spend(100);
    expect(spent.isLeft(1_000_000)).toBe(false);
  });
});
