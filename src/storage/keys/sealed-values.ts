// Everything that the vault has sealed: card numbers, bank accounts, proofs of authentication, control keys, secrets of
// terminals, private keys of certificates, secrets of authenticator apps, answers to administrators, details with a
// card number in them. Where each is kept, and how those under an old key are found and written anew. Security codes
// have keys of their own.

import {
  accountPlace,
  cardPlace,
  controlKeyPlace,
  detailsPlace,
  networkKeyPlace,
  proofPlace,
  recurringDetailsPlace,
  repeatPlace,
  terminalPlace,
  totpPlace,
} from '../../vault/places.ts';
import type { SealAgain, Walk } from '../../vault/vault.ts';
import { authentications } from '../authentications.ts';
import { cardNetworks } from '../card-networks.ts';
import { cards, sealedColumns } from '../cards/card-rows.ts';
import { merchantKeys } from '../configuration.ts';
import type { Database, Statement, Step } from '../database.ts';
import { orders } from '../orders/order-rows.ts';
import { people } from '../people/people.ts';
import { repeatableChanges } from '../people/repeats.ts';
import { recurringPayments } from '../recurring.ts';
import type { Sealed } from '../store.ts';
import { COLUMNS, type Columns, type ColumnsOf, type RowOf, statement } from '../tables/index.ts';
import { terminals } from '../terminals.ts';

/** A table with sealed values, and the columns of the bytes and of the key they are under. */
type SealedPlace<Key> = {
  readonly owner: { readonly name: string; readonly key: ColumnsOf<Key> };
  readonly bytes: string;
  readonly dataKeyId: string;
  /** Where a value belongs, which is sealed with it. */
  readonly place: (key: Key) => string;
  readonly find: Statement<{ readonly key: Key; readonly sealed: Sealed }>;
  /** A value is replaced only if it is still the one that was read: an answer may have cleared it meanwhile. */
  readonly replace: (key: Key, old: Sealed, fresh: Sealed) => Step;
};

type SealedParts = ReturnType<typeof sealedColumns>['parts'];

/** Only those that were not met in vain before: what cannot be opened stays under its old key. */
const notMet = (bytes: string) => `${bytes} <> all($3::bytea[])`;

/** `among`: which of the values that are not under the current key are found, and in which order. */
function sealedPlace<Key>(
  owner: SealedPlace<Key>['owner'],
  // biome-ignore lint/suspicious/noExplicitAny: whether a row must have a value does not matter here
  { parts }: Columns<SealedParts, any, any>,
  place: (key: Key) => string,
  among = notMet,
): SealedPlace<Key> {
  const [bytes, dataKeyId] = [parts.bytes.sql, parts.dataKeyId.sql];
  const sealed = sealedColumns(bytes, dataKeyId);
  const replace = statement(`sealed-values-replace-${owner.name}-${bytes}`)`
    update ${owner.name} set ${sealed.equal(1, ', ')} where ${bytes} = $3 and ${owner.key.equal(4)}`;
  const find = statement(`sealed-values-find-${owner.name}-${bytes}`, { key: owner.key, sealed })`
     select ${COLUMNS} from ${owner.name}
     where ${bytes} is not null and ${dataKeyId} <> $1 and ${among(bytes)} limit $2`;
  return {
    owner,
    bytes,
    dataKeyId,
    place,
    find,
    replace: (key, old, fresh) => ({
      statement: replace,
      values: [...sealed.values(fresh), old.bytes, ...owner.key.values(key)],
    }),
  };
}

/** The only ones that grow without end, so they are gone through in the order of their key. */
const sealedCards = sealedPlace(
  cards,
  cards.parts.sealed,
  cardPlace,
  () => '(merchant_id, card_id) > ($3, $4) order by merchant_id, card_id',
);

// biome-ignore lint/suspicious/noExplicitAny: each is given only the keys it has found itself
const shortLists: readonly SealedPlace<any>[] = [
  sealedPlace(orders, orders.parts.sealedTarget, accountPlace),
  sealedPlace(orders, orders.parts.sealedDetails, detailsPlace),
  sealedPlace(recurringPayments, recurringPayments.parts.sealedDetails, recurringDetailsPlace),
  sealedPlace(authentications, authentications.parts.proof, proofPlace),
  sealedPlace(merchantKeys, merchantKeys.parts.sealed, controlKeyPlace),
  sealedPlace(terminals, terminals.parts.sealed, terminalPlace),
  sealedPlace(cardNetworks, cardNetworks.parts.sealedKey, networkKeyPlace),
  sealedPlace(people, people.parts.totp, totpPlace),
  sealedPlace(repeatableChanges, repeatableChanges.parts.answer, repeatPlace),
];

export const sealedPlaces: readonly Pick<SealedPlace<unknown>, 'owner' | 'bytes' | 'dataKeyId'>[] = [
  sealedCards,
  ...shortLists,
];

/** Before the first card. */
const BEFORE_ALL: RowOf<typeof cards.key.parts> = { merchantId: 0, cardId: 0 };

export function walkOver(database: Database, current: number, again: SealAgain): Walk {
  const metInVain: Buffer[] = [];
  let after = BEFORE_ALL;
  const walkOn = async (limit: number): Promise<number> => {
    const rows = await database.query(sealedCards.find, [current, limit, ...cards.key.values(after)]);
    const steps = await Promise.all(rows.map(({ key, sealed }) => replacement(sealedCards, key, sealed, again)));
    await database.flight(steps.filter((step) => step !== undefined));
    after = rows.at(-1)?.key ?? after;
    return rows.length;
  };
  return async (limit) => {
    const met = await walkShortLists(database, { current, limit, metInVain }, again);
    return met > 0 ? met : walkOn(limit);
  };
}

type ShortWalk = { readonly current: number; readonly limit: number; readonly metInVain: Buffer[] };

/** One value at a time, because these rows belong to orders under way. */
async function walkShortLists(
  database: Database,
  { current, limit, metInVain }: ShortWalk,
  again: SealAgain,
): Promise<number> {
  let met = 0;
  for (const list of shortLists) {
    for (const { key, sealed } of await database.query(list.find, [current, limit - met, metInVain])) {
      const step = await replacement(list, key, sealed, again);
      if (step) await database.query(step.statement, step.values);
      else metInVain.push(sealed.bytes);
      met += 1;
    }
  }
  return met;
}

async function replacement<Key>(
  { place, replace }: SealedPlace<Key>,
  key: Key,
  old: Sealed,
  again: SealAgain,
): Promise<Step | undefined> {
  const fresh = await again(old, place(key));
  return fresh && replace(key, old, fresh);
}
