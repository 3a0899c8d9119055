// AReq and ARes: the 3DS server asks, the issuer's access control server answers by way of the directory server.
// Only the browser channel (02) is spoken.

import * as field from './fields.ts';
import { always, code, type Given, growing, needed, optional, since22 } from './format.ts';

const isPayment = ({ category }: Given) => category === '01';
const status = ({ message }: Given) => message.transStatus;

/** A payment, or a stored agreement to pay: what is bought must be told. */
function tellsPurchase(given: Given): boolean {
  return isPayment(given) || isRecurring(given);
}

function isRecurring({ message }: Given): boolean {
  return message.threeDSRequestorAuthenticationInd === '02' || message.threeDSRequestorAuthenticationInd === '03';
}

const FOR_PURCHASE = 'a payment, or a recurring or instalment agreement';
const FOR_RECURRING = 'a recurring or instalment agreement';

/** Without JavaScript a browser tells nothing about its screen, which 2.1.0 has no way to say. */
function tellsScreen({ message, version }: Given): boolean {
  return version === '2.1.0' || message.browserJavascriptEnabled === true;
}

const FOR_SCREEN = '2.1.0, or JavaScript is enabled';

export const AREQ = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  deviceChannel: always(field.deviceChannel),
  messageCategory: always(field.messageCategory),
  threeDSServerRefNumber: always(field.referenceNumber),
  threeDSServerOperatorID: optional(field.operatorID),
  threeDSServerURL: always(field.serverURL),
  threeDSRequestorID: always(field.threeDSRequestorID),
  threeDSRequestorName: always(field.threeDSRequestorName),
  threeDSRequestorURL: always(field.serverURL),
  threeDSCompInd: always(field.threeDSCompInd),
  threeDSRequestorAuthenticationInd: always(field.authenticationInd),
  threeDSRequestorChallengeInd: optional(field.challengeInd),
  threeDSRequestorAuthenticationInfo: optional(field.requestorAuthenticationInfo),
  threeDSRequestorPriorAuthenticationInfo: optional(field.requestorPriorAuthenticationInfo),
  threeDSRequestorDecReqInd: since22(optional(field.yesNo)),
  threeDSRequestorDecMaxTime: since22(
    needed(
      'a decoupled authentication is asked for',
      ({ message }) => message.threeDSRequestorDecReqInd === 'Y',
      field.decoupledMinutes,
    ),
  ),
  threeDSReqAuthMethodInd: since22(optional(field.authMethodInd)),

  acctNumber: always(field.acctNumber),
  cardExpiryDate: optional(field.cardExpiryDate),
  acctType: optional(field.acctType),
  acctID: optional(field.acctID),
  cardholderName: optional(field.cardholderName),
  email: optional(field.email),
  homePhone: optional(field.phone),
  mobilePhone: optional(field.phone),
  workPhone: optional(field.phone),
  billAddrLine1: optional(field.addressLine),
  billAddrLine2: optional(field.addressLine),
  billAddrLine3: optional(field.addressLine),
  billAddrCity: optional(field.addressLine),
  billAddrPostCode: optional(field.postCode),
  billAddrState: optional(field.addressState),
  billAddrCountry: needed('a state is given', ({ message }) => 'billAddrState' in message, field.country),
  shipAddrLine1: optional(field.addressLine),
  shipAddrLine2: optional(field.addressLine),
  shipAddrLine3: optional(field.addressLine),
  shipAddrCity: optional(field.addressLine),
  shipAddrPostCode: optional(field.postCode),
  shipAddrState: optional(field.addressState),
  shipAddrCountry: needed('a state is given', ({ message }) => 'shipAddrState' in message, field.country),
  addrMatch: optional(field.yesNo),
  acctInfo: optional(field.acctInfo),
  merchantRiskIndicator: optional(field.merchantRiskIndicator),

  acquirerBIN: needed('a payment', isPayment, field.acquirerBIN),
  acquirerMerchantID: needed('a payment', isPayment, field.acquirerMerchantID),
  mcc: needed('a payment', isPayment, field.mcc),
  merchantCountryCode: needed('a payment', isPayment, field.country),
  merchantName: needed('a payment', isPayment, field.merchantName),
  purchaseAmount: needed(FOR_PURCHASE, tellsPurchase, field.purchaseAmount),
  purchaseCurrency: needed(FOR_PURCHASE, tellsPurchase, field.purchaseCurrency),
  purchaseExponent: needed(FOR_PURCHASE, tellsPurchase, field.purchaseExponent),
  purchaseDate: needed(FOR_PURCHASE, tellsPurchase, field.purchaseDate),
  purchaseInstalData: needed(
    'an instalment agreement',
    ({ message }) => message.threeDSRequestorAuthenticationInd === '03',
    field.purchaseInstalData,
  ),
  recurringExpiry: needed(FOR_RECURRING, isRecurring, field.recurringExpiry),
  recurringFrequency: needed(FOR_RECURRING, isRecurring, field.recurringFrequency),
  transType: optional(field.transType),

  browserAcceptHeader: always(field.browserAcceptHeader),
  browserUserAgent: always(field.browserUserAgent),
  browserIP: optional(field.browserIP),
  browserLanguage: always(field.browserLanguage),
  browserJavascriptEnabled: since22(needed('2.2.0', () => true, field.boolean)),
  browserJavaEnabled: needed(FOR_SCREEN, tellsScreen, field.boolean),
  browserColorDepth: needed(FOR_SCREEN, tellsScreen, field.browserColorDepth),
  browserScreenHeight: needed(FOR_SCREEN, tellsScreen, field.browserScreen),
  browserScreenWidth: needed(FOR_SCREEN, tellsScreen, field.browserScreen),
  browserTZ: needed(FOR_SCREEN, tellsScreen, field.browserTZ),
  notificationURL: always(field.notificationURL),
  payTokenInd: optional(field.payTokenInd),
  payTokenSource: since22(optional(field.payTokenSource)),
  whiteListStatus: since22(optional(code('Y', 'N'))),
  whiteListStatusSource: since22(
    needed('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),

  // Added by the directory server on the way to the issuer.
  dsReferenceNumber: optional(field.referenceNumber),
  dsTransID: optional(field.dsTransID),
  dsURL: optional(field.serverURL),
  messageExtension: optional(field.messageExtension),
};

const isOneOf =
  (...wanted: string[]) =>
  (given: Given) =>
    wanted.includes(String(status(given)));

const asksThePayer = isOneOf('C', 'D');

export const ARES = {
  threeDSServerTransID: always(field.threeDSServerTransID),
  dsTransID: always(field.dsTransID),
  acsTransID: always(field.acsTransID),
  dsReferenceNumber: always(field.referenceNumber),
  acsReferenceNumber: always(field.referenceNumber),
  acsOperatorID: optional(field.operatorID),
  transStatus: needed('a payment', isPayment, growing(['Y', 'N', 'U', 'A', 'C', 'R'], ['D', 'I'])),
  transStatusReason: needed(
    'a payment with transStatus N, U or R',
    (given) => isPayment(given) && isOneOf('N', 'U', 'R')(given),
    field.transStatusReason,
  ),
  authenticationValue: needed(
    'a payment with transStatus Y or A',
    (given) => isPayment(given) && isOneOf('Y', 'A')(given),
    field.authenticationValue,
  ),
  eci: optional(field.eci),
  acsURL: needed('transStatus C', isOneOf('C'), field.serverURL),
  acsChallengeMandated: needed('transStatus C or D', asksThePayer, field.yesNo),
  authenticationType: needed('transStatus C or D', asksThePayer, field.authenticationType),
  acsDecConInd: since22(needed('transStatus D', isOneOf('D'), field.yesNo)),
  cardholderInfo: needed(
    'acsDecConInd Y',
    ({ message, version }) => version !== '2.1.0' && message.acsDecConInd === 'Y',
    field.cardholderInfo,
  ),
  whiteListStatus: since22(optional(field.whiteListStatus)),
  whiteListStatusSource: since22(
    needed('whiteListStatus is given', ({ message }) => 'whiteListStatus' in message, field.whiteListStatusSource),
  ),
  broadInfo: optional(field.broadInfo),
  messageExtension: optional(field.messageExtension),
};
