import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { changeBy } from './change.ts';
import { type Command, startOrder } from './decide.ts';

const moment = { now: Date.UTC(2026, 5, 1), leaseMs: 45_000, holdMs: 1 };
const order = startOrder(
  {
    ...{ merchantId: 1, orderId: 77, endpointId: 101, clientOrderId: 'inv-1', operation: 'sale', type: 'sale' },
    ...{ currency: 'USD', notation: 'major', amount: 1042n, requestSerial: 'first' },
  },
  moment,
);
const answer = { word: 'approved', approvalCode: 'A1B2C3', rrn: '1', processorTxId: 'TX' } as const;
const sent: Command = { type: 'sent', seq: 1, leg: 1, answer };

describe('a command', () => {
  it('gives the order after its events, and entries that sum to zero', () => {
    const change = changeBy(order, sent, moment);
    if (change instanceof Refusal) throw change;
    expect(change.after).toMatchObject({ version: 2, captured: 1042n });
    expect(change.events).toHaveLength(1);
    expect(change.entries.map(({ amount }) => amount).sort()).toEqual([-1042n, 1042n]);
  });

  it('that changes nothing leaves the order as it is', () => {
    const { after } = changeBy(order, sent, moment) as { after: typeof order };
    expect(changeBy(after, sent, moment)).toEqual({ after, events: [], entries: [] });
  });

  it('that the rules forbid is refused', () => {
    const returned: Command = {
      type: 'follow-up',
      kind: 'return',
      amounts: [1n],
      requestSerial: 'x',
      comment: undefined,
    };
    expect(changeBy(order, returned, moment)).toBeInstanceOf(Refusal);
  });
});
