// Payouts that wait for somebody's word: an operator may give it instead of the merchant.

import { Refusal } from '../domain/errors.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, idOf, needed, Unfit } from './given.ts';
import { merchantOf } from './merchants.ts';

/** What a running gateway does with an operator's approval. */
export type PayoutOffice = {
  approve(key: { merchantId: number; orderId: number }): Promise<Refusal | undefined>;
};

export type ApprovedPayout = { readonly login: string; readonly orderId: number };

export function payoutVerbs({ configuration, payouts }: AdministrationParts) {
  return {
    async approvePayout(given: Given): Promise<ApprovedPayout> {
      if (!payouts) throw new Unfit('no gateway runs here; start it, and approve the payout then');
      const { merchantId, login } = merchantOf(given, await configuration.read());
      const orderId = needed(idOf(given, 'orderId'), 'orderId', 'the id the service gave the order');
      const refused = await payouts.approve({ merchantId, orderId });
      if (refused instanceof Refusal) throw new Unfit(refused.faults[0].message);
      return { login, orderId };
    },
  };
}
