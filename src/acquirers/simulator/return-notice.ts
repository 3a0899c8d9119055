// How the simulated bank tells that it returned a payout: {"returned": "<our reference of it>"}, sent with POST.
// Whoever sends it is not believed: the gateway asks the bank.

import type { Notice, NoticeReading } from '../acquirer.ts';
import { readObject, textOf, UnreadableWire } from './wire-fields.ts';
import { REFERENCE } from './wire-instruction.ts';

export function returnNotice(reference: string): Notice {
  const body = Buffer.from(JSON.stringify({ returned: reference }));
  return { method: 'POST', path: '', query: new URLSearchParams(), headers: {}, body };
}

export function readReturnNotice({ method, body }: Notice): NoticeReading {
  if (method !== 'POST') return { status: 405 };
  try {
    return { status: 200, reference: textOf(readObject(body.toString('utf8')), 'returned', REFERENCE), returned: true };
  } catch (error) {
    if (error instanceof UnreadableWire) return { status: 400 };
    throw error;
  }
}
