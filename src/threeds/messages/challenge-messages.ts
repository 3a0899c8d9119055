// CReq and CRes: the browser carries them between the 3DS server and the access control server, unsigned.
// RReq and RRes: the access control server tells the result by way of the directory server, and the 3DS server
// acknowledges it.

import * as field from './fields.ts';
import { always, type ConditionInput, code, digits, growing, neededWhen, since22, sometimes } from './format.ts';

export const CREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  challengeWindowSize: always(code('01', '02', '03', '04', '05')),
  messageExtension: sometimes(field.messageExtension),
};

export const CRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  // This field is for apps, but many servers send it to browsers too.
  challengeCompletionInd: sometimes(field.yesNo),
  transStatus: always(code('Y', 'N')),
  messageExtension: sometimes(field.messageExtension),
};

const isPayment = ({ message }: ConditionInput) => message.messageCategory === '01';

const paymentEndsWith =
  (...wanted: string[]) =>
  (given: ConditionInput) =>
    isPayment(given) && wanted.includes(String(given.message.transStatus));

export const RREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  dsTransID: always(field.dsTransID),
  messageCategory: always(field.messageCategory),
  transStatus: neededWhen('a payment', isPayment, code('Y', 'N', 'U', 'A', 'R')),
  transStatusReason: neededWhen(
    'a payment with transStatus N, U or R',
    paymentEndsWith('N', 'U', 'R'),
    field.transStatusReason,
  ),
  authenticationValue: neededWhen(
    'a payment with transStatus Y or A',
    paymentEndsWith('Y', 'A'),
    field.authenticationValue,
  ),
  eci: sometimes(field.eci),
  authenticationType: neededWhen(
    'transStatus Y or N',
    ({ message }) => message.transStatus === 'Y' || message.transStatus === 'N',
    field.authenticationType,
  ),
  // This field is meant for the directory server, but some of them pass it on.
  authenticationMethod: sometimes(field.authenticationMethod),
  interactionCounter: neededWhen(
    'the payer was not asked out of band',
    ({ message, version }) => !(version === '2.2.0' && message.authenticationType === '04'),
    digits(2),
  ),
  challengeCancel: neededWhen(
    'transStatusReason 14',
    ({ message }) => message.transStatusReason === '14',
    growing(['01', '02', '04', '05', '06', '07', '08'], ['03']),
  ),
  whiteListStatus: since22(sometimes(field.whiteListStatus)),
  whiteListStatusSource: since22(
    neededWhen('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),
  messageExtension: sometimes(field.messageExtension),
};

export const RRES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  acsTransID: always(field.acsTransID),
  dsTransID: always(field.dsTransID),
  resultsStatus: always(field.resultsStatus),
  messageExtension: sometimes(field.messageExtension),
};
