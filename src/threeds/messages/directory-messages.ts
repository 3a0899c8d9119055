// PReq and PRes: the 3DS server fetches the card ranges of a directory server. Erro: any party answers it to a message
// that it cannot accept.

import * as field from './fields.ts';
import { always, code, digits, list, object, since22, sometimes, webAddress } from './format.ts';

const MOST_RANGES = 100_000;

export const PREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  threeDSServerRefNumber: always(field.referenceNumber),
  threeDSServerOperatorID: sometimes(field.operatorID),
  serialNum: sometimes(field.serialNum),
  messageExtension: sometimes(field.messageExtension),
};

const cardRange = object({
  startRange: always(field.acctNumber),
  endRange: always(field.acctNumber),
  actionInd: sometimes(code('A', 'D', 'M')),
  acsStartProtocolVersion: always(field.protocolVersion),
  acsEndProtocolVersion: always(field.protocolVersion),
  dsStartProtocolVersion: since22(sometimes(field.protocolVersion)),
  dsEndProtocolVersion: since22(sometimes(field.protocolVersion)),
  threeDSMethodURL: sometimes(webAddress(256)),
  acsInfoInd: since22(sometimes(field.acsInfoInd)),
});

export const PRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  dsTransID: always(field.dsTransID),
  dsStartProtocolVersion: always(field.protocolVersion),
  dsEndProtocolVersion: always(field.protocolVersion),
  serialNum: sometimes(field.serialNum),
  cardRangeData: sometimes(list(cardRange, MOST_RANGES)),
  messageExtension: sometimes(field.messageExtension),
};

export const ERRO = {
  threeDSServerTransID: sometimes(field.threeDSServerTransID),
  acsTransID: sometimes(field.acsTransID),
  dsTransID: sometimes(field.dsTransID),
  errorCode: always(digits(3)),
  errorComponent: always(code('C', 'S', 'D', 'A')),
  errorDescription: always(field.errorText),
  errorDetail: always(field.errorText),
  errorMessageType: sometimes(code('AReq', 'ARes', 'CReq', 'CRes', 'PReq', 'PRes', 'RReq', 'RRes', 'Erro')),
};
