// Receipts for whoever has their id, which cannot be guessed: what a payer may see of an order for as long as it is
// stored. An endpoint or group in the address that the order does not belong to finds nothing.

import { timingSafeEqual } from 'node:crypto';
import type { Look } from '../../domain/merchant/look.ts';
import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import { orderIdIn } from '../../domain/order/receipt-id.ts';
import type { ReceiptStore } from '../../storage/orders/receipts.ts';
import type { OrderStore, OrderView } from '../../storage/store.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';

export type Receipt = Pick<OrderView, 'order' | 'details' | 'card' | 'targetCard'> & {
  readonly merchant: Merchant;
  readonly endpoint: Endpoint;
  readonly look: Look;
};

export type ReceiptParts = {
  readonly store: Pick<OrderStore, 'findOrderView'>;
  readonly receipts: ReceiptStore;
  readonly configuration: LiveConfiguration;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class Receipts {
  readonly #parts: ReceiptParts;

  constructor(parts: ReceiptParts) {
    this.#parts = parts;
  }

  /** `pathId`: of an endpoint or a group, as it stands in the address. */
  async find(pathId: string, receiptId: string): Promise<Receipt | undefined> {
    const { store, configuration } = this.#parts;
    const target = configuration.target(pathId);
    const key = target && UUID.test(receiptId) ? await this.#keyOf(target.merchantId, receiptId) : undefined;
    if (!target || key?.merchantId !== target.merchantId) return undefined;
    const view = await store.findOrderView({ ...key, clientOrderId: undefined });
    if (!view || !isSame(view.receiptId, receiptId)) return undefined;
    const reached = target.kind === 'endpoint' ? [target.endpoint] : configuration.endpointsOf(target.group);
    const endpoint = reached.find(({ endpointId }) => endpointId === view.order.endpointId);
    const merchant = configuration.byId(target.merchantId);
    if (!endpoint || !merchant) return undefined;
    return { ...view, merchant, endpoint, look: configuration.look(endpoint.endpointId) };
  }

  async #keyOf(merchantId: number, receiptId: string): Promise<OrderKey | undefined> {
    const orderId = orderIdIn(receiptId);
    return orderId === undefined ? this.#parts.receipts.findOrder(receiptId) : { merchantId, orderId };
  }
}

function isSame(known: string, given: string): boolean {
  return known.length === given.length && timingSafeEqual(Buffer.from(known), Buffer.from(given));
}
