// What a browser carries in the hidden fields of forms: `creq`, `cres`, `threeDSMethodData`, `threeDSSessionData`. The
// payer can read and change all of it: it says where a browser is, never how an authentication ended.

import { readBase64Text, writeBase64Url } from './base64.ts';
import { erroOf, isTransactionId } from './erro.ts';
import { isObject } from './faults.ts';
import type { CReq, CRes, Erro, MessageType } from './message.ts';
import { type Reading, type ReadingOptions, readMessage, writeMessage } from './read-message.ts';

const MAX_BYTES = 16 * 1024;

export function writeCreq(message: CReq): string {
  return writeBase64Url(writeMessage(message));
}

export function readCreq(creq: string, options: ReadingOptions): Reading<'CReq'> {
  return readField('CReq', creq, options);
}

/** An access control server may send an Erro instead of its CRes. */
export function writeCres(message: CRes | Erro): string {
  return writeBase64Url(writeMessage(message));
}

export function readCres(cres: string, options: ReadingOptions): Reading<'CRes'> {
  return readField('CRes', cres, options);
}

function readField<Type extends MessageType>(type: Type, text: string, options: ReadingOptions): Reading<Type> {
  const json = readBase64Text(text, MAX_BYTES);
  if (json !== undefined) return readMessage(type, json, options);
  const { component, version = '2.2.0' } = options;
  return { outcome: 'fault', erro: erroOf({ component, code: '101', detail: 'not base64', version, about: type }) };
}

/** What the 3DS server posts to the method URL, in the field `threeDSMethodData`. */
export type MethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

export function writeMethodData({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string {
  return writeBase64Url(JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL }));
}

export function readMethodData(text: string): MethodData | undefined {
  const values = readJson(text);
  const { threeDSServerTransID, threeDSMethodNotificationURL } = values ?? {};
  if (!isTransactionId(threeDSServerTransID) || typeof threeDSMethodNotificationURL !== 'string') return undefined;
  if (!/^https?:\/\//.test(threeDSMethodNotificationURL) || !URL.canParse(threeDSMethodNotificationURL))
    return undefined;
  return { threeDSServerTransID, threeDSMethodNotificationURL };
}

/** What comes back when the method has ended, in a field of the same name. */
export function writeMethodNotification(threeDSServerTransID: string): string {
  return writeBase64Url(JSON.stringify({ threeDSServerTransID }));
}

/** The id of the transaction that the notification is about. */
export function readMethodNotification(text: string): string | undefined {
  const { threeDSServerTransID } = readJson(text) ?? {};
  return isTransactionId(threeDSServerTransID) ? threeDSServerTransID : undefined;
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  const json = readBase64Text(text, MAX_BYTES);
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
