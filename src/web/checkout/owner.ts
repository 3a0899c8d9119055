// The merchant whose page it is, as the layout shows it.

import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import type { Owner } from './layout.ts';

export function ownerOf({ endpoint, look, merchant }: Pick<PayerOrder, 'endpoint' | 'look' | 'merchant'>): Owner {
  const { endpointId, sandbox, frameAncestors } = endpoint;
  return { endpointId, name: look.name ?? merchant.name, look, sandbox, frameAncestors };
}
