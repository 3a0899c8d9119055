// The RReq in which the simulated issuer tells how a challenge ended.

import type { AReq, RReq } from '../messages/index.ts';

/** What is kept of a challenge; the card number itself is not. */
export type AskedPayer = {
  readonly areq: Omit<AReq, 'acctNumber'>;
  readonly acsTransID: string;
  readonly dsTransID: string;
  readonly proof: string;
  readonly eci: { readonly Y: string; readonly N: string };
  /** How many wrong answers the payer has given. */
  wrongAnswers: number;
};

export type ChallengeResult = 'passed' | 'failed' | 'cancelled' | 'timed-out' | 'never-came';

/** Reason and cancellation code of each end: card authentication failed, too many challenges, timed out. */
const REASONS = {
  failed: { transStatusReason: '19' },
  cancelled: { transStatusReason: '01', challengeCancel: '01' },
  'timed-out': { transStatusReason: '14', challengeCancel: '04' },
  'never-came': { transStatusReason: '14', challengeCancel: '05' },
} as const;

export function rreqOf(
  { areq, acsTransID, dsTransID, eci, proof, wrongAnswers }: AskedPayer,
  result: ChallengeResult,
): RReq {
  const transStatus = result === 'passed' ? 'Y' : 'N';
  const tries = wrongAnswers + (result === 'passed' ? 1 : 0);
  return {
    messageType: 'RReq',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID,
    dsTransID,
    messageCategory: areq.messageCategory,
    transStatus,
    eci: eci[transStatus],
    authenticationType: '01',
    interactionCounter: String(tries).padStart(2, '0'),
    ...(result === 'passed' ? { authenticationValue: proof } : REASONS[result]),
  };
}
