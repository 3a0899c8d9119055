// What is asked of the provider for each instruction, as data: operation, path, fields, and what the signature covers.
// Amounts are written in major units with a point, which providers of this family read alike; controls cover minor
// ones.

import { type Money, writeAmount } from '../../domain/money/money.ts';
import type {
  ChargeInstruction,
  Circumstances,
  EligibilityQuestion,
  FollowUpInstruction,
  Push,
  TargetCard,
} from '../acquirer.ts';
import { clientOrderIdOf, type ProviderOrder } from './client-order-id.ts';
import { cardFieldsOf, expiryFields, payeeFields, payerFieldsOf, type WireFields } from './payer-fields.ts';
import type { SignedBy } from './sign.ts';

export type ProviderRequest = {
  /** The operation's name in the interface. */
  readonly operation: string;
  /** Before the endpoint's id. */
  readonly path: string;
  readonly fields: WireFields;
  readonly by: SignedBy;
  /** A request that is repeated under the same key is answered as the first was, and nothing is done again. */
  readonly idempotencyKey?: string | undefined;
};

/** Who asks, and where we are told how an order ended; undefined when the provider could not call us. */
export type AskingMerchant = {
  readonly login: string;
  readonly endpointId: string;
  readonly noticeUrl: string | undefined;
};

const CHARGES = {
  sale: ['SALE', '/api/v2/sale'],
  // The interface has no charge that only funds a transfer: it is taken as a sale and paid out of our balance there.
  pull: ['SALE', '/api/v2/sale'],
  preauth: ['PREAUTH', '/api/v2/preauth'],
  verification: ['ACCOUNT_VERIFICATION', '/api/v2/account-verification'],
} as const;

/** A card that the payer typed. */
export function askCharge(
  instruction: ChargeInstruction,
  around: Circumstances,
  asker: AskingMerchant,
): ProviderRequest {
  const { kind, amount, card, descriptor } = instruction;
  const [operation, path] = CHARGES[kind];
  const clientOrderId = clientOrderIdOf(instruction.reference);
  const email = emailOf(around, clientOrderId);
  const isFree = kind === 'verification';
  const names = [asker.endpointId, clientOrderId];
  return {
    operation,
    path,
    fields: {
      client_orderid: clientOrderId,
      order_desc: described(descriptor),
      ...(isFree ? { currency: amount.currency } : moneyFields(amount)),
      email,
      ...payerFieldsOf(around.payer),
      ...cardFieldsOf(card),
      redirect_url: around.returnUrl,
      ...noticeFields(asker),
    },
    by: { control: isFree ? [...names, email] : [...names, signedFigure(amount), email] },
  };
}

/** Charges need an address; where the merchant told none, every order has one of its own that leads nowhere. */
function emailOf({ payer }: Circumstances, clientOrderId: string): string {
  return payer.email ?? `${clientOrderId}@payer.invalid`;
}

/** Stores a card at the provider, without an amount and without charging it. */
export function askStoredCard({ card, amount }: ChargeInstruction, clientOrderId: string): ProviderRequest {
  return {
    operation: 'CREATE_RP_V4',
    path: '/api/v4/create-recurring-payment',
    // Nothing else may be told here: the same card must make the same request.
    fields: {
      client_orderid: clientOrderId,
      rp_card_type: 'SRC',
      credit_card_number: card.number.reveal(),
      ...expiryFields(card),
      currency: amount.currency,
    },
    by: { oauth: 'RSA-SHA256' },
  };
}

const STORED_CHARGES = {
  sale: ['REBILL', '/api/v2/make-rebill'],
  pull: ['REBILL', '/api/v2/make-rebill'],
  preauth: ['REBILL_PREAUTH', '/api/v2/make-rebill-preauth'],
} as const;

/** A stored card that is charged while the payer is away. */
export function askStoredCharge(
  { kind, reference, amount, descriptor }: ChargeInstruction & { readonly kind: keyof typeof STORED_CHARGES },
  storedCard: string,
  around: Circumstances,
  asker: AskingMerchant,
): ProviderRequest {
  const [operation, path] = STORED_CHARGES[kind];
  const clientOrderId = clientOrderIdOf(reference);
  return {
    operation,
    path,
    fields: {
      login: asker.login,
      client_orderid: clientOrderId,
      cardrefid: storedCard,
      order_desc: described(descriptor),
      ...moneyFields(amount),
      ipaddress: around.payer.ipAddress,
      ...noticeFields(asker),
    },
    by: { control: [asker.login, clientOrderId, storedCard, signedFigure(amount), amount.currency] },
  };
}

const FOLLOW_UPS = {
  capture: ['CAPTURE', '/api/v2/capture', undefined],
  cancel: ['RETURN', '/api/v2/return', 'cancel'],
  refund: ['RETURN', '/api/v2/return', 'reversal'],
  void: ['VOID', '/api/v2/void', undefined],
} as const;

/** What a follow-up is made of, whether an instruction asks for it or a charge is taken back. */
export type AskedFollowUp = Pick<FollowUpInstruction, 'kind' | 'reference' | 'amount'> & {
  readonly idempotencyKey: string;
};

/** The comment comes back in callbacks, and tells whose follow-up ended. */
export function askFollowUp(asked: AskedFollowUp, order: ProviderOrder, { login }: AskingMerchant): ProviderRequest {
  const { kind, amount, reference, idempotencyKey } = asked;
  const [operation, path, returnType] = FOLLOW_UPS[kind];
  const names = [login, order.clientOrderId, order.orderId];
  return {
    operation,
    path,
    fields: {
      login,
      client_orderid: order.clientOrderId,
      orderid: order.orderId,
      ...moneyFields(amount),
      return_type: returnType,
      comment: described(reference, MAX_COMMENT),
    },
    by: { control: kind === 'void' ? names : [...names, signedFigure(amount), amount.currency] },
    idempotencyKey,
  };
}

/** Signed with our private key where there is one, or else with the control key, which the older operation takes. */
export function askPayout(
  { reference, amount, to }: Push,
  { site, payer }: Circumstances,
  asker: AskingMerchant,
  hasPrivateKey: boolean,
): ProviderRequest {
  return {
    operation: hasPrivateKey ? 'PAYOUT_V4' : 'PAYOUT',
    path: hasPrivateKey ? '/api/v4/payout' : '/api/v2/payout',
    fields: {
      client_orderid: clientOrderIdOf(reference),
      ...moneyFields(amount),
      order_desc: described(site.descriptor),
      ...payeeFields(to),
      first_name: payer.firstName,
      last_name: payer.lastName,
      email: payer.email,
      phone: payer.phone,
      ipaddress: payer.ipAddress,
      ...noticeFields(asker),
    },
    by: { oauth: hasPrivateKey ? 'RSA-SHA256' : 'HMAC-SHA1' },
  };
}

/** The interface wants a name with the sending card; a card that was stored without one has none to tell. */
const NO_NAME = 'CARDHOLDER';

export function askAboutCards(
  { reference, sending, receiving }: EligibilityQuestion,
  { noticeUrl }: AskingMerchant,
): ProviderRequest {
  const which = sending && receiving ? 'both' : sending ? 'send' : 'receive';
  return {
    operation: `PAN_ELIGIBILITY_${which.toUpperCase()}`,
    path: `/api/v2/pan-eligibility/${which}`,
    fields: {
      'client-order-id': clientOrderIdOf(reference),
      ...(sending && sendingFields(sending)),
      'receiving-card-number': receiving?.number.reveal(),
      server_callback_url: noticeUrl,
    },
    by: { oauth: 'HMAC-SHA1' },
  };
}

/** A sending card comes with its expiry wherever it is known. */
function sendingFields(card: TargetCard): WireFields {
  return {
    'sending-card-number': card.number.reveal(),
    'card-printed-name': card.holder ?? NO_NAME,
    ...expiryFields(card),
  };
}

export type StatusQuestion = {
  readonly clientOrderId: string;
  readonly orderId?: string | undefined;
  /** Asks about the transaction that this request made, and not about the latest. */
  readonly serial?: string | undefined;
};

export function askStatus(
  { clientOrderId, orderId, serial }: StatusQuestion,
  { login }: AskingMerchant,
): ProviderRequest {
  return {
    operation: 'STATUS',
    path: '/api/v2/status',
    fields: { login, client_orderid: clientOrderId, orderid: orderId, 'by-request-sn': serial },
    by: { control: [login, clientOrderId, orderId ?? ''] },
  };
}

/** The same question, signed with our private key: it shows whether the provider knows that key. */
export function askStatusByKey(clientOrderId: string): ProviderRequest {
  return {
    operation: 'STATUS_V4',
    path: '/api/v4/status',
    fields: { client_orderid: clientOrderId },
    by: { oauth: 'RSA-SHA256' },
  };
}

/**
 * Takes the ids of an instruction for a payment form that nobody is ever sent to, and which therefore moves no money.
 * The provider refuses the instruction from then on, should it arrive late. Nothing here depends on anything but the
 * instruction, so that asking twice is asking once.
 */
export function askBarrier(
  reference: string,
  amount: Money,
  { endpointId }: AskingMerchant,
  { withKey }: { readonly withKey: boolean },
): ProviderRequest {
  const clientOrderId = clientOrderIdOf(reference);
  const email = `${clientOrderId}@withdrawn.invalid`;
  return {
    operation: 'SALEFORM',
    path: '/api/v2/sale-form',
    fields: { client_orderid: clientOrderId, order_desc: 'Withdrawn', ...moneyFields(amount), email },
    by: { control: [endpointId, clientOrderId, signedFigure(amount), email] },
    idempotencyKey: withKey ? keyOf(reference) : undefined,
  };
}

/** The idempotency key of a follow-up. */
export function keyOf(reference: string): string {
  return clientOrderIdOf(reference);
}

const MAX_COMMENT = 50;
const MAX_DESCRIPTION = 255;

function described(text: string, most = MAX_DESCRIPTION): string | undefined {
  return text === '' || text.length > most ? undefined : text;
}

function moneyFields(amount: Money): WireFields {
  return { amount: writeAmount(amount, 'major'), currency: amount.currency };
}

function signedFigure(amount: Money): string {
  return writeAmount(amount, 'minor');
}

/** Given twice it is called once for each transaction: for what the order was made for, and for every follow-up. */
function noticeFields({ noticeUrl }: AskingMerchant): WireFields {
  return { server_callback_url: noticeUrl, notify_url: noticeUrl };
}
