// CReq and CRes: the browser carries them between the 3DS server and the access control server, unsigned.
// RReq and RRes: the access control server tells the result, by way of the directory server, and the 3DS server receipts it.

import * as field from './fields.ts';
import { always, code, type Given, needed, optional, since22 } from './format.ts';

export const CREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  challengeWindowSize: always(field.challengeWindowSize),
  messageExtension: optional(field.messageExtension),
};

export const CRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  // A field of apps that many servers send to browsers too.
  challengeCompletionInd: optional(field.yesNo),
  transStatus: always(code('Y', 'N')),
  messageExtension: optional(field.messageExtension),
};

const isPayment = ({ message }: Given) => message.messageCategory === '01';

const paymentEndsWith =
  (...wanted: string[]) =>
  (given: Given) =>
    isPayment(given) && wanted.includes(String(given.message.transStatus));

export const RREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  dsTransID: always(field.dsTransID),
  messageCategory: always(field.messageCategory),
  transStatus: needed('a payment', isPayment, code('Y', 'N', 'U', 'A', 'R')),
  transStatusReason: needed(
    'a payment with transStatus N, U or R',
    paymentEndsWith('N', 'U', 'R'),
    field.transStatusReason,
  ),
  authenticationValue: needed(
    'a payment with transStatus Y or A',
    paymentEndsWith('Y', 'A'),
    field.authenticationValue,
  ),
  eci: optional(field.eci),
  authenticationType: needed(
    'transStatus Y or N',
    ({ message }) => message.transStatus === 'Y' || message.transStatus === 'N',
    field.authenticationType,
  ),
  // Meant for the directory server, and passed on by some.
  authenticationMethod: optional(field.authenticationMethod),
  interactionCounter: needed(
    'the payer was not asked out of band',
    ({ message, version }) => !(version === '2.2.0' && message.authenticationType === '04'),
    field.interactionCounter,
  ),
  challengeCancel: needed(
    'transStatusReason 14',
    ({ message }) => message.transStatusReason === '14',
    field.challengeCancel,
  ),
  whiteListStatus: since22(optional(field.whiteListStatus)),
  whiteListStatusSource: since22(
    needed('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),
  messageExtension: optional(field.messageExtension),
};

export const RRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  dsTransID: always(field.dsTransID),
  resultsStatus: always(field.resultsStatus),
  messageExtension: optional(field.messageExtension),
};
