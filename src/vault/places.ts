// Where each sealed value belongs. The place is authenticated with the value, so a value moved elsewhere does not open.

import type { OrderKey } from '../domain/order/order.ts';

const ofMerchant = ({ merchantId }: { readonly merchantId: number }) => `merchant/${merchantId}`;
const ofOrder = (key: OrderKey) => `${ofMerchant(key)}/order/${key.orderId}`;

type CardKey = { readonly merchantId: number; readonly cardId: number };
export const cardPlace = (key: CardKey) => `${ofMerchant(key)}/card/${key.cardId}`;

export const cvvPlace = (key: OrderKey) => `${ofOrder(key)}/cvv`;

/** The issuer's proof that a payer was authenticated. */
export const proofPlace = (key: OrderKey & { readonly seq: number }) => `${ofOrder(key)}/transaction/${key.seq}/proof`;

/** The bank account an order pays to. */
export const accountPlace = (key: OrderKey) => `${ofOrder(key)}/account`;

/** Details of an order that hold a card number and must come back as they were sent. */
export const detailsPlace = (key: OrderKey) => `${ofOrder(key)}/details`;

type RecurringPlaceKey = { readonly merchantId: number; readonly recurringPaymentId: number };
export const recurringDetailsPlace = (key: RecurringPlaceKey) =>
  `${ofMerchant(key)}/recurring/${key.recurringPaymentId}/details`;

type ControlKeyKey = { readonly merchantId: number; readonly keyId: string };
export const controlKeyPlace = (key: ControlKeyKey) => `${ofMerchant(key)}/key/${key.keyId}`;

/** The secrets of a terminal's connector. */
export const terminalPlace = ({ name }: { readonly name: string }) => `terminal/${name}`;
/** The private key of the certificate that a brand's directory server is shown. */
export const networkKeyPlace = ({ brand }: { readonly brand: string }) => `network/${brand}/key`;

/** The answer to a change that may be asked for again. */
export const repeatPlace = (key: { readonly asker: string; readonly key: string }) => `repeat/${key.asker}/${key.key}`;

/** The secret that a person's authenticator app has. */
export const totpPlace = ({ name }: { readonly name: string }) => `person/${name}/totp`;
