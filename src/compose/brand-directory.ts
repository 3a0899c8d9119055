// The directory servers that card brands run themselves: spoken to in EMV 3DS, with certificates on both sides.

import type { NetworkOffice } from '../administration/parts.ts';
import type { Clock } from '../domain/clock.ts';
import type { NetworkConnection } from '../domain/three-d-secure/card-network.ts';
import { rangesRequest } from '../processing/three-d-secure/requests.ts';
import type { DirectoryServer } from '../threeds/directory.ts';
import { httpDirectory, lookAtServer } from '../threeds/index.ts';

export function brandDirectory(connection: NetworkConnection, clock: Clock): DirectoryServer {
  return httpDirectory({ url: connection.address, clock, speaks: 'emv-3ds', tls: tlsOf(connection) });
}

/** What an administrator can see of such a server. */
export function networkOffice(clock: Clock): NetworkOffice {
  return {
    look: (connection) => lookAtServer({ url: new URL(connection.address), tls: tlsOf(connection), clock }),
    askRanges: async ({ operatorId, ...connection }) => {
      const server = brandDirectory(connection, clock);
      const named = operatorId === undefined ? {} : { threeDSServerOperatorID: operatorId };
      try {
        return await server.cardRanges({ ...rangesRequest(), ...named });
      } finally {
        server.retire();
      }
    },
  };
}

function tlsOf({ ca, certificate: cert, privateKey }: NetworkConnection) {
  return { ca, cert, key: privateKey?.reveal() };
}
