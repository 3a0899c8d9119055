import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BankExchange, ChangeEpisode } from './bank-exchanges.ts';
import type { RawEpisode } from './order-answers.ts';
import { storyInOrder } from './order-story.ts';

const REFERENCE = '7-1-rs';

/** What tells episodes apart; the rest of them does not matter here. */
const episode = <E extends RawEpisode>(kind: E['kind'], members: Partial<E>) => ({ at: 5, kind, ...members }) as E;
const change = (version: number, event: object = {}, at = 5) =>
  episode<ChangeEpisode>('change', { version, event, at });
const exchange = (at = 5) => episode<BankExchange>('exchange', { terminal: 'a', reference: REFERENCE, at });
const request = episode('request', {});
const said = episode<Extract<RawEpisode, { kind: '3ds' }>>('3ds', { transaction: 1 });
const callback = episode('callback', {});
const message = (direction: 'in' | 'out', text = `${REFERENCE} ${direction}`, at = 5) =>
  episode<Extract<RawEpisode, { kind: 'bank' }>>('bank', { terminal: 'a', direction, message: text, at });

const nameOf = (one: RawEpisode) => {
  if (one.kind === 'change') return `change ${one.version}`;
  return one.kind === 'bank' ? `bank ${one.direction}` : one.kind;
};
const told = (course: readonly (BankExchange | ChangeEpisode)[], others: readonly RawEpisode[]) =>
  storyInOrder(course, others).map(nameOf);

describe('a story within one millisecond', () => {
  it('tells of a payment from its request to what its merchant was told', () => {
    const course = [change(1), exchange(), change(2)];
    const story = ['request', 'change 1', 'bank out', 'bank in', 'exchange', 'change 2', 'callback'];
    expect(told(course, [callback, message('out'), message('in'), request])).toEqual(story);
    expect(told(course, [message('out'), request, message('in'), callback])).toEqual(story);
  });

  it('tells how the payer proved to be the cardholder before what came of it', () => {
    const authenticated = change(2, { type: 'transaction-moved', seq: 1, from: 'authenticating', to: 'sending' });
    expect(
      told([change(1), authenticated, exchange(), change(3)], [request, message('out'), message('in'), said, callback]),
    ).toEqual(['request', 'change 1', '3ds', 'change 2', 'bank out', 'bank in', 'exchange', 'change 3', 'callback']);
  });

  it('tells what was sent behind the decision to send it, while no answer has come', () => {
    expect(told([change(1)], [message('out'), said, request])).toEqual(['request', 'change 1', '3ds', 'bank out']);
    expect(told([change(1), exchange(9), change(2, {}, 9)], [message('out'), message('in', REFERENCE, 9)])).toEqual([
      ...['change 1', 'bank out', 'bank in', 'exchange', 'change 2'],
    ]);
  });

  it('keeps changes in the order of their versions, and does not mistake what is about another instruction', () => {
    const other = message('in', '17-1-rs');
    expect(told([change(1), change(2), exchange(), change(3)], [other])).toEqual([
      ...['change 1', 'change 2', 'exchange', 'change 3', 'bank in'],
    ]);
  });
});

it('is in the order of time otherwise', () => {
  const at = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(fc.array(at), fc.array(at), (ofChanges, ofRequests) => {
      const course = ofChanges.sort().map((moment, index) => change(index + 1, {}, moment));
      const others = ofRequests.map((moment) => ({ ...request, at: moment }));
      const times = storyInOrder(course, others).map((one) => one.at);
      expect(times).toEqual([...ofChanges, ...ofRequests].sort());
    }),
  );
});
