// The fields of the EMV 3DS messages that several of them carry, or whose form is long. The messages say which of them
// carries a field and when. Names and letters are the protocol's. Values reserved for a directory server (80 to 99) are
// read where it may set them.

import {
  always,
  code,
  digits,
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

export const messageCategory = code('01', '02');
export const yesNo = code('Y', 'N');
export const decoupledMinutes = matching(
  /^[0-9]{5}$/,
  5,
  5,
  'five digits from 00001 to 10080',
  (value) => Number(value) >= 1 && Number(value) <= 10_080,
);

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

export const acquirerBIN = matching(/^[0-9]+$/, 1, 11, 'at most 11 digits');
export const recurringExpiry = date;
export { trueOrFalse } from './format.ts';
export const browserScreen = digits(1, 6);

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
export const resultsStatus = code('01', '02', '03', ...reserved);
export const serialNum = plainText(20);
export const acsInfoInd = list(code('01', '02', '03', '04', ...reserved), 24);
export const errorText = plainText(2048);
