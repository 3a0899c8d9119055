// The terminals of a node as its work sees them: each an acquirer that is open, and what is known of its bank.

import type { Acquirer, Site } from '../../acquirers/acquirer.ts';
import type { Connector } from '../../acquirers/connector.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';

export type OpenTerminal = Pick<Connector, 'does' | 'partial' | 'inquiry' | 'needsCard'> & {
  readonly name: string;
  readonly acquirer: Acquirer;
  /** How the acquirer registered the endpoint there. */
  site(endpoint: Endpoint | undefined): Site;
};

export type OpenTerminals = {
  /** Undefined when this node does not know it, or not yet. */
  find(name: string): OpenTerminal | undefined;
};

/** The site of an endpoint at a terminal; what the terminal has of its own wins. */
export function siteOf(
  endpoint: Endpoint | undefined,
  own: { readonly merchantNumber?: string | undefined; readonly terminalNumber?: string | undefined } = {},
): Site {
  return {
    merchantNumber: own.merchantNumber ?? endpoint?.acquirerMerchantId ?? '',
    terminalNumber: own.terminalNumber,
    category: endpoint?.category ?? '',
    country: endpoint?.country ?? '',
    acquirerNumber: endpoint?.acquirerBin ?? '',
    descriptor: endpoint?.descriptor ?? '',
  };
}

/** What follow-ups may be of a part of the amount, by terminal; none at one that this node does not know. */
export function partialAtOf(terminals: OpenTerminals): (terminal: string) => OpenTerminal['partial'] {
  return (terminal) => terminals.find(terminal)?.partial ?? [];
}
