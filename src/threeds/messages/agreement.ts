// Whether messages of one transaction fit together. If not, the answer has the code and the fields for an Erro, and
// the message must not change the order. Ids are compared without regard to case.

import type { ErrorCode } from './erro.ts';
import type { AReq, ARes, Category, CRes, RReq, Version } from './message.ts';
import type { PAReq, PARes } from './v1-messages.ts';

export type Disagreement = { readonly code: ErrorCode; readonly detail: string };

/** What is known of a transaction once its ARes was accepted. */
export type KnownTransaction = {
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly dsTransID: string;
  readonly messageVersion: Version;
  readonly messageCategory: Category;
};

/** Status I is accepted even if it was not asked for: it authenticates nobody and shifts no liability. */
export function aresDisagreement(areq: AReq, ares: ARes): Disagreement | undefined {
  if (!isSameId(areq.threeDSServerTransID, ares.threeDSServerTransID)) return foreign('threeDSServerTransID');
  if (ares.messageVersion !== areq.messageVersion) return malformed('messageVersion');
  const { transStatus: status } = ares;
  if (status === 'C' && areq.threeDSRequestorChallengeInd === '06') return malformed('transStatus');
  if (status === 'D' && areq.threeDSRequestorDecReqInd !== 'Y') return malformed('transStatus');
  if (status === 'D' && ares.acsDecConInd !== 'Y') return malformed('acsDecConInd');
  if (status === 'D' && ares.authenticationType !== '04') return malformed('authenticationType');
  return undefined;
}

export function rreqDisagreement(known: KnownTransaction, rreq: RReq): Disagreement | undefined {
  const wrong = wrongIds(known, rreq, ['threeDSServerTransID', 'acsTransID', 'dsTransID']);
  if (wrong.length > 0) return foreign(wrong.join(','));
  if (rreq.messageVersion !== known.messageVersion) return malformed('messageVersion');
  if (rreq.messageCategory !== known.messageCategory) return malformed('messageCategory');
  // An access control server times out either while the payer is asked (04) or before the browser comes (05).
  const timedOut = rreq.transStatusReason === '14';
  return timedOut && !['04', '05'].includes(rreq.challengeCancel ?? '') ? malformed('challengeCancel') : undefined;
}

export function cresDisagreement(known: KnownTransaction, cres: CRes): Disagreement | undefined {
  const wrong = wrongIds(known, cres, ['threeDSServerTransID', 'acsTransID']);
  if (wrong.length > 0) return foreign(wrong.join(','));
  return cres.messageVersion === known.messageVersion ? undefined : malformed('messageVersion');
}

const REPEATED = ['messageId', 'xid', 'date', 'purchAmount', 'currency', 'exponent', 'acqBIN', 'merID'] as const;

/** The names of the values in which a PARes differs from its PAReq. */
export function paresDifferences(pareq: PAReq, pares: PARes): string[] {
  return REPEATED.filter((name) => pareq[name] !== pares[name]);
}

const AUTHENTICATED = ['05', '02'];
const ATTEMPTED = ['06', '01'];
const NEITHER = ['07', '00'];

/** Whether the ECI agrees with the status. A missing ECI does, and so does one that belongs to a special programme. */
export function eciFits(status: string, eci: string | undefined): boolean {
  if (eci === undefined) return true;
  if (status === 'Y') return !NEITHER.includes(eci);
  if (status === 'A') return !NEITHER.includes(eci) && !AUTHENTICATED.includes(eci);
  if (['N', 'U', 'R'].includes(status)) return !AUTHENTICATED.includes(eci) && !ATTEMPTED.includes(eci);
  return true;
}

function wrongIds<Name extends string>(
  known: Readonly<Record<Name, string>>,
  message: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => !isSameId(known[name], message[name]));
}

export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function foreign(detail: string): Disagreement {
  return { code: '301', detail };
}

function malformed(detail: string): Disagreement {
  return { code: '203', detail };
}
