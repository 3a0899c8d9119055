// Every field of the EMV 3DS messages once, with the form of its value. The messages say which of them carries a field
// and when. Names and letters are the protocol's. Values reserved for a directory server (80 to 99) are read where it
// may set them.

import {
  always,
  code,
  digits,
  type Format,
  freeObject,
  growing,
  growingText,
  list,
  matching,
  object,
  plainText,
  range,
  sometimes,
  transactionId,
  trueOrFalse,
  utcMoment,
  webAddress,
} from './format.ts';

// Who takes part

export const threeDSServerTransID = transactionId;
export const acsTransID = transactionId;
export const dsTransID = transactionId;
export const referenceNumber = plainText(32);
export const operatorID = plainText(32);
export const serverURL = webAddress(2048);
export const threeDSRequestorID = plainText(35);
export const threeDSRequestorName = plainText(40);
export const protocolVersion = matching(/^[0-9]+(?:\.[0-9]+){2}$/, 5, 8, 'a version such as 2.2.0');

export const messageExtension = list(
  object({
    name: always(plainText(64)),
    id: always(plainText(64)),
    criticalityIndicator: always(trueOrFalse),
    data: always(freeObject(8059)),
  }),
  10,
);

// What is asked

export const deviceChannel = code('02');
export const messageCategory = code('01', '02');
export const threeDSCompInd = code('Y', 'N', 'U');
export const authenticationInd = code('01', '02', '03', '04', '05', '06');
export const challengeInd = growing(['01', '02', '03', '04'], ['05', '06', '07', '08', '09']);
export const yesNo = code('Y', 'N');
export const decoupledMinutes = matching(
  /^[0-9]{5}$/,
  5,
  5,
  'five digits from 00001 to 10080',
  (value) => Number(value) >= 1 && Number(value) <= 10_080,
);
export const authMethodInd = code('01', '02', '03');

export const requestorAuthenticationInfo = object({
  threeDSReqAuthMethod: sometimes(growing(['01', '02', '03', '04', '05', '06'], ['07', '08'])),
  threeDSReqAuthTimestamp: sometimes(utcMoment('YYYYMMDDHHMM')),
  threeDSReqAuthData: sometimes(growingText(2048, 20_000)),
});

export const requestorPriorAuthenticationInfo = object({
  threeDSReqPriorRef: sometimes(plainText(36)),
  threeDSReqPriorAuthMethod: sometimes(code('01', '02', '03', '04')),
  threeDSReqPriorAuthTimestamp: sometimes(utcMoment('YYYYMMDDHHMM')),
  threeDSReqPriorAuthData: sometimes(plainText(2048)),
});

// The cardholder

export const acctNumber = digits(13, 19);
export const cardExpiryDate = matching(/^[0-9]{2}(?:0[1-9]|1[0-2])$/, 4, 4, 'written YYMM');
export const acctType = code('01', '02', '03');
export const acctID = plainText(64);
export const cardholderName = matching(/^[\x20-\x7e]+$/, 2, 45, '2 to 45 characters of ASCII');
export const emailAddress = matching(/^[^\s@]+@[^\s@]+$/, 3, 254, 'an address of at most 254 characters');
export const phoneParts = object({ cc: always(digits(1, 3)), subscriber: always(digits(1, 15)) });
export const addressLine = plainText(50);
export const postCode = plainText(16);
export const addressState = matching(/^[A-Za-z0-9]+$/, 1, 3, 'the part of an ISO 3166-2 code behind the dash');
export const numericCountry = digits(3);

const date = utcMoment('YYYYMMDD');

export const acctInfo = object({
  chAccAgeInd: sometimes(code('01', '02', '03', '04', '05')),
  chAccChange: sometimes(date),
  chAccChangeInd: sometimes(code('01', '02', '03', '04')),
  chAccDate: sometimes(date),
  chAccPwChange: sometimes(date),
  chAccPwChangeInd: sometimes(code('01', '02', '03', '04', '05')),
  nbPurchaseAccount: sometimes(digits(1, 4)),
  paymentAccAge: sometimes(date),
  paymentAccInd: sometimes(code('01', '02', '03', '04', '05')),
  provisionAttemptsDay: sometimes(digits(1, 3)),
  shipAddressUsage: sometimes(date),
  shipAddressUsageInd: sometimes(code('01', '02', '03', '04')),
  shipNameIndicator: sometimes(code('01', '02')),
  suspiciousAccActivity: sometimes(code('01', '02')),
  txnActivityDay: sometimes(digits(1, 3)),
  txnActivityYear: sometimes(digits(1, 3)),
});

export const merchantRiskIndicator = object({
  deliveryEmailAddress: sometimes(emailAddress),
  deliveryTimeframe: sometimes(code('01', '02', '03', '04')),
  // This one is in major units, unlike every other amount.
  giftCardAmount: sometimes(digits(1, 15)),
  giftCardCount: sometimes(digits(2)),
  giftCardCurr: sometimes(digits(3)),
  preOrderDate: sometimes(date),
  preOrderPurchaseInd: sometimes(code('01', '02')),
  reorderItemsInd: sometimes(code('01', '02')),
  shipIndicator: sometimes(code('01', '02', '03', '04', '05', '06', '07')),
});

// The purchase

export const acquirerBIN = matching(/^[0-9]+$/, 1, 11, 'at most 11 digits');
export const acquirerMerchantID = plainText(35);
export const mcc = digits(4);
export const merchantName = plainText(40);
export const purchaseAmount = digits(1, 48);
export const purchaseCurrency = digits(3);
export const purchaseExponent = digits(1);
export const purchaseDate = utcMoment('YYYYMMDDHHMMSS');
export const purchaseInstalData = matching(/^[0-9]+$/, 1, 3, 'a number from 2 to 999', (value) => Number(value) > 1);
export const recurringExpiry = date;
export const recurringFrequency = digits(1, 4);
export const transType = code('01', '03', '10', '11', '28');

// The browser

export { trueOrFalse } from './format.ts';
export const browserAcceptHeader = plainText(2048);
export const browserUserAgent = plainText(2048);
export const browserIP = matching(/^[0-9A-Fa-f:.]+$/, 2, 45, 'an IPv4 or IPv6 address');
export const browserLanguage = matching(/^[A-Za-z0-9-]+$/, 1, 8, 'a language tag of at most 8 characters');
export const browserColorDepth = code('1', '4', '8', '15', '16', '24', '32', '48');
export const browserScreen = digits(1, 6);
export const browserTZ = matching(/^[+-]?[0-9]{1,4}$/, 1, 5, 'minutes, positive west of UTC');
export const notificationURL = webAddress(256);
export const payTokenInd: Format<true> = { kind: 'boolean', only: true, hint: 'true' };
export const payTokenSource = code('01', '02');
export const challengeWindowSize = code('01', '02', '03', '04', '05');

// The answer

export const whiteListStatus = code('Y', 'N', 'E', 'P', 'R', 'U');
export const whiteListStatusSource = code('01', '02', '03');
const reserved = range(80, 99);
export const transStatusReason = growing([...range(1, 21), ...reserved], range(22, 26));
export const authenticationValue = matching(
  /^[A-Za-z0-9+/]{27}=$/,
  28,
  28,
  '20 bytes in base64',
  (value) => Buffer.from(value, 'base64').toString('base64') === value,
);
export const eci = matching(/^[A-Za-z0-9]{2}$/, 2, 2, '2 characters');
export const authenticationType = growing(['01', '02', '03'], ['04']);
export const authenticationMethod = growing([...range(1, 10), ...reserved], ['11']);
export const cardholderInfo = plainText(128);
export const broadInfo = freeObject(4096);
export const interactionCounter = digits(2);
export const challengeCancel = growing(['01', '02', '04', '05', '06', '07', '08'], ['03']);
export const resultsStatus = code('01', '02', '03', ...reserved);

// The directory server

export const serialNum = plainText(20);
export const threeDSMethodURL = webAddress(256);
export const acsInfoInd = list(code('01', '02', '03', '04', ...reserved), 24);
export const actionInd = code('A', 'D', 'M');

// Errors

export const errorCode = digits(3);
export const errorComponent = code('C', 'S', 'D', 'A');
export const errorText = plainText(2048);
export const errorMessageType = code('AReq', 'ARes', 'CReq', 'CRes', 'PReq', 'PRes', 'RReq', 'RRes', 'Erro');
