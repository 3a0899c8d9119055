// The link a payer's browser follows: it names one order, ends at a given time, and cannot be guessed or changed,
// because only somebody with the vault's key of links can make one. Nothing about it is stored.

import { timingSafeEqual } from 'node:crypto';
import type { OrderKey } from '../../domain/order/order.ts';
import { present } from '../../domain/present.ts';
import type { Vault } from '../../vault/vault.ts';

export type PayerLink = OrderKey & { readonly until: number };

const TOKEN = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,9})-([\w-]{43})$/;

export class PayerLinks {
  readonly #vault: Pick<Vault, 'linkMarks'>;

  constructor(vault: Pick<Vault, 'linkMarks'>) {
    this.#vault = vault;
  }

  tokenOf({ merchantId, orderId, until }: PayerLink): string {
    const said = [merchantId, orderId, Math.floor(until / 1000)].map((one) => one.toString(36));
    return `${said.join('-')}-${present(this.#marks(said)[0]).toString('base64url')}`;
  }

  /** The order and the time a token names, also when the time is over; undefined when we did not make it. */
  read(token: string): PayerLink | undefined {
    const [, merchant, order, until, mark] = TOKEN.exec(token) ?? [];
    if (!merchant || !order || !until || !mark) return undefined;
    if (!this.#marks([merchant, order, until]).some((expected) => isMark(mark, expected))) return undefined;
    return { merchantId: parseInt(merchant, 36), orderId: parseInt(order, 36), until: parseInt(until, 36) * 1000 };
  }

  /** The first is the one for new links. */
  #marks(said: readonly string[]): Buffer[] {
    return this.#vault.linkMarks(['payer-link', ...said]);
  }
}

/** Compared as text: the last letter has spare bits, so another letter there could stand for the same bytes. */
export function isMark(text: string, mark: Buffer): boolean {
  const [given, expected] = [Buffer.from(text), Buffer.from(mark.toString('base64url'))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
