// The directory server's result of a challenge: RReq in, RRes or Erro out. The same result again gets the same answer;
// another one for a transaction that is over gets an Erro, and changes nothing. The answer is given once the result is
// written down, before anything follows from it.

import type { NotTakenReason } from '../../threeds/flow.ts';
import {
  type Disagreement,
  type Erro,
  erroOf,
  mayBeSent,
  type RReq,
  type RRes,
  readMessage,
  rreqDisagreement,
  writeMessage,
} from '../../threeds/messages/index.ts';
import type { Authentications } from './authentications.ts';
import { challengeOf, digestOf } from './browser-results.ts';
import { lineOf } from './transcript.ts';

/** The browser never came to the issuer's page. */
const NOT_STARTED = '05';

const RESULT = { received: '01', neverStarted: '02' } as const;

/** The JSON to answer with; nothing is answered to an Erro. */
export async function takeNetworkResult(authentications: Authentications, json: string): Promise<string> {
  const reading = readMessage('RReq', json, { component: 'S' });
  if (reading.outcome === 'erro') return '';
  if (reading.outcome === 'fault') return mayBeSent(reading.erro) ? writeMessage(reading.erro) : '';
  return writeMessage(await answerTo(authentications, reading.message));
}

async function answerTo(authentications: Authentications, rreq: RReq): Promise<RRes | Erro> {
  const { clock, orders, store } = authentications.parts;
  const record = await store.findByTransaction(rreq.threeDSServerTransID.toLowerCase());
  const order = record && (await orders.load([record])).get(record.orderId);
  if (!record || !order) return erro(rreq, { code: '301', detail: 'threeDSServerTransID' });
  const known = challengeOf(record, order);
  if (!known) return erro(rreq, { code: '305', detail: 'no challenge was begun' });
  const disagreement = rreqDisagreement(known, rreq);
  if (disagreement) return erro(rreq, disagreement);
  const event = { type: 'result', rreq, digest: digestOf(JSON.stringify(rreq)) } as const;
  const learned = await authentications.learn(record, event, lineOf('network', rreq, clock.now()));
  if (learned.unfit !== undefined && learned.unfit !== 'repeated') return erro(rreq, refusalOf(learned.unfit));
  if (learned.unfit === undefined) void authentications.proceed(learned.record);
  return answered(rreq);
}

function answered({ messageVersion, threeDSServerTransID, acsTransID, dsTransID, challengeCancel }: RReq): RRes {
  const resultsStatus = challengeCancel === NOT_STARTED ? RESULT.neverStarted : RESULT.received;
  return { messageType: 'RRes', messageVersion, threeDSServerTransID, acsTransID, dsTransID, resultsStatus };
}

function refusalOf(unfit: NotTakenReason): Disagreement {
  if (unfit === 'too-late') return { code: '402', detail: 'the time for this transaction is over' };
  return { code: '305', detail: 'the transaction is over' };
}

function erro(rreq: RReq, { code, detail }: Disagreement): Erro {
  return erroOf({ component: 'S', code, detail, version: rreq.messageVersion, about: 'RReq', ids: rreq });
}
