// The 3-D Secure requests to directory server and issuer. An optional value that does not fit the protocol is left out;
// a required one that does not fit ends the authentication as unavailable.

import { randomBytes, randomUUID } from 'node:crypto';
import type { CardDetails } from '../../acquirers/acquirer.ts';
import { countryNumber } from '../../domain/country.ts';
import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import { currencyNumber, exponentOf } from '../../domain/money/currency.ts';
import { writeAmount } from '../../domain/money/money.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { Order, Transaction } from '../../domain/order/order.ts';
import { present } from '../../domain/present.ts';
import { wellFormed } from '../../domain/text.ts';
import type { AuthenticationStep } from '../../domain/three-d-secure/authentication-record.ts';
import { type NetworkIdentity, requestorIdFor } from '../../domain/three-d-secure/card-network.ts';
import { headerText, screenFor } from '../../domain/three-d-secure/payer-browser.ts';
import { type AReq, messageFaults, type PAReq, type PReq, type VEReq } from '../../threeds/messages/index.ts';

/** The name under which the card networks know this 3DS server. */
const SERVER_REFERENCE = 'TENDER-3DS-SERVER';

const LONGEST_NAME = { requestor: 40, merchant: 40, version1: 25 } as const;

export type AskedOrder = {
  readonly order: Order;
  readonly transaction: Transaction;
  readonly details: OrderDetails;
  readonly endpoint: Endpoint;
  readonly merchant: Merchant;
  readonly card: CardDetails;
  readonly baseUrl: string;
  readonly now: number;
  /** A merchant who tries a challenge in the sandbox asks for one. */
  readonly wantsChallenge: boolean;
};

type Requesting = Extract<AuthenticationStep, { name: 'requesting' }>;

/** Asks for the changes since this serial number, or for all ranges of cards. */
export function rangesRequest(serialNum?: string): PReq {
  return {
    messageType: 'PReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: randomUUID(),
    threeDSServerRefNumber: SERVER_REFERENCE,
    ...(serialNum === undefined ? {} : { serialNum }),
  };
}

/** `known` are the names by which the card's network knows us, where it has assigned some. */
export function authenticationRequest(step: Requesting, asked: AskedOrder, known?: NetworkIdentity): AReq {
  const [identity, purchase] = [identityOf(step, asked, known), purchaseOf(asked, known)];
  return withoutFaults({ ...identity, ...purchase, ...payerOf(asked), ...browserOf(step) });
}

export const CATEGORY = { payment: '01', other: '02' } as const;

/** A verification moves no money: it is about adding a card. */
export function categoryOf({ operation }: Pick<Order, 'operation'>): '01' | '02' {
  return operation === 'account-verification' ? CATEGORY.other : CATEGORY.payment;
}

function identityOf(
  step: Requesting,
  { order, endpoint, merchant, details, baseUrl, wantsChallenge }: AskedOrder,
  known: NetworkIdentity | undefined,
) {
  const isPayment = categoryOf(order) === CATEGORY.payment;
  const requestorId = known && requestorIdFor(known, endpoint.acquirerMerchantId);
  return {
    messageType: 'AReq',
    messageVersion: step.protocol,
    threeDSServerTransID: step.transactionId,
    deviceChannel: '02',
    messageCategory: categoryOf(order),
    threeDSServerRefNumber: SERVER_REFERENCE,
    threeDSServerOperatorID: known?.operatorId,
    threeDSServerURL: `${baseUrl}/3ds/results`,
    threeDSRequestorID: requestorId ?? `tender-${merchant.merchantId}`,
    threeDSRequestorName: known?.requestorName ?? wellFormed(merchant.name.slice(0, LONGEST_NAME.requestor)),
    threeDSRequestorURL: siteOf(details, baseUrl),
    threeDSCompInd: step.completion,
    threeDSRequestorAuthenticationInd: isPayment ? '01' : '04',
    ...(wantsChallenge ? { threeDSRequestorChallengeInd: '04' as const } : {}),
    notificationURL: step.notificationUrl,
  } as const;
}

function purchaseOf({ order, transaction, endpoint, merchant, now }: AskedOrder, known: NetworkIdentity | undefined) {
  const { acquirerBin, acquirerMerchantId, category } = endpoint;
  return {
    acquirerBIN: known?.acquirerBin ?? acquirerBin,
    acquirerMerchantID: acquirerMerchantId,
    mcc: category,
    merchantCountryCode: homeOf(endpoint),
    merchantName: wellFormed(merchant.name.slice(0, LONGEST_NAME.merchant)),
    purchaseAmount: transaction.amount.toString(),
    purchaseCurrency: currencyNumber(order.currency),
    purchaseExponent: String(exponentOf(order.currency)),
    purchaseDate: digitsOf(now),
    transType: order.operation === 'transfer' ? '10' : '01',
  } as const;
}

function payerOf({ card, details }: AskedOrder) {
  const country = details.country && countryNumber(details.country);
  return {
    acctNumber: card.number.reveal(),
    cardExpiryDate: expiryOf(card),
    cardholderName: card.holder,
    email: details.email,
    billAddrLine1: details.address,
    billAddrCity: details.city,
    billAddrPostCode: details.zipCode,
    billAddrState: country && details.state,
    billAddrCountry: country,
  };
}

function browserOf({ protocol, browser }: Requesting) {
  const screen = screenFor(protocol, browser);
  return {
    browserAcceptHeader: browser.acceptHeader,
    browserUserAgent: browser.userAgent,
    browserIP: browser.ip,
    browserLanguage: browser.language,
    ...(protocol === '2.2.0' ? { browserJavascriptEnabled: screen !== undefined } : {}),
    ...(screen && {
      browserJavaEnabled: screen.javaEnabled,
      browserColorDepth: screen.colorDepth,
      browserScreenHeight: screen.height,
      browserScreenWidth: screen.width,
      browserTZ: screen.timeZone,
    }),
  };
}

/** Leaves out what does not fit the protocol: merchants send longer and other values, and few are required. */
function withoutFaults(given: Readonly<Record<string, unknown>>): AReq {
  const known = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as AReq;
  const faulty = new Set(messageFaults(known).map(({ field }) => field.split(/[.[]/, 1)[0]));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !faulty.has(name))) as unknown as AReq;
}

/** Version 1: whether the card takes part. */
export function enrolmentRequest({ card, endpoint, details }: AskedOrder): VEReq {
  const { browserAcceptHeader, browserUserAgent } = details.browser ?? {};
  const [accept, userAgent] = [headerText(browserAcceptHeader), headerText(browserUserAgent)];
  return {
    messageId: randomUUID(),
    pan: card.number.reveal(),
    acqBIN: endpoint.acquirerBin,
    merID: endpoint.acquirerMerchantId,
    ...(accept && userAgent ? { accept, userAgent } : {}),
  };
}

/** Version 1: what the browser carries to the issuer. */
export function payerRequest(
  { order, transaction, endpoint, merchant, card, details, baseUrl, now }: AskedOrder,
  acctID: string,
) {
  const money = { minor: transaction.amount, currency: order.currency };
  const date = digitsOf(now);
  return {
    messageId: randomUUID(),
    acqBIN: endpoint.acquirerBin,
    merID: endpoint.acquirerMerchantId,
    xid: randomBytes(20).toString('base64'),
    date: `${date.slice(0, 8)} ${date.slice(8, 10)}:${date.slice(10, 12)}:${date.slice(12, 14)}`,
    purchAmount: money.minor.toString(),
    currency: currencyNumber(order.currency),
    exponent: String(exponentOf(order.currency)),
    name: wellFormed(merchant.name.slice(0, LONGEST_NAME.version1)),
    country: homeOf(endpoint),
    url: siteOf(details, baseUrl),
    amount: `${writeAmount(money, 'major')} ${order.currency}`,
    acctID,
    expiry: expiryOf(card),
  } satisfies PAReq;
}

/** The merchant's country as a number; the country of an endpoint is always a known one. */
function homeOf({ country }: Endpoint): string {
  return present(countryNumber(country));
}

/** The merchant's shop, as far as it is known. */
function siteOf({ siteUrl, redirectUrl }: OrderDetails, baseUrl: string): string {
  const isWebAddress = (url = '') => /^https?:/i.test(url) && URL.canParse(url);
  const known = [siteUrl, redirectUrl].find(isWebAddress);
  return new URL(known ?? baseUrl).origin;
}

/** `YYYYMMDDHHMMSS`, UTC. */
function digitsOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** `YYMM`. */
function expiryOf({ expireYear, expireMonth }: CardDetails): string {
  return `${String(expireYear % 100).padStart(2, '0')}${String(expireMonth).padStart(2, '0')}`;
}
