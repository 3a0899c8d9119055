// What endpoints of a sandbox are tried with: test cards, what the simulated bank makes of them, the gateway's own
// address, and what a merchant would be told at the end.

import type { TrialOffice } from '../../administration/parts.ts';
import { OutOfReach } from '../../administration/verb/invalid-input.ts';
import { postForm } from '../../client/post-form.ts';
import { purposeOf } from '../../domain/order/order.ts';
import { callbackFields } from '../../notifications/build.ts';
import { signingKeys } from '../../notifications/message.ts';
import { demoOutcomes } from '../../processing/node/demo.ts';
import { partialAtOf } from '../../processing/terminals/terminal.ts';
import { orderStore } from '../../storage/orders/orders.ts';
import { TEST_CARDS } from '../../threeds/index.ts';
import type { PartOptions } from '../part-options.ts';
import type { ProcessingParts } from '../processing-parts.ts';
import type { StorageParts } from '../storage-parts.ts';

const PATIENCE_MS = 20_000;

const ORDINARY = { name: 'ordinary', number: '4444555566661111', means: 'an ordinary card' };

/** One of several codes with the same meaning is enough; the word for all others is no code. */
const OUTCOMES = demoOutcomes.flatMap(([codes, means]) => {
  const [code = ''] = codes.split(',');
  return /^\d+$/.test(code) ? [{ code, means }] : [];
});

export function trialOffice(
  { settings, addresses, clock }: PartOptions,
  { configuration, database }: StorageParts,
  { terminals }: ProcessingParts,
): TrialOffice | undefined {
  if (settings.mode !== 'sandbox') return undefined;
  const orders = orderStore(database);
  const named = Object.entries(TEST_CARDS).map(([name, { number, means }]) => ({ name, number, means }));
  return {
    address: () => addresses.base,
    cards: [ORDINARY, ...named],
    outcomes: OUTCOMES,
    post: (path, fields, headers) => {
      const body = new URLSearchParams(fields).toString();
      const signal = AbortSignal.timeout(PATIENCE_MS);
      return postForm(addresses.localBase + path, { body, headers, signal }).catch((error) => {
        throw new OutOfReach('the gateway does not reach its own address', { cause: error });
      });
    },
    callback: async (key) => {
      const view = await orders.findOrderView({ ...key, clientOrderId: undefined });
      const merchant = configuration.byId(key.merchantId);
      const [signer] = merchant ? signingKeys(merchant, clock.now()) : [];
      if (!view || !signer) return undefined;
      const { descriptor } = configuration.endpoint(view.order.endpointId) ?? {};
      const told = { ...view, transaction: purposeOf(view.order), descriptor };
      return callbackFields(told, signer, partialAtOf(terminals)).map(([name, value]) => ({ name, value }));
    },
  };
}
