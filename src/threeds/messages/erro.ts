// The error codes of EMV 3DS with their texts, and how an Erro is made. A detail names fields and never their values,
// because a value may be a card number.

import { isObject } from './faults.ts';
import { transactionId, type Version } from './format.ts';
import type { Erro, MessageType } from './message.ts';

export const ERROR_CODES = {
  101: 'the message received is invalid',
  102: 'the message version is not supported',
  103: 'too many messages were sent',
  201: 'a required data element is missing',
  202: 'a critical message extension is not recognised',
  203: 'the format of a data element is invalid',
  204: 'a data element is there twice',
  301: 'the transaction id is not recognised',
  302: 'the data could not be decrypted',
  303: 'access denied, or the wrong end point',
  304: 'an ISO code is not valid',
  305: 'the transaction data is not valid',
  306: 'the merchant category code is not valid',
  307: 'the serial number is not valid',
  402: 'the transaction timed out',
  403: 'a transient failure of the system',
  404: 'a permanent failure of the system',
  405: 'the connection failed',
} as const;

export type ErrorCode = `${keyof typeof ERROR_CODES}`;

/** Who reports: the 3DS server, the directory server or the access control server. */
export type Component = 'S' | 'D' | 'A';

export type ErroParts = {
  readonly component: Component;
  readonly code: ErrorCode;
  /** For example the names of the wrong fields, separated by commas. */
  readonly detail: string;
  readonly version: Version;
  /** The type of the message that is complained about. */
  readonly about?: MessageType | undefined;
  /** The faulty message: the Erro repeats its transaction ids as far as they can be read. */
  readonly ids?: unknown;
};

const LONGEST_DETAIL = 2048;

export function erroOf({ component, code, detail, version, about, ids }: ErroParts): Erro {
  return {
    messageType: 'Erro',
    messageVersion: version,
    ...idsIn(ids),
    errorCode: code,
    errorComponent: component,
    errorDescription: ERROR_CODES[code],
    errorDetail: detail.slice(0, LONGEST_DETAIL),
    ...(about && { errorMessageType: about }),
  };
}

/** An Erro is never answered with an Erro. */
export function mayBeSent({ errorMessageType }: Erro): boolean {
  return errorMessageType !== 'Erro';
}

const ID_NAMES = ['threeDSServerTransID', 'acsTransID', 'dsTransID'] as const;

function idsIn(message: unknown): Partial<Record<(typeof ID_NAMES)[number], string>> {
  if (!isObject(message)) return {};
  return Object.fromEntries(
    ID_NAMES.map((name) => [name, message[name]] as const).filter(([, value]) => isTransactionId(value)),
  );
}

export function isTransactionId(value: unknown): value is string {
  return typeof value === 'string' && transactionId.kind === 'text' && transactionId.pattern.test(value);
}
