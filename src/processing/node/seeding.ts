// Fills a sandbox with made-up orders, so that searches can be tried among millions: of several merchants, spread over
// half a year, of cards and payers that come again.

import { randomInt } from 'node:crypto';
import { passesLuhn } from '../../domain/card/card.ts';
import { TEST_BINS } from '../../domain/card/test-bins.ts';
import type { Clock } from '../../domain/clock.ts';
import type { IdRange } from '../../domain/ids/id-blocks.ts';
import { type Endpoint, newEndpoint } from '../../domain/merchant/merchant.ts';
import { present } from '../../domain/present.ts';
import { Secret } from '../../domain/secret.ts';
import type { ConfigurationStore } from '../../storage/configuration.ts';
import type { SeededOrder, SeedStore } from '../../storage/orders/seeded-orders.ts';
import type { StoredCard } from '../../storage/store.ts';
import { cardPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import { sealCard } from '../cards/payee.ts';
import { demo } from './demo.ts';

const MERCHANTS = 8;
const CURRENCIES = ['USD', 'EUR'] as const;
const CARDS = 2_000;
const ORDERS_A_PAYER = 5;
const BATCH = 5_000;
export const SPREAD_MS = 180 * 24 * 60 * 60 * 1000;
const EXPIRE_YEAR = 2040;
/** The last of them is so old: whatever its merchant was told, it was told by then. */
const LATEST_MS = 10 * 60 * 1000;

const loginOf = (index: number) => `seed-${index}`;
const isSeeded = (login: string) => /^seed-\d+$/.test(login);

export type SeedingParts = {
  readonly clock: Clock;
  readonly configuration: ConfigurationStore;
  readonly vault: Vault;
  readonly seeds: SeedStore;
  takeIds(count: number): Promise<IdRange>;
};

/** Somebody works with this database: merchants are there that are neither the demo's nor made up. */
export class NotForSeeding extends Error {
  override readonly name = 'NotForSeeding';
}

/** `told` hears how many there are after each batch. */
export async function seedOrders(parts: SeedingParts, count: number, told: (done: number) => void): Promise<void> {
  const { clock, seeds, takeIds } = parts;
  const endpoints = await seededEndpoints(parts);
  const cards = seededCards(parts.vault);
  const end = clock.now() - LATEST_MS;
  for (let done = 0; done < count; ) {
    const size = Math.min(BATCH, count - done);
    // Keys that were read long ago seal nothing.
    await parts.vault.refresh();
    const ids = await takeIds(2 * size);
    const orders = Array.from({ length: size }, (_, index): SeededOrder => {
      // The first merchants have the most orders.
      const endpoint = present(endpoints[Math.floor(Math.random() ** 2 * endpoints.length)]);
      const { endpointId, merchantId, currency } = endpoint;
      const payer = randomInt(Math.max(1, Math.ceil(count / ORDERS_A_PAYER)));
      const orderId = ids.from + index;
      const createdAt = Math.floor(end - SPREAD_MS * (1 - (done + index) / count));
      const card = cards(payer % CARDS, { merchantId, cardId: orderId });
      return { merchantId, orderId, endpointId, currency, payer, traceId: ids.from + size + index, createdAt, card };
    });
    await seeds.write(orders);
    done += size;
    told(done);
  }
}

async function seededEndpoints({ configuration, clock }: SeedingParts): Promise<readonly Endpoint[]> {
  const before = await configuration.read();
  const own = before.merchants.filter(({ login }) => login !== demo.login && !isSeeded(login));
  if (own.length > 0) {
    const logins = own.map(({ login }) => login).slice(0, 3);
    throw new NotForSeeding(`this database has merchants of its own (${logins.join(', ')}); take an empty one`);
  }
  const there = new Set(before.merchants.map(({ login }) => login));
  let merchantId = Math.max(0, ...before.merchants.map((one) => one.merchantId));
  let endpointId = Math.max(1_000, ...before.endpoints.map((one) => one.endpointId));
  for (let index = 1; index <= MERCHANTS; index++) {
    const login = loginOf(index);
    if (there.has(login)) continue;
    merchantId += 1;
    const open = { allowedAddresses: [], allowedCertificates: [], allowedOperations: [], strictSigning: false };
    const merchant = { merchantId, login, name: login, enabled: true, secondPersonAbove: [], ...open };
    await configuration.addMerchant(merchant, clock.now());
    for (const currency of CURRENCIES) {
      endpointId += 1;
      const plain = { endpointId, merchantId, name: `${login} ${currency}`, currency, sandbox: true };
      await configuration.addEndpoint(newEndpoint({ ...plain, descriptor: 'TENDER*SEED' }), clock.now());
    }
  }
  const { merchants, endpoints } = await configuration.read();
  const seeded = new Set(merchants.filter(({ login }) => isSeeded(login)).map((one) => one.merchantId));
  return endpoints.filter((one) => seeded.has(one.merchantId));
}

type CardKey = { readonly merchantId: number; readonly cardId: number };

/** A card by its number; what is the same for all orders of a merchant is made once. */
function seededCards(vault: Vault): (index: number, key: CardKey) => StoredCard {
  const known = new Map<string, StoredCard>();
  const numbers = Array.from({ length: CARDS }, (_, index) => new Secret(numberOf(index)));
  return (index, key) => {
    const number = present(numbers[index]);
    const name = `${key.merchantId} ${index}`;
    const typed = { number, expireMonth: 1 + (index % 12), expireYear: EXPIRE_YEAR, holder: `PAYER ${index}` };
    const card = known.get(name) ?? sealCard(vault, typed, key);
    known.set(name, card);
    return { ...card, cardId: key.cardId, sealed: vault.seal(number, cardPlace(key)) };
  };
}

/** A number of sixteen digits of a bank that does not exist. */
function numberOf(index: number): string {
  const bins = TEST_BINS.map(({ bin }) => bin).filter((bin) => /^[45]/.test(bin));
  const body = `${bins[index % bins.length]}${String(index * 7919)
    .padStart(9, '0')
    .slice(-9)}`;
  const check = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(passesLuhn);
  return check ?? body;
}
