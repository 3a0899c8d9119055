// What was seen of a directory server, in plain lines.

import type { NetworkConnection, ServerSighting } from '../../domain/three-d-secure/card-network.ts';
import type { DirectoryAnswer } from '../../threeds/directory.ts';
import { counted } from '../verb/table.ts';
import { certificatesIn, nameOnOneLine } from './certificate-kinds.ts';

type SightingLine = { readonly what: string; readonly says: string };

const lineOf = (what: string, says: string): SightingLine => ({ what, says });

export function sightingLines(
  { address, certificate }: Pick<NetworkConnection, 'address' | 'certificate'>,
  { connectedTo, tls, status, failure }: ServerSighting,
): SightingLine[] {
  return [
    lineOf('Address', address),
    ...(connectedTo === undefined ? [] : [lineOf('Connected', connectedTo)]),
    ...(tls ? tlsLines(tls) : []),
    lineOf('Our certificate', certificate === undefined ? 'none' : described(certificate)),
    ...(status === undefined ? [] : [lineOf('Answer', `HTTP ${status} to a plain request; any answer will do`)]),
    ...(failure === undefined ? [] : [lineOf('Failure', failure)]),
  ];
}

function tlsLines({ version, cipher, certificate, distrust }: NonNullable<ServerSighting['tls']>): SightingLine[] {
  return [
    lineOf('TLS', `${version}, ${cipher}`),
    lineOf('Its certificate', described(certificate)),
    lineOf('Trusted', distrust === undefined ? 'yes' : `no: ${distrust}`),
  ];
}

function described(pem: string): string {
  const [own] = certificatesIn(pem) ?? [];
  if (!own) return 'none';
  const until = new Date(own.validTo).toISOString().slice(0, 10);
  return `${nameOnOneLine(own.subject)}, issued by ${nameOnOneLine(own.issuer)}, until ${until}`;
}

export function rangesLine(answer: DirectoryAnswer<'PRes'>): SightingLine {
  return lineOf('Card ranges', rangesText(answer));
}

function rangesText(answer: DirectoryAnswer<'PRes'>): string {
  if (answer.outcome !== 'answered') {
    const { errorCode, errorDescription, errorDetail } = answer.erro;
    return `${answer.outcome}: Erro ${errorCode}, ${errorDescription} (${errorDetail})`;
  }
  const { cardRangeData = [], dsStartProtocolVersion: from, dsEndProtocolVersion: to } = answer.message;
  return `${counted(cardRangeData.length, 'range')}, EMV 3DS ${from} to ${to}`;
}
