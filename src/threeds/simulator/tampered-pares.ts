// PARes as an attacker or a broken server would send them, to see that nobody believes them.

import { type KeyObject, randomBytes } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { type PARes, writePaRes } from '../messages/index.ts';
import type { NetworkFaults } from './faults.ts';

export function tamperedPaRes(
  fault: Exclude<NetworkFaults['pares'], 'none'>,
  pares: PARes,
  id: string,
  key: KeyObject,
): string {
  switch (fault) {
    case 'foreign-signer':
      return writePaRes(pares, id, key);
    case 'other-purchase':
      return writePaRes({ ...pares, xid: randomBytes(20).toString('base64') }, id, key);
    case 'unsigned':
      return changed(writePaRes(pares, id, key), (xml) => xml.replace(/<Signature .*<\/Signature>/s, ''));
    case 'tampered':
      return changed(writePaRes(pares, id, key), (xml) => xml.replace(/<status>.*(?=<\/TX>)/s, forgedEnd(pares)));
    case 'malformed':
      return changed(writePaRes(pares, id, key), (xml) => xml.slice(0, xml.length / 2));
  }
}

/** Turns a failure into a success with an invented proof, and a success into a failure. */
function forgedEnd({ status }: PARes): string {
  if (status !== 'N') return '<status>N</status>';
  const cavv = randomBytes(20).toString('base64');
  return `<status>Y</status><cavv>${cavv}</cavv><eci>05</eci><cavvAlgorithm>2</cavvAlgorithm>`;
}

function changed(packed: string, change: (xml: string) => string): string {
  return deflateSync(change(inflateSync(Buffer.from(packed, 'base64')).toString())).toString('base64');
}
