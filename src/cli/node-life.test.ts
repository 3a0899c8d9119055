import { expect, it } from 'vitest';
import { endOfLifeLine } from './node-life.ts';

it.each([
  ['20.19.0', 'Node 20 is past its end of life and gets no fixes; Node 24 is recommended'],
  ['21.7.3', 'Node 21 is past its end of life and gets no fixes; Node 24 is recommended'],
  ['22.12.0', undefined],
  ['23.1.0', 'Node 23 is past its end of life and gets no fixes; Node 24 is recommended'],
  ['24.21.0', undefined],
  ['25.0.0', undefined],
])('of Node %s production says %s', (version, line) => expect(endOfLifeLine(version)).toBe(line));
