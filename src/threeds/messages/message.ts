// The messages of EMV 3DS by their names: which fields each carries, and the types that follow from it.

import { AREQ, ARES } from './authentication-messages.ts';
import { CREQ, CRES, RREQ, RRES } from './challenge-messages.ts';
import { ERRO, PREQ, PRES } from './directory-messages.ts';
import type { FieldTable, ValuesOf, Version } from './format.ts';

export type { Category, Version } from './format.ts';
export { VERSIONS } from './format.ts';

export const MESSAGES = {
  AReq: AREQ,
  ARes: ARES,
  CReq: CREQ,
  CRes: CRES,
  PReq: PREQ,
  PRes: PRES,
  RReq: RREQ,
  RRes: RRES,
  Erro: ERRO,
};

export type MessageType = keyof typeof MESSAGES;

export type ThreeDSMessage<Type extends MessageType> = {
  readonly messageType: Type;
  readonly messageVersion: Version;
} & ValuesOf<(typeof MESSAGES)[Type]>;

export type AReq = ThreeDSMessage<'AReq'>;
export type ARes = ThreeDSMessage<'ARes'>;
export type CReq = ThreeDSMessage<'CReq'>;
export type CRes = ThreeDSMessage<'CRes'>;
export type PReq = ThreeDSMessage<'PReq'>;
export type PRes = ThreeDSMessage<'PRes'>;
export type RReq = ThreeDSMessage<'RReq'>;
export type RRes = ThreeDSMessage<'RRes'>;
export type Erro = ThreeDSMessage<'Erro'>;

export type AnyMessage = { readonly [Type in MessageType]: ThreeDSMessage<Type> }[MessageType];

export function fieldsOf(type: MessageType): FieldTable {
  return MESSAGES[type];
}

export function isMessageType(value: unknown): value is MessageType {
  return typeof value === 'string' && Object.hasOwn(MESSAGES, value);
}
