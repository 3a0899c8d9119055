// What a browser brings back from an issuer that was killed and has forgotten its question: word that something went
// wrong, which authenticates nobody. Without it the payment would wait a quarter of an hour for its payer.

import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { erroOf, readCreq, readPaReq, writeCres, writePaRes } from '../../src/threeds/messages/index.ts';

type FormFields = Readonly<Record<string, string>>;

/** In the place of the CRes or PaRes that the question in these fields would have had. */
export function lostAnswer({ creq, PaReq, MD }: FormFields): Record<string, string> {
  if (creq !== undefined) return { cres: erroTo(creq) };
  return { PaRes: strangersPaRes(PaReq ?? ''), ...(MD !== undefined && { MD }) };
}

function erroTo(creq: string): string {
  const reading = readCreq(creq, { component: 'A' });
  if (reading.outcome !== 'message') throw new Error(`the gateway sent a CReq nobody can read: ${creq}`);
  const { message } = reading;
  const about = { version: message.messageVersion, about: 'CReq', ids: message } as const;
  return writeCres(erroOf({ component: 'A', code: '301', detail: 'acsTransID', ...about }));
}

let strangersKey: KeyObject | undefined;

/** Version 1 knows no errors: what a browser can bring is an answer that no issuer has signed. */
function strangersPaRes(packed: string): string {
  const { messageId, acqBIN, merID, xid, date, purchAmount, currency, exponent } = readPaReq(packed);
  strangersKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const repeated = { messageId, acqBIN, merID, xid, date, purchAmount, currency, exponent };
  const answer = { pan: '0000000000000000', time: date, status: 'N' } as const;
  return writePaRes({ ...repeated, ...answer }, `PARes-${randomUUID()}`, strangersKey);
}
