import { expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import type { Instruction } from '../acquirer.ts';
import { LineTrace } from './line-trace.ts';

const NUMBER = '4111111111111111';
const CODE = '987';

const sale = (reference: string): Instruction => ({
  kind: 'sale',
  reference,
  amount: { minor: 1042n, currency: 'USD' },
  card: { number: new Secret(NUMBER), expireMonth: 12, expireYear: 2031, cvv: new Secret(CODE) },
  descriptor: 'Shop',
  initiator: 'payer',
});

const APPROVED = { word: 'approved', approvalCode: '004711', rrn: '632300000001', processorTxId: 'x' } as const;

function traced() {
  let now = 1_000;
  return new LineTrace({ now: () => (now += 5), sleep: async () => {} });
}

it('tells what was asked and answered, the ends of the card and how long it took', async () => {
  const trace = traced();
  await trace.instructed(sale('7-1-x'), Promise.resolve(APPROVED));
  await trace.asked('inquiry', '7-1-x', Promise.resolve({ word: 'unknown', reason: 'silence' } as const));
  await trace.asked('reversal', '7-1-x', Promise.resolve({ word: 'reversed' } as const));
  expect(trace.lines()).toEqual([
    { at: 1_005, direction: 'out', text: 'sale reference=7-1-x amount=10.42 USD card=411111...1111' },
    { at: 1_010, direction: 'in', text: 'approved code=004711 rrn=632300000001 reference=7-1-x after 5 ms' },
    { at: 1_015, direction: 'out', text: 'inquiry reference=7-1-x' },
    { at: 1_020, direction: 'in', text: 'unknown: silence; reference=7-1-x after 5 ms' },
    { at: 1_025, direction: 'out', text: 'reversal reference=7-1-x' },
    { at: 1_030, direction: 'in', text: 'reversed reference=7-1-x after 5 ms' },
  ]);
});

it('keeps the latest thousand, oldest first, and neither a number nor a code', async () => {
  const trace = traced();
  for (let index = 1; index <= 501; index++) await trace.instructed(sale(`${index}-1`), Promise.resolve(APPROVED));
  const lines = trace.lines();
  expect(lines).toHaveLength(1_000);
  expect(lines[0]?.text).toContain('reference=2-1 ');
  expect(lines.at(-1)?.text).toContain('reference=501-1 ');
  // The trace holds no secret, not even one that would be masked when it is printed.
  const isSecret = (value: unknown): boolean =>
    value instanceof Secret || (typeof value === 'object' && value !== null && Object.values(value).some(isSecret));
  expect(isSecret(lines)).toBe(false);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${NUMBER}|${CODE}`));
});
