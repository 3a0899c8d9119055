import { describe, expect, it } from 'vitest';
import type { Fate } from './fault-script.ts';
import { readScript, type ScriptStep } from './fault-script.ts';
import { FaultPlan, type Faults } from './faults.ts';

const MESSAGES = 4_000;

function fates(faults: Partial<Faults>): Fate[] {
  const plan = new FaultPlan(faults);
  return Array.from({ length: MESSAGES }, () => plan.fateOf('instruct'));
}

const share = (drawn: readonly Fate[], end: Fate['end']) => drawn.filter((fate) => fate.end === end).length / MESSAGES;

describe('faults', () => {
  it('nothing happens by default', () => {
    expect(new Set(fates({}).map((fate) => JSON.stringify(fate)))).toEqual(
      new Set(['{"end":"answered","requestDelayMs":0,"answerDelayMs":0}']),
    );
  });

  it('each rate is kept', () => {
    const drawn = fates({ refuseRate: 0.1, loseRequestRate: 0.2, loseAnswerRate: 0.3 });
    expect(share(drawn, 'refused')).toBeCloseTo(0.1, 1);
    expect(share(drawn, 'request-lost')).toBeCloseTo(0.2, 1);
    expect(share(drawn, 'answer-lost')).toBeCloseTo(0.3, 1);
    expect(share(drawn, 'answered')).toBeCloseTo(0.4, 1);
    const others = fates({ garbleRate: 0.2, doubleRate: 0.3 });
    expect(share(others, 'garbled')).toBeCloseTo(0.2, 1);
    expect(share(others, 'doubled')).toBeCloseTo(0.3, 1);
  });

  it('a new kind of fault does not change which messages the others hit', () => {
    const lost = (faults: Partial<Faults>) =>
      fates({ loseAnswerRate: 0.3, ...faults }).map(({ end }) => end === 'answer-lost');
    expect(lost({ garbleRate: 0.2, doubleRate: 0.2 })).toEqual(lost({}));
  });

  it('by order of arrival: some pass, some are affected, the rest pass', () => {
    const plan = new FaultPlan({ refuseRate: 1, skip: 2, limit: 3, messages: ['instruct'] });
    const ends = Array.from({ length: 7 }, () => {
      plan.fateOf('inquire'); // not counted
      return plan.fateOf('instruct').end;
    });
    expect(ends).toEqual(['answered', 'answered', 'refused', 'refused', 'refused', 'answered', 'answered']);
  });

  it('by script: message by message, and then by rates', () => {
    const script = readScript(['2*ok', 'lose-answer', 'late-answer=45000', 'garble', 'double']) as ScriptStep[];
    const plan = new FaultPlan({ script, refuseRate: 1, skip: 1 });
    const drawn = Array.from({ length: 8 }, () => plan.fateOf('instruct'));
    expect(drawn.map(({ end, answerDelayMs }) => `${end} ${answerDelayMs}`)).toEqual([
      'answered 0',
      'answered 0',
      'answer-lost 0',
      'answered 45000',
      'garbled 0',
      'doubled 0',
      'answered 0',
      'refused 0',
    ]);
    plan.set({ script: ['refuse'] });
    expect([plan.fateOf('inquire').end, plan.fateOf('inquire').end]).toEqual(['refused', 'answered']);
  });

  it.each([['sometimes'], ['late-answer'], ['late-answer=9999999'], ['99999*ok'], ['*ok'], ['']])(
    'a script with "%s" in it is none',
    (word) => expect(readScript(['ok', word])).toBeUndefined(),
  );

  it('the same seed gives the same faults, another seed others', () => {
    const faults = { loseAnswerRate: 0.5, answerDelayMs: { from: 0, to: 1_000 } };
    expect(fates({ ...faults, seed: 7 })).toEqual(fates({ ...faults, seed: 7 }));
    expect(fates({ ...faults, seed: 7 })).not.toEqual(fates({ ...faults, seed: 8 }));
  });

  it('a delay does not change which messages are lost', () => {
    const ends = (faults: Partial<Faults>) => fates({ loseRequestRate: 0.5, ...faults }).map((fate) => fate.end);
    expect(ends({ requestDelayMs: { from: 1, to: 9 } })).toEqual(ends({}));
  });

  it('a delay is fixed or within its range', () => {
    const drawn = fates({ requestDelayMs: 40, answerDelayMs: { from: 10, to: 20 } });
    expect(new Set(drawn.map((fate) => fate.requestDelayMs))).toEqual(new Set([40]));
    expect(Math.min(...drawn.map((fate) => fate.answerDelayMs))).toBe(10);
    expect(Math.max(...drawn.map((fate) => fate.answerDelayMs))).toBe(20);
  });

  it('only the messages named are affected, and faults can be changed and lifted', () => {
    const plan = new FaultPlan({ refuseRate: 1, messages: ['inquire'] });
    expect(plan.fateOf('instruct').end).toBe('answered');
    expect(plan.fateOf('inquire').end).toBe('refused');
    plan.set({ loseAnswerRate: 1 });
    expect(plan.fateOf('inquire').end).toBe('answer-lost');
    plan.set({});
    expect(plan.fateOf('inquire').end).toBe('answered');
  });
});
