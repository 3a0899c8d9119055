// Where each sealed value belongs. The place is authenticated with the value, so a value moved elsewhere does not open.

export function cardPlace(merchantId: number, cardId: number): string {
  return `merchant/${merchantId}/card/${cardId}`;
}

export function cvvPlace(merchantId: number, orderId: number): string {
  return `merchant/${merchantId}/order/${orderId}/cvv`;
}

/** The issuer's proof that a payer was authenticated. */
export function proofPlace(merchantId: number, orderId: number, seq: number): string {
  return `merchant/${merchantId}/order/${orderId}/transaction/${seq}/proof`;
}

/** The bank account an order pays to. */
export function accountPlace(merchantId: number, orderId: number): string {
  return `merchant/${merchantId}/order/${orderId}/account`;
}

export function controlKeyPlace(merchantId: number, keyId: string): string {
  return `merchant/${merchantId}/key/${keyId}`;
}
