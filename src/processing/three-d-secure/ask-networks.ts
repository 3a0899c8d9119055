// Asks the card networks, and says what was learned: a silence, a refusal or a contradiction is a result too.

import { randomUUID } from 'node:crypto';
import { nameInShard, shardOf } from '../../domain/merchant/shard.ts';
import type { AuthenticationLine, AuthenticationStep } from '../../domain/three-d-secure/authentication-record.ts';
import type { PayerBrowser } from '../../domain/three-d-secure/payer-browser.ts';
import type { DirectoryServer } from '../../threeds/directory.ts';
import type { FlowEvent } from '../../threeds/flow.ts';
import {
  aresDisagreement,
  erroOf,
  InvalidDocument,
  UnwritableMessage,
  writePaReq,
} from '../../threeds/messages/index.ts';
import type { NetworkLine } from './card-networks.ts';
import type { CardRangeBook } from './card-range-book.ts';
import { type AskedOrder, authenticationRequest, enrolmentRequest, payerRequest } from './requests.ts';
import { lineOf } from './transcript.ts';

/** What was learned, and the messages of the transcript. */
export type Heard = { readonly event: FlowEvent; readonly lines: readonly AuthenticationLine[] };

const unavailable = (reason: string): FlowEvent => ({ type: 'unavailable', reason });

/** Finds the version the card speaks; the issuer is not asked yet. */
export async function askRange(
  ranges: CardRangeBook,
  { card, order }: AskedOrder,
  { browser, notificationUrl }: { browser: PayerBrowser | undefined; notificationUrl: string },
): Promise<Heard> {
  const found = await ranges.find(card.number);
  if (found === 'unavailable') return { event: unavailable('the directory server does not answer'), lines: [] };
  if (found === 'not-found') return { event: { type: 'range-not-found' }, lines: [] };
  const transactionId = nameInShard(shardOf(order.merchantId), randomUUID());
  return { event: { type: 'range-found', ...found, transactionId, browser, notificationUrl }, lines: [] };
}

/** Sends the AReq, once. */
export async function askIssuer(
  { server: network, identity }: Pick<NetworkLine, 'server' | 'identity'>,
  step: Extract<AuthenticationStep, { name: 'requesting' }>,
  asked: AskedOrder,
): Promise<Heard> {
  const areq = authenticationRequest(step, asked, identity);
  const sent = lineOf('tender', areq, asked.now);
  const ended = (reason: string, ...lines: AuthenticationLine[]): Heard => ({
    event: unavailable(reason),
    lines: [sent, ...lines],
  });
  const answer = await network.authenticate(areq).catch((error) => {
    if (error instanceof UnwritableMessage) return error;
    throw error;
  });
  if (answer instanceof UnwritableMessage) return ended(answer.message);
  if (answer.outcome !== 'answered') {
    const from = answer.outcome === 'refused' ? 'network' : 'tender';
    return ended(`${answer.outcome}: Erro ${answer.erro.errorCode}`, lineOf(from, answer.erro, asked.now));
  }
  const ares = answer.message;
  const received = lineOf('network', ares, asked.now);
  const disagreement = aresDisagreement(areq, ares);
  if (!disagreement) return { event: { type: 'answered', ares }, lines: [sent, received] };
  const { messageVersion: version } = areq;
  const erro = erroOf({ component: 'S', ...disagreement, version, about: 'ARes', ids: ares });
  network.report(erro);
  return ended(`the answer does not fit: ${disagreement.detail}`, received, lineOf('tender', erro, asked.now));
}

/** Version 1: asks whether the card takes part, and makes the request that the browser carries to its issuer. */
export async function askEnrolment(network: DirectoryServer, asked: AskedOrder): Promise<Heard> {
  const vereq = enrolmentRequest(asked);
  const sent = lineOf('tender', { messageType: 'VEReq', ...vereq }, asked.now);
  const answer = await network.verifyEnrolment(vereq);
  if (answer.outcome === 'not-spoken') return { event: { type: 'not-enrolled', enrolled: 'N' }, lines: [] };
  if (answer.outcome !== 'answered') return { event: unavailable(`${answer.outcome}: ${answer.why}`), lines: [sent] };
  const { enrolled, acctID, url: acsUrl } = answer.message;
  const received = lineOf('network', { messageType: 'VERes', ...answer.message }, asked.now);
  if (enrolled !== 'Y' || acctID === undefined || acsUrl === undefined) {
    return { event: { type: 'not-enrolled', enrolled: enrolled === 'N' ? 'N' : 'U' }, lines: [sent, received] };
  }
  const pareq = payerRequest(asked, acctID);
  try {
    const { xid, messageId, date } = pareq;
    const carried = { acsUrl, pareq: writePaReq(pareq), merchantData: randomUUID() };
    const said = lineOf('tender', { messageType: 'PAReq', ...pareq }, asked.now);
    const step = { name: 'pareq', xid, messageId, date, ...carried } as const;
    return { event: { type: 'enrolled', step }, lines: [sent, received, said] };
  } catch (error) {
    if (error instanceof InvalidDocument) return { event: unavailable(error.message), lines: [sent, received] };
    throw error;
  }
}
