import { describe, expect, it } from 'vitest';
import { type Case, judgeAllowed, judgeInstruction, type Verdict } from './rules.ts';

const approve: Verdict = { word: 'approve' };
const hold: Verdict = { word: 'hold' };
const decline = (code: string): Verdict => ({ word: 'decline', code });

const table: readonly (readonly [string, Case, Verdict])[] = [
  ['cvv 123', { cvv: '123', minor: 1042n }, approve],
  ['cvv 1234', { cvv: '1234', minor: 1042n }, approve],
  ['cvv 111', { cvv: '111', minor: 1042n }, approve],
  ['cvv 321 without authentication', { cvv: '321', minor: 1042n }, decline('100')],
  ['cvv 321 with authentication', { cvv: '321', minor: 1042n, authenticated: true }, approve],
  ['cvv 217', { cvv: '217', minor: 1042n }, hold],
  ['cvv 101', { cvv: '101', minor: 1042n }, decline('101')],
  ['cvv 116', { cvv: '116', minor: 1042n }, decline('116')],
  ['cvv 119', { cvv: '119', minor: 1042n }, decline('119')],
  ['cvv 909', { cvv: '909', minor: 1042n }, decline('909')],
  ['cvv 209', { cvv: '209', minor: 1042n }, decline('209')],
  ['any other cvv', { cvv: '555', minor: 1042n }, decline('100')],
  ['any other cvv of a card that was authenticated', { cvv: '555', minor: 1042n, authenticated: true }, decline('100')],
  ['an empty cvv', { cvv: '', minor: 1042n }, decline('100')],
  ['a good cvv, whatever the amount ends with', { cvv: '123', minor: 116n }, approve],
  ['no cvv, amount 10.42', { minor: 1042n }, approve],
  ['no cvv, amount ends with 101', { minor: 5_101n }, decline('101')],
  ['no cvv, amount is 116', { minor: 116n }, decline('116')],
  ['no cvv, amount ends with 119', { minor: 9_999_999_119n }, decline('119')],
  ['no cvv, amount ends with 209', { minor: 1_209n }, decline('209')],
  ['no cvv, amount ends with 217', { minor: 1_217n }, hold],
  ['no cvv, amount ends with 1160', { minor: 1_160n }, approve],
  ['no cvv, amount ends with 123', { minor: 1_123n }, approve],
  ['no cvv, one minor unit', { minor: 1n }, approve],
];

describe('the rules of the simulated bank', () => {
  it.each(table)('%s', (_title, instruction, verdict) => {
    expect(judgeInstruction(instruction)).toEqual(verdict);
  });

  it.each<[bigint, Verdict]>([
    [1_042n, approve],
    [116n, approve],
    [217n, hold],
    [5_217n, hold],
    [2_170n, approve],
  ])('a follow-up of %s that the caps allow', (minor, verdict) => {
    expect(judgeAllowed(minor)).toEqual(verdict);
  });
});
