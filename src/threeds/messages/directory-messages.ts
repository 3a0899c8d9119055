// PReq and PRes: the 3DS server fetches the card ranges of a directory server. Erro: what any of them answers to a message
// that it cannot take.

import * as field from './fields.ts';
import { always, list, object, optional, since22 } from './format.ts';

const MOST_RANGES = 100_000;

export const PREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  threeDSServerRefNumber: always(field.referenceNumber),
  threeDSServerOperatorID: optional(field.operatorID),
  serialNum: optional(field.serialNum),
  messageExtension: optional(field.messageExtension),
};

const cardRange = object({
  startRange: always(field.acctNumber),
  endRange: always(field.acctNumber),
  actionInd: optional(field.actionInd),
  acsStartProtocolVersion: always(field.protocolVersion),
  acsEndProtocolVersion: always(field.protocolVersion),
  dsStartProtocolVersion: since22(optional(field.protocolVersion)),
  dsEndProtocolVersion: since22(optional(field.protocolVersion)),
  threeDSMethodURL: optional(field.threeDSMethodURL),
  acsInfoInd: since22(optional(field.acsInfoInd)),
});

export const PRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  dsTransID: always(field.dsTransID),
  dsStartProtocolVersion: always(field.protocolVersion),
  dsEndProtocolVersion: always(field.protocolVersion),
  serialNum: optional(field.serialNum),
  cardRangeData: optional(list(cardRange, MOST_RANGES)),
  messageExtension: optional(field.messageExtension),
};

export const ERRO = {
  threeDSServerTransID: optional(field.threeDSServerTransID),
  acsTransID: optional(field.acsTransID),
  dsTransID: optional(field.dsTransID),
  errorCode: always(field.errorCode),
  errorComponent: always(field.errorComponent),
  errorDescription: always(field.errorText),
  errorDetail: always(field.errorText),
  errorMessageType: optional(field.errorMessageType),
};
