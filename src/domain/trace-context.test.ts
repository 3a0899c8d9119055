import { expect, it } from 'vitest';
import { readTraceparent, writeTraceparent } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it.each([
  ['the example of the recommendation', `00-${TRACE}-${SPAN}-01`, true],
  ['one that is not sampled', `00-${TRACE}-${SPAN}-00`, false],
  ['further flags', `00-${TRACE}-${SPAN}-03`, true],
  ['a later version that goes on', `01-${TRACE}-${SPAN}-01-more`, true],
])('takes %s', (_, header, isSampled) => {
  expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
});

it.each([
  ['nothing', undefined],
  ['two headers', [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a step of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['the first version that goes on', `00-${TRACE}-${SPAN}-01-more`],
  ['a card number', '4111111111111111'],
])('passes over %s', (_, header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

it('writes what it reads', () => {
  const context = { traceId: TRACE, spanId: SPAN, isSampled: true };
  expect(readTraceparent(writeTraceparent(context))).toEqual(context);
  expect(writeTraceparent({ ...context, isSampled: false })).toBe(`00-${TRACE}-${SPAN}-00`);
});
