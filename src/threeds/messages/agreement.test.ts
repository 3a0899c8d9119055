// Messages of one transaction that do not fit together, one line each.

import { describe, expect, it } from 'vitest';
import {
  aresDisagreement,
  cresDisagreement,
  eciFits,
  type KnownTransaction,
  paresDifferences,
  rreqDisagreement,
} from './agreement.ts';
import type { AReq, ARes, CRes, RReq } from './message.ts';
import type { PAReq, PARes } from './v1-messages.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const OTHER = 'bbbbbbbb-1111-4111-8111-111111111111';
const known: KnownTransaction = {
  threeDSServerTransID: ID,
  acsTransID: ID,
  dsTransID: ID,
  messageVersion: '2.2.0',
  messageCategory: '01',
};
const areq = { threeDSServerTransID: ID, messageVersion: '2.2.0', messageCategory: '01' } as AReq;
const ares = { ...known, messageType: 'ARes', transStatus: 'Y' } as unknown as ARes;
const rreq = { ...known, messageType: 'RReq', transStatus: 'N', transStatusReason: '01' } as RReq;
const cres = { ...known, messageType: 'CRes', transStatus: 'N' } as CRes;

describe('an ARes', () => {
  it.each<[string, Partial<AReq>, Partial<ARes>, string | undefined]>([
    ['fits', {}, {}, undefined],
    ['fits in capitals', {}, { threeDSServerTransID: ID.toUpperCase() }, undefined],
    ['of another transaction', {}, { threeDSServerTransID: OTHER }, '301 threeDSServerTransID'],
    ['of another version', {}, { messageVersion: '2.1.0' }, '203 messageVersion'],
    [
      'asks though only data is shared',
      { threeDSRequestorChallengeInd: '06' },
      { transStatus: 'C' },
      '203 transStatus',
    ],
    ['decouples unasked', {}, { transStatus: 'D', acsDecConInd: 'Y' }, '203 transStatus'],
    ['decouples without saying so', { threeDSRequestorDecReqInd: 'Y' }, { transStatus: 'D' }, '203 acsDecConInd'],
    [
      'decouples otherwise',
      { threeDSRequestorDecReqInd: 'Y' },
      { transStatus: 'D', acsDecConInd: 'Y', authenticationType: '01' },
      '203 authenticationType',
    ],
    [
      'decouples',
      { threeDSRequestorDecReqInd: 'Y' },
      { transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' },
      undefined,
    ],
    ['informs unasked', {}, { transStatus: 'I' }, undefined],
  ])('%s', (_name, asked, answered, expected) => {
    expect(shown(aresDisagreement({ ...areq, ...asked }, { ...ares, ...answered }))).toBe(expected);
  });
});

describe('an RReq', () => {
  it.each<[string, Partial<RReq>, string | undefined]>([
    ['fits', {}, undefined],
    ['of another server transaction', { threeDSServerTransID: OTHER }, '301 threeDSServerTransID'],
    ['of another issuer transaction', { acsTransID: OTHER }, '301 acsTransID'],
    ['of another directory transaction', { dsTransID: OTHER }, '301 dsTransID'],
    ['of others altogether', { dsTransID: OTHER, acsTransID: OTHER }, '301 acsTransID,dsTransID'],
    ['of another version', { messageVersion: '2.1.0' }, '203 messageVersion'],
    ['of another category', { messageCategory: '02' }, '203 messageCategory'],
    ['timed out for a wrong reason', { transStatusReason: '14', challengeCancel: '01' }, '203 challengeCancel'],
    ['timed out', { transStatusReason: '14', challengeCancel: '05' }, undefined],
  ])('%s', (_name, differs, expected) => {
    expect(shown(rreqDisagreement(known, { ...rreq, ...differs }))).toBe(expected);
  });
});

describe('a CRes', () => {
  it.each<[string, Partial<CRes>, string | undefined]>([
    ['fits', {}, undefined],
    ['of another server transaction', { threeDSServerTransID: OTHER }, '301 threeDSServerTransID'],
    ['of another issuer transaction', { acsTransID: OTHER }, '301 acsTransID'],
    ['of another version', { messageVersion: '2.1.0' }, '203 messageVersion'],
  ])('%s', (_name, differs, expected) => {
    expect(shown(cresDisagreement(known, { ...cres, ...differs }))).toBe(expected);
  });
});

it.each(['messageId', 'xid', 'date', 'purchAmount', 'currency', 'exponent', 'acqBIN', 'merID'] as const)(
  'a PARes repeats %s',
  (name) => {
    const all = {
      messageId: 'a',
      xid: 'a',
      date: 'a',
      purchAmount: 'a',
      currency: 'a',
      exponent: 'a',
      acqBIN: 'a',
      merID: 'a',
    };
    expect(paresDifferences(all as PAReq, all as PARes)).toEqual([]);
    expect(paresDifferences(all as PAReq, { ...all, [name]: 'b' } as PARes)).toEqual([name]);
  },
);

it.each([
  ['Y', ['05', '02', '06', undefined], ['07', '00']],
  ['A', ['06', '01', undefined], ['07', '00', '05', '02']],
  ['N', ['07', '00', undefined], ['05', '02', '06', '01']],
  ['U', ['07', '00', undefined], ['05', '02', '06', '01']],
  ['R', ['07', '00', undefined], ['05', '02', '06', '01']],
  ['I', ['07', '06', undefined], []],
])('an ECI fits status %s: %j and not %j', (status, fitting, unfit) => {
  for (const eci of fitting) expect(eciFits(status, eci)).toBe(true);
  for (const eci of unfit) expect(eciFits(status, eci)).toBe(false);
});

function shown(disagreement: { readonly code: string; readonly detail: string } | undefined): string | undefined {
  return disagreement && `${disagreement.code} ${disagreement.detail}`;
}
