import { expect, it } from 'vitest';
import type { Acquirer, Instruction } from '../acquirers/acquirer.ts';
import { Metrics } from './metrics.ts';
import { watchedAcquirer } from './watched-acquirer.ts';

const SALE = { kind: 'sale', reference: '1-1' } as Instruction;
const CAPTURE = { kind: 'capture', reference: '1-2' } as Instruction;
const APPROVED = { word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' } as const;

/** A bank that gives these answers, one after the other. */
function bankThatAnswers(...answers: unknown[]): Acquirer {
  const next = async () => answers.shift() as never;
  return { name: 'scripted', send: next, inquire: next, reverse: next, close: async () => {} };
}

it('counts answers by instruction and outcome, and how long they took', async () => {
  const metrics = new Metrics();
  const doubt = { word: 'unknown', reason: 'in doubt' };
  const bank = bankThatAnswers(
    APPROVED,
    APPROVED,
    { word: 'declined', code: '116' },
    doubt,
    { ...doubt, fault: 'silent' },
    { word: 'not-found' },
    { word: 'reversed' },
  );
  const acquirer = watchedAcquirer(bank, metrics);
  expect(await acquirer.send(SALE)).toBe(APPROVED);
  for (const instruction of [SALE, SALE, CAPTURE, CAPTURE]) await acquirer.send(instruction);
  await acquirer.inquire('1-2');
  await acquirer.reverse('1-2');
  const text = await metrics.text();
  const answers = text.split('\n').filter((line) => line.startsWith('tender_acquirer_answers_total{'));
  expect(answers.map((line) => line.slice('tender_acquirer_answers_total'.length))).toEqual([
    '{instruction="sale",outcome="approved"} 2',
    '{instruction="sale",outcome="declined"} 1',
    '{instruction="capture",outcome="unknown"} 1',
    '{instruction="capture",outcome="silent"} 1',
    '{instruction="inquiry",outcome="not-found"} 1',
    '{instruction="reversal",outcome="reversed"} 1',
  ]);
  expect(text).toContain('tender_acquirer_seconds_count{instruction="sale"} 3\n');
  expect(text).toContain('tender_acquirer_seconds_bucket{le="30",instruction="inquiry"} 1\n');
});
