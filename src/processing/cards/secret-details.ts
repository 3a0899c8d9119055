// The details of orders on their way to our tables and back. What holds a card number is masked, or sealed if it must
// come back as it was sent.

import { maskAccountNumber } from '../../domain/card/card.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import { keptDetails, type OwnNumbers } from '../../domain/order/kept-details.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import { Secret } from '../../domain/secret.ts';
import type { RecurringStore } from '../../storage/recurring.ts';
import type { OrderStore, Sealed } from '../../storage/store.ts';
import { detailsPlace, recurringDetailsPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PayingCard } from '../orders/order-request.ts';
import type { Payee } from './payee.ts';

/** A shorter account number would be found in too many texts. */
const SHORTEST_ACCOUNT = 6;

/** Details as they are stored; `sealedDetails` are those that may not be stored in clear. */
export type StoredDetails = { readonly details: OrderDetails; readonly sealedDetails: Sealed | undefined };

type FoundDetails = Partial<StoredDetails> & Pick<StoredDetails, 'details'>;

export function detailsToStore(
  vault: Vault,
  details: OrderDetails,
  { card, payee, place }: { card: PayingCard | undefined; payee: Payee | undefined; place: string },
): StoredDetails {
  const { kept, aside } = keptDetails(details, ownNumbers(card, payee));
  const sealedDetails = aside && vault.seal(new Secret(JSON.stringify(aside)), place);
  return { details: kept, sealedDetails };
}

function ownNumbers(card: PayingCard | undefined, payee: Payee | undefined): OwnNumbers {
  const cards: string[] = [];
  for (const one of [card, payee]) if (one && 'typed' in one) cards.push(one.typed.number.reveal());
  const number = payee && 'account' in payee ? payee.account.number.reveal() : '';
  return { cards, account: number.length < SHORTEST_ACCOUNT ? undefined : { number, mask: maskAccountNumber(number) } };
}

/** The same store, with the details of what it finds as they were sent. */
export function withOpenDetails(store: OrderStore, vault: Vault): OrderStore {
  const openView = <View extends FoundDetails & { readonly order: OrderKey }>(view: View) =>
    opened(vault, view, detailsPlace(view.order));
  return {
    ...store,
    async findOrderView(query) {
      const view = await store.findOrderView(query);
      return view?.sealedDetails ? openView(view) : view;
    },
    async findOrderViews(keys) {
      const views = await store.findOrderViews(keys);
      const sealed = [...views.values()].filter((view) => view.sealedDetails);
      if (sealed.length === 0) return views;
      const open = await Promise.all(sealed.map(openView));
      return new Map([...views, ...open.map((view) => [view.order.orderId, view] as const)]);
    },
    async loadCards(transaction) {
      return opened(vault, await store.loadCards(transaction), detailsPlace(transaction));
    },
  };
}

/** The same for recurring payments. */
export function withOpenProfiles(store: RecurringStore, vault: Vault): RecurringStore {
  return {
    ...store,
    async find(key) {
      const profile = await store.find(key);
      return profile && opened(vault, profile, recurringDetailsPlace(profile));
    },
    async claimDue(claim) {
      const profiles = await store.claimDue(claim);
      return Promise.all(profiles.map((profile) => opened(vault, profile, recurringDetailsPlace(profile))));
    },
  };
}

async function opened<T extends FoundDetails>(vault: Vault, stored: T, place: string): Promise<T> {
  if (!stored.sealedDetails) return stored;
  const aside = await vault.reveal(stored.sealedDetails, place);
  // Only what `detailsToStore` wrote opens here.
  return { ...stored, details: { ...stored.details, ...(JSON.parse(aside.reveal()) as OrderDetails) } };
}
