import { expect, it } from 'vitest';
import type { Acquirer, Circumstances, Instruction, SentInstruction } from '../acquirers/acquirer.ts';
import { createLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { watchedAcquirer } from './watched-acquirer.ts';

const SALE = { kind: 'sale', reference: '1-1' } as Instruction;
const CAPTURE = { kind: 'capture', reference: '1-2' } as Instruction;
const AROUND = {} as Circumstances;
const SENT = {} as SentInstruction;
const APPROVED = { word: 'approved', approvalCode: '1', rrn: '2', processorTxId: '3' } as const;
const DOUBT = { word: 'unknown', reason: 'in doubt' };
const REFUSED = { word: 'unknown', reason: 'the bank refused the connection', fault: 'unreachable' };

/** A watched bank that gives these answers one after the other, with its metrics and its log. */
function watched(...answers: unknown[]) {
  const next = async () => answers.shift() as never;
  const bank: Acquirer = { send: next, inquire: next, reverse: next, test: async () => [], close: async () => {} };
  const metrics = new Metrics();
  const clock = { at: 0, now: () => clock.at };
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), clock.now);
  const acquirer = watchedAcquirer(bank, { address: 'http://bank.example', clock, log, metrics });
  return { acquirer, clock, lines, metrics };
}

it('counts answers by instruction and outcome, and how long they took', async () => {
  const declined = { word: 'declined', code: '116' };
  const { acquirer, metrics } = watched(
    ...[APPROVED, APPROVED, declined, DOUBT, REFUSED, { word: 'not-found' }, { word: 'reversed' }],
  );
  expect(await acquirer.send(SALE, AROUND)).toBe(APPROVED);
  for (const instruction of [SALE, SALE, CAPTURE, CAPTURE]) await acquirer.send(instruction, AROUND);
  await acquirer.inquire('1-2', SENT);
  await acquirer.reverse('1-2', SENT);
  const text = await metrics.text();
  const counted = text.split('\n').filter((line) => line.startsWith('tender_acquirer_answers_total{'));
  expect(counted.map((line) => line.slice('tender_acquirer_answers_total'.length))).toEqual([
    '{instruction="sale",outcome="approved"} 2',
    '{instruction="sale",outcome="declined"} 1',
    '{instruction="capture",outcome="unknown"} 1',
    '{instruction="capture",outcome="unreachable"} 1',
    '{instruction="inquiry",outcome="not-found"} 1',
    '{instruction="reversal",outcome="reversed"} 1',
  ]);
  expect(text).toContain('tender_acquirer_seconds_count{instruction="sale"} 3\n');
  expect(text).toContain('tender_acquirer_seconds_bucket{le="30",instruction="inquiry"} 1\n');
});

it('logs once that the bank does not answer, and once that it does again', async () => {
  const { acquirer, clock, lines } = watched(...Array(100).fill(REFUSED), APPROVED);
  for (let sale = 0; sale < 100; sale++) await acquirer.send(SALE, AROUND);
  clock.at += 10_000;
  await acquirer.send(SALE, AROUND);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'error',
      message: 'the bank does not answer',
      address: 'http://bank.example',
      detail: 'the bank refused the connection',
    },
    { level: 'info', message: 'the bank answers again', count: 100 },
  ]);
});

it('takes a bank that does not know, or says no, for one that answers', async () => {
  const { acquirer, lines } = watched(DOUBT, { word: 'declined', code: '116' }, { word: 'pending' });
  for (let sale = 0; sale < 3; sale++) await acquirer.send(SALE, AROUND);
  expect(lines).toEqual([]);
});
