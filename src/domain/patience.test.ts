import { expect, it } from 'vitest';
import { NoAnswer, patiently } from './patience.ts';

it('passes on what is answered in time, also when that is an error', async () => {
  expect(await patiently(async () => 7, 1_000)()).toBe(7);
  await expect(patiently(() => Promise.reject(new Error('no')), 1_000)()).rejects.toThrow('no');
});

it('does not wait for long, nor ask again while nobody has answered', async () => {
  const answers: ((answer: number) => void)[] = [];
  const ask = patiently(() => new Promise<number>((resolve) => answers.push(resolve)), 20);
  await expect(Promise.all([ask(), ask()])).rejects.toThrow(NoAnswer);
  const late = ask();
  expect(answers).toHaveLength(1);
  answers[0]?.(7);
  expect(await late).toBe(7);
  await expect(ask()).rejects.toThrow(NoAnswer);
  expect(answers).toHaveLength(2);
});
