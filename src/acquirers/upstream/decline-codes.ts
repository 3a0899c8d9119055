// The provider's error codes as action codes of ISO 8583:1993. A bank's own action code is passed on as it is. What
// lies with the provider or our contract with it becomes a technical code, so that another terminal may be asked.

/** The provider had too much to do, and looked at nothing: the same request may be sent again. */
export const OVERLOADED = '92';

/** Codes of the interface, by what they say. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...each('904', 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 35, 36, 37, 60, 61, 90),
  // Endpoint, signature, access.
  ...each('909', 10, 11, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27, 29, 38, 46, 47, 62, 63, 79, 91, 92),
  // The amount is outside the endpoint's limits, or more than there is.
  ...each('110', 12, 13, 42, 43, 44),
  ...each('101', 33),
  ...each('116', 45),
  // No such order, hold or stored card.
  ...each('914', 30, 40, 41, 50, 51, 53, 54),
  // Another request has the id or the key.
  ...each('913', 31, 32),
  // Card blocked, e-mail or address blocked, used too often.
  ...each('104', 34, 70, 71),
  ...each('100', 72, 73, 74, 78),
  ...each('123', 52, 75, 76, 77, 80, 81),
  // The provider's own bank did not answer, and the payment was undone.
  ...each('911', 504),
]);

function each(action: string, ...codes: number[]): [string, string][] {
  return codes.map((code) => [String(code), action]);
}

/** Declines, pick-ups and failures; approvals and reversals are none. */
const ACTION_CODE = /^[129]\d\d$/;

/** The statuses of an order that ended without money. */
export type EndedStatus = 'declined' | 'filtered' | 'error';

const OTHERWISE: Readonly<Record<EndedStatus, string>> = { declined: '100', filtered: '100', error: '909' };

export function declineCodeOf(status: EndedStatus, errorCode: string | undefined): string {
  if (errorCode !== undefined && ACTION_CODE.test(errorCode)) return errorCode;
  return MEANT.get(errorCode ?? '') ?? OTHERWISE[status];
}

/** Undefined when it is not certain that the request made nothing. */
export function refusalCodeOf(errorCode: string): string | undefined {
  return MEANT.get(errorCode);
}

/**
 * The order may exist: its id is used, or a proxy sent the request twice and this is the answer to the second, perhaps
 * of a node that had too much to do.
 */
const MAY_EXIST: ReadonlySet<string> = new Set(['28', '31', OVERLOADED]);

export function mayExistAlready(errorCode: string): boolean {
  return MAY_EXIST.has(errorCode);
}

export const ORDER_NOT_FOUND = '30';
export const ID_USED = '31';
export const KEY_USED = '32';
export const CALLBACK_REFUSED = '60';
