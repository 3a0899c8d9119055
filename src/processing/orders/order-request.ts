// A request to make an order, and what the merchant gets when it is accepted.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import type { Money } from '../../domain/money/money.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { HostedForm, Order, OrderOperation } from '../../domain/order/order.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { Secret } from '../../domain/secret.ts';
import type { StoredCard } from '../../storage/store.ts';
import type { Payee } from '../cards/payee.ts';

/** The card that pays: typed by the payer now, or stored with an earlier order. */
export type PayingCard =
  | { readonly typed: CardDetails }
  | { readonly stored: StoredCard; readonly cvv: Secret<string> | undefined };

export type OrderRequest = {
  readonly operation: OrderOperation;
  readonly type: TransactionType;
  readonly clientOrderId: string;
  readonly amount: Money;
  /** Amounts to try in turn when this one is declined. */
  readonly alternatives?: readonly bigint[];
  /** The card that pays; without one the merchant's balance does. */
  readonly card?: PayingCard | undefined;
  readonly payee?: Payee | undefined;
  /** Two for a transfer from card to card. */
  readonly legs?: number;
  /** Nothing is sent before the merchant confirms it. */
  readonly awaitsConfirmation?: boolean;
  /** The payer enters the card on the hosted form. */
  readonly form?: HostedForm | undefined;
  readonly details: OrderDetails;
  /** A schedule makes this order, under an id no merchant may choose. */
  readonly scheduled?: true;
};

/** An order the merchant may rely on: it is written down and survives any crash. */
export type Accepted = { readonly order: Order; readonly serialNumber: string };
