// AReq and ARes: the 3DS server asks, the issuer's access control server answers by way of the directory server.
// Only the browser channel (02) is spoken.

import * as field from './fields.ts';
import {
  always,
  type ConditionInput,
  code,
  digits,
  freeObject,
  growing,
  matching,
  neededWhen,
  plainText,
  since22,
  sometimes,
  utcMoment,
  webAddress,
} from './format.ts';

const isPayment = ({ category }: ConditionInput) => category === '01';
const status = ({ message }: ConditionInput) => message.transStatus;

/** A payment, or an agreement to pay later, must tell what is bought. */
function tellsPurchase(given: ConditionInput): boolean {
  return isPayment(given) || isRecurring(given);
}

function isRecurring({ message }: ConditionInput): boolean {
  return message.threeDSRequestorAuthenticationInd === '02' || message.threeDSRequestorAuthenticationInd === '03';
}

const FOR_PURCHASE = 'a payment, or a recurring or instalment agreement';
const FOR_RECURRING = 'a recurring or instalment agreement';

/** A browser without JavaScript tells nothing about its screen; 2.1.0 does not provide for that. */
function tellsScreen({ message, version }: ConditionInput): boolean {
  return version === '2.1.0' || message.browserJavascriptEnabled === true;
}

const FOR_SCREEN = '2.1.0, or JavaScript is enabled';

export const AREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  deviceChannel: always(code('02')),
  messageCategory: always(field.messageCategory),
  threeDSServerRefNumber: always(field.referenceNumber),
  threeDSServerOperatorID: sometimes(field.operatorID),
  threeDSServerURL: always(field.serverURL),
  threeDSRequestorID: always(plainText(35)),
  threeDSRequestorName: always(plainText(40)),
  threeDSRequestorURL: always(field.serverURL),
  threeDSCompInd: always(code('Y', 'N', 'U')),
  threeDSRequestorAuthenticationInd: always(code('01', '02', '03', '04', '05', '06')),
  threeDSRequestorChallengeInd: sometimes(growing(['01', '02', '03', '04'], ['05', '06', '07', '08', '09'])),
  threeDSRequestorAuthenticationInfo: sometimes(field.requestorAuthenticationInfo),
  threeDSRequestorPriorAuthenticationInfo: sometimes(field.requestorPriorAuthenticationInfo),
  threeDSRequestorDecReqInd: since22(sometimes(field.yesNo)),
  threeDSRequestorDecMaxTime: since22(
    neededWhen(
      'a decoupled authentication is asked for',
      ({ message }) => message.threeDSRequestorDecReqInd === 'Y',
      field.decoupledMinutes,
    ),
  ),
  threeDSReqAuthMethodInd: since22(sometimes(code('01', '02', '03'))),

  acctNumber: always(field.acctNumber),
  cardExpiryDate: sometimes(field.cardExpiryDate),
  acctType: sometimes(code('01', '02', '03')),
  acctID: sometimes(plainText(64)),
  cardholderName: sometimes(matching(/^[\x20-\x7e]+$/, 2, 45, '2 to 45 characters of ASCII')),
  email: sometimes(field.emailAddress),
  homePhone: sometimes(field.phoneParts),
  mobilePhone: sometimes(field.phoneParts),
  workPhone: sometimes(field.phoneParts),
  billAddrLine1: sometimes(field.addressLine),
  billAddrLine2: sometimes(field.addressLine),
  billAddrLine3: sometimes(field.addressLine),
  billAddrCity: sometimes(field.addressLine),
  billAddrPostCode: sometimes(field.postCode),
  billAddrState: sometimes(field.addressState),
  billAddrCountry: neededWhen('a state is given', ({ message }) => 'billAddrState' in message, field.numericCountry),
  shipAddrLine1: sometimes(field.addressLine),
  shipAddrLine2: sometimes(field.addressLine),
  shipAddrLine3: sometimes(field.addressLine),
  shipAddrCity: sometimes(field.addressLine),
  shipAddrPostCode: sometimes(field.postCode),
  shipAddrState: sometimes(field.addressState),
  shipAddrCountry: neededWhen('a state is given', ({ message }) => 'shipAddrState' in message, field.numericCountry),
  addrMatch: sometimes(field.yesNo),
  acctInfo: sometimes(field.acctInfo),
  merchantRiskIndicator: sometimes(field.merchantRiskIndicator),

  acquirerBIN: neededWhen('a payment', isPayment, field.acquirerBIN),
  acquirerMerchantID: neededWhen('a payment', isPayment, plainText(35)),
  mcc: neededWhen('a payment', isPayment, digits(4)),
  merchantCountryCode: neededWhen('a payment', isPayment, field.numericCountry),
  merchantName: neededWhen('a payment', isPayment, plainText(40)),
  purchaseAmount: neededWhen(FOR_PURCHASE, tellsPurchase, digits(1, 48)),
  purchaseCurrency: neededWhen(FOR_PURCHASE, tellsPurchase, digits(3)),
  purchaseExponent: neededWhen(FOR_PURCHASE, tellsPurchase, digits(1)),
  purchaseDate: neededWhen(FOR_PURCHASE, tellsPurchase, utcMoment('YYYYMMDDHHMMSS')),
  purchaseInstalData: neededWhen(
    'an instalment agreement',
    ({ message }) => message.threeDSRequestorAuthenticationInd === '03',
    matching(/^[0-9]+$/, 1, 3, 'a number from 2 to 999', (value) => Number(value) > 1),
  ),
  recurringExpiry: neededWhen(FOR_RECURRING, isRecurring, field.recurringExpiry),
  recurringFrequency: neededWhen(FOR_RECURRING, isRecurring, digits(1, 4)),
  transType: sometimes(code('01', '03', '10', '11', '28')),

  browserAcceptHeader: always(plainText(2048)),
  browserUserAgent: always(plainText(2048)),
  browserIP: sometimes(matching(/^[0-9A-Fa-f:.]+$/, 2, 45, 'an IPv4 or IPv6 address')),
  browserLanguage: always(matching(/^[A-Za-z0-9-]+$/, 1, 8, 'a language tag of at most 8 characters')),
  browserJavascriptEnabled: since22(neededWhen('2.2.0', () => true, field.trueOrFalse)),
  browserJavaEnabled: neededWhen(FOR_SCREEN, tellsScreen, field.trueOrFalse),
  browserColorDepth: neededWhen(FOR_SCREEN, tellsScreen, code('1', '4', '8', '15', '16', '24', '32', '48')),
  browserScreenHeight: neededWhen(FOR_SCREEN, tellsScreen, field.browserScreen),
  browserScreenWidth: neededWhen(FOR_SCREEN, tellsScreen, field.browserScreen),
  browserTZ: neededWhen(FOR_SCREEN, tellsScreen, matching(/^[+-]?[0-9]{1,4}$/, 1, 5, 'minutes, positive west of UTC')),
  notificationURL: always(webAddress(256)),
  payTokenInd: sometimes({ kind: 'boolean', only: true, hint: 'true' }),
  payTokenSource: since22(sometimes(code('01', '02'))),
  whiteListStatus: since22(sometimes(code('Y', 'N'))),
  whiteListStatusSource: since22(
    neededWhen('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),

  // The directory server adds these on the way to the issuer.
  dsReferenceNumber: sometimes(field.referenceNumber),
  dsTransID: sometimes(field.dsTransID),
  dsURL: sometimes(field.serverURL),
  messageExtension: sometimes(field.messageExtension),
};

const isOneOf =
  (...wanted: string[]) =>
  (given: ConditionInput) =>
    wanted.includes(String(status(given)));

const asksThePayer = isOneOf('C', 'D');

export const ARES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  dsTransID: always(field.dsTransID),
  acsTransID: always(field.acsTransID),
  dsReferenceNumber: always(field.referenceNumber),
  acsReferenceNumber: always(field.referenceNumber),
  acsOperatorID: sometimes(field.operatorID),
  transStatus: neededWhen('a payment', isPayment, growing(['Y', 'N', 'U', 'A', 'C', 'R'], ['D', 'I'])),
  transStatusReason: neededWhen(
    'a payment with transStatus N, U or R',
    (given) => isPayment(given) && isOneOf('N', 'U', 'R')(given),
    field.transStatusReason,
  ),
  authenticationValue: neededWhen(
    'a payment with transStatus Y or A',
    (given) => isPayment(given) && isOneOf('Y', 'A')(given),
    field.authenticationValue,
  ),
  eci: sometimes(field.eci),
  acsURL: neededWhen('transStatus C', isOneOf('C'), field.serverURL),
  acsChallengeMandated: neededWhen('transStatus C or D', asksThePayer, field.yesNo),
  authenticationType: neededWhen('transStatus C or D', asksThePayer, field.authenticationType),
  acsDecConInd: since22(neededWhen('transStatus D', isOneOf('D'), field.yesNo)),
  cardholderInfo: neededWhen(
    'acsDecConInd Y',
    ({ message, version }) => version !== '2.1.0' && message.acsDecConInd === 'Y',
    plainText(128),
  ),
  whiteListStatus: since22(sometimes(field.whiteListStatus)),
  whiteListStatusSource: since22(
    neededWhen('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),
  broadInfo: sometimes(freeObject(4096)),
  messageExtension: sometimes(field.messageExtension),
};
