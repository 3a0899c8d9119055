// Opens what an instruction needs: cards and security codes from the vault, for as long as the instruction takes.

import type { CardDetails, TargetCard } from '../../acquirers/acquirer.ts';
import { invariant } from '../../domain/errors.ts';
import { firstTryOf } from '../../domain/order/cascade.ts';
import { type Order, transactionOf } from '../../domain/order/order.ts';
import type { Secret } from '../../domain/secret.ts';
import { type Authentication, eciFor } from '../../domain/three-d-secure/authentication.ts';
import type { AuthenticationStore } from '../../storage/authentications.ts';
import type { OrderCards, OrderStore, StoredCard } from '../../storage/store.ts';
import { cardPlace, cvvPlace, proofPlace } from '../../vault/places.ts';
import type { CodeSealing } from '../../vault/security-codes.ts';
import type { Vault } from '../../vault/vault.ts';
import { openAccount, type Payee } from '../cards/payee.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import { type Materials, payerOf } from './instruction.ts';

type MaterialsParts = {
  readonly store: OrderStore;
  readonly vault: Vault;
  readonly codes: Pick<CodeSealing, 'open'>;
  readonly configuration: LiveConfiguration;
  readonly authentications: Pick<AuthenticationStore, 'findOutcome'>;
};

export class MaterialsStore {
  readonly #parts: MaterialsParts;

  constructor(parts: MaterialsParts) {
    this.#parts = parts;
  }

  /** Undefined when the security code the payer gave is forgotten or lost: the instruction cannot be sent. */
  async open(order: Order, seq: number, { needsCard } = { needsCard: false }): Promise<Materials | undefined> {
    const { originalSeq, leg } = transactionOf(order, seq);
    if (originalSeq !== undefined || leg > 1) return this.recall(order, seq, { needsCard });
    const stored = await this.#parts.store.loadCards({ ...order, seq });
    const { sealedCvv } = stored;
    const cvv = sealedCvv && (await this.#parts.codes.open(sealedCvv, cvvPlace(order)));
    if (cvv === undefined && (sealedCvv || needsSecurityCode(order, stored))) return undefined;
    return this.#openStored(order, seq, stored, cvv);
  }

  /** What an instruction was made of that was sent already, without the security code. */
  async recall(order: Order, seq: number, { needsCard }: { needsCard: boolean }): Promise<Materials> {
    const isFollowUp = transactionOf(order, seq).originalSeq !== undefined;
    if (isFollowUp && !needsCard) return { descriptor: this.#descriptorOf(order) };
    return this.#openStored(order, seq, await this.#parts.store.loadCards({ ...order, seq }), undefined);
  }

  #descriptorOf({ endpointId }: Order): string {
    return this.#parts.configuration.endpoint(endpointId)?.descriptor ?? '';
  }

  async #openStored(
    order: Order,
    seq: number,
    stored: OrderCards,
    cvv: Secret<string> | undefined,
  ): Promise<Materials> {
    const { vault } = this.#parts;
    const paid = {
      descriptor: this.#descriptorOf(order),
      payer: payerOf(stored.details),
      targetCard: stored.targetCard && (await this.targetCard(order.merchantId, stored.targetCard)),
      account: stored.sealedTarget && (await openAccount(vault, stored.sealedTarget, order)),
    };
    // The first leg of a transfer took the money already, so the paying card is not needed.
    if (transactionOf(order, seq).leg > 1) return paid;
    return {
      ...paid,
      card: stored.card && (await this.cardDetails(order.merchantId, stored.card, cvv)),
      firstNetworkTransactionId: stored.firstNetworkTransactionId,
      authentication: stored.card && (await this.#authentication(order, seq, stored.card)),
    };
  }

  /** The part of an instruction that names the payee. */
  async ofPayee(merchantId: number, payee: Payee | undefined): Promise<Pick<Materials, 'targetCard' | 'account'>> {
    if (!payee) return {};
    if ('account' in payee) return { account: payee.account };
    return { targetCard: 'typed' in payee ? payee.typed : await this.targetCard(merchantId, payee.stored) };
  }

  async cardNumber(merchantId: number, { cardId, sealed }: StoredCard): Promise<CardDetails['number']> {
    return this.#parts.vault.reveal(sealed, cardPlace({ merchantId, cardId }));
  }

  async targetCard(merchantId: number, card: StoredCard): Promise<TargetCard> {
    const number = await this.cardNumber(merchantId, card);
    return card.holder === undefined ? { number } : { number, holder: card.holder };
  }

  async cardDetails(merchantId: number, card: StoredCard, cvv: Secret<string> | undefined): Promise<CardDetails> {
    const { expireMonth, expireYear } = card;
    invariant(expireMonth !== undefined && expireYear !== undefined, 'a card without expiry pays');
    return {
      number: await this.cardNumber(merchantId, card),
      expireMonth,
      expireYear,
      ...(card.holder === undefined ? {} : { holder: card.holder }),
      ...(cvv === undefined ? {} : { cvv }),
    };
  }

  /** The result of 3-D Secure, where the payer was asked and the order may go on. */
  async #authentication(order: Order, seq: number, card: StoredCard): Promise<Authentication | undefined> {
    const { merchantId, orderId } = order;
    const key = { merchantId, orderId, seq: firstTryOf(order, seq) };
    const found = await this.#parts.authentications.findOutcome(key);
    if (!found?.outcome.protocol) return undefined;
    const { status, protocol: version, eci = eciFor(card.brand, status), ids, xid } = found.outcome;
    const cavv = found.proof && (await this.#parts.vault.reveal(found.proof, proofPlace(key)));
    return {
      ...{ version, status, eci },
      ...(cavv && { cavv }),
      ...(ids.dsTransID && { dsTransactionId: ids.dsTransID }),
      ...(xid && { xid }),
    };
  }
}

/** A payer who typed a card typed its security code too; a stored card is charged without. */
function needsSecurityCode({ orderId, operation, form }: Order, { card }: OrderCards): boolean {
  const isTyped = card !== undefined && (card.cardId === orderId || form !== undefined);
  return isTyped && operation !== 'pan-eligibility';
}
