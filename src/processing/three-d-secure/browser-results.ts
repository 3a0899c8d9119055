// Results that a browser brings from the issuer's pages, to a page of ours or of the merchant: each is read, compared
// with what the order waits for, and taken once. It proves only that the payer is back; a signed result of version 1
// alone is believed.

import { createHash } from 'node:crypto';
import type { Order } from '../../domain/order/order.ts';
import type {
  AuthenticationLine,
  AuthenticationRecord,
  ChallengeIds,
} from '../../domain/three-d-secure/authentication-record.ts';
import type { NotTakenReason } from '../../threeds/flow.ts';
import {
  cresDisagreement,
  InvalidDocument,
  isSameId,
  type KnownTransaction,
  paresDifferences,
  readCres,
  readPaReq,
  readPaRes,
} from '../../threeds/messages/index.ts';
import type { Authentications, Learned } from './authentications.ts';
import { categoryOf } from './requests.ts';
import { lineOf } from './transcript.ts';

/** `wrong` says in words which field does not fit. */
export type NotTaken = { readonly unfit: NotTakenReason | 'malformed'; readonly wrong: string };

export type BrowserResult = Learned | NotTaken;

type Bringer = Extract<AuthenticationLine['from'], 'browser' | 'merchant'>;

/** The transaction a challenge was begun under; undefined when the payer was not challenged. */
export function challengeOf({ step }: AuthenticationRecord, order: Order): KnownTransaction | undefined {
  const messageCategory = categoryOf(order);
  if (step.name === 'challenge') return { ...step.ids, messageVersion: step.protocol, messageCategory };
  if (step.name !== 'over' || !step.outcome.wasChallenged) return undefined;
  const { ids, protocol } = step.outcome;
  if (!isComplete(ids) || protocol === undefined || protocol === '1.0.2') return undefined;
  return { ...ids, messageVersion: protocol, messageCategory };
}

function isComplete(ids: Partial<ChallengeIds>): ids is ChallengeIds {
  return ids.threeDSServerTransID !== undefined && ids.acsTransID !== undefined && ids.dsTransID !== undefined;
}

/** The CRes of a challenge. */
export async function takeCres(
  authentications: Authentications,
  record: AuthenticationRecord,
  { order, text, from }: { order: Order; text: string; from: Bringer },
): Promise<BrowserResult> {
  const known = challengeOf(record, order);
  if (!known) return { unfit: 'not-pending', wrong: 'no challenge is under way' };
  const reading = readCres(text, { component: 'S', version: known.messageVersion });
  if (reading.outcome === 'fault') return { unfit: 'malformed', wrong: reading.erro.errorDetail };
  const message = reading.outcome === 'message' ? reading.message : reading.erro;
  const wrong =
    reading.outcome === 'message' ? cresDisagreement(known, reading.message)?.detail : wrongId(known, reading.erro);
  if (wrong) return { unfit: 'foreign', wrong };
  const said = reading.outcome === 'message' ? reading.message.transStatus : 'error';
  const event = { type: 'browser-back', said, digest: digestOf(JSON.stringify(message)) } as const;
  const { clock, log } = authentications.parts;
  const learned = await authentications.learn(record, event, lineOf(from, message, clock.now()));
  if (isForged(learned))
    log.warn('a browser says of a challenge what the issuer does not', { orderId: record.orderId });
  return learned;
}

/** Whether it says that the payer passed although the issuer said no: somebody changed it on the way. */
function isForged({ record: { step }, unfit }: Learned): boolean {
  if (unfit !== undefined || step.name !== 'over') return false;
  return step.outcome.browserSaid === 'Y' && step.outcome.status !== 'Y' && step.outcome.status !== 'A';
}

/** An issuer that could not go on sends an Erro by the browser. */
function wrongId(known: KnownTransaction, { threeDSServerTransID }: { threeDSServerTransID?: string | undefined }) {
  const isOurs = threeDSServerTransID !== undefined && isSameId(threeDSServerTransID, known.threeDSServerTransID);
  return isOurs ? undefined : 'threeDSServerTransID';
}

/** The PARes of version 1. */
export async function takePaRes(
  authentications: Authentications,
  record: AuthenticationRecord,
  { text, merchantData, from }: { text: string; merchantData: string | undefined; from: Bringer },
): Promise<BrowserResult> {
  const { step, taken } = record;
  const digest = digestOf(text.replace(/\s/g, ''));
  const { clock, networks } = authentications.parts;
  // Once the authentication is over, only the digest of the result that ended it is kept for comparison.
  if (step.name !== 'pareq') {
    if (taken.pares === undefined) return { unfit: 'not-pending', wrong: 'no payer is at the issuer by version 1' };
    return { record, unfit: taken.pares === digest ? 'repeated' : 'contradicts' };
  }
  if (merchantData !== undefined && merchantData !== step.merchantData) return { unfit: 'foreign', wrong: 'md' };
  try {
    const { pares, signed: isSignedByKnown } = readPaRes(text, await networks.signers());
    const differences = paresDifferences(readPaReq(step.pareq), pares);
    if (differences.length > 0) return { unfit: 'foreign', wrong: differences.join(', ') };
    // Card networks change their keys. They are asked for new ones only when everything else fits: that ends the
    // authentication, so they are asked once.
    const signed = isSignedByKnown || readPaRes(text, await networks.signers('anew')).signed;
    const line = lineOf(from, { messageType: 'PARes', ...pares, signed }, clock.now());
    return authentications.learn(record, { type: 'pares', pares: signed ? pares : 'untrusted', digest }, line);
  } catch (error) {
    if (error instanceof InvalidDocument) return { unfit: 'malformed', wrong: error.message };
    throw error;
  }
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
