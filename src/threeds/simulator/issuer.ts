// The simulated issuer's judgement, pure: its answer to an AReq, the card network's ECI for that answer, and its proof.

import { createHmac } from 'node:crypto';
import { brandOf } from '../../domain/card/card.ts';
import type { AReq, Version } from '../messages/index.ts';
import type { CardBehaviour, IssuerWord } from './test-cards.ts';

/** A wish for a challenge turns a Y into C; a wish to share data only is answered with I. */
export function issuerWord(areq: AReq, { answers }: CardBehaviour): IssuerWord {
  const wanted = areq.threeDSRequestorChallengeInd;
  if (wanted === '06') return 'I';
  return answers === 'Y' && (wanted === '03' || wanted === '04') ? 'C' : answers;
}

type Ending = Exclude<IssuerWord, 'C'>;

const ECI: Readonly<Record<Ending, string>> = { Y: '05', A: '06', N: '07', R: '07', U: '07', I: '07' };
const MASTERCARD_ECI: Readonly<Record<Ending, string>> = { Y: '02', A: '01', N: '00', R: '00', U: '00', I: '06' };

export function eciOf(cardNumber: string, status: Ending): string {
  const brand = brandOf(cardNumber);
  return (brand === 'MASTERCARD' || brand === 'MAESTRO' ? MASTERCARD_ECI : ECI)[status];
}

/** Why a payer was not authenticated. 2.1.0 has no code for trouble at the issuer: a directory server's is used. */
export function statusReason(status: 'N' | 'R' | 'U', version: Version): string {
  if (status === 'N') return '01';
  if (status === 'R') return '11';
  return version === '2.1.0' ? '80' : '22';
}

const PROOF_BYTES = 20;

/** Twenty bytes that only the issuer can make for this transaction (the CAVV). */
export function proofOf(key: Buffer, ...bound: readonly string[]): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(bound)).digest();
  return digest.subarray(0, PROOF_BYTES).toString('base64');
}
