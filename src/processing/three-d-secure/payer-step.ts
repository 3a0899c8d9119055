// What a payer's browser has to do next, on a page of ours or on the merchant's own.

import type { OrderDetails } from '../../domain/order/details.ts';
import type { Order } from '../../domain/order/order.ts';
import { type AuthenticationStatus, eciFor } from '../../domain/three-d-secure/authentication.ts';
import type { AuthenticationRecord } from '../../domain/three-d-secure/authentication-record.ts';
import { type PayerBrowser, payerBrowser, type ToldOfBrowser } from '../../domain/three-d-secure/payer-browser.ts';
import { NOT_ENROLLED } from '../../threeds/flow.ts';
import { writeCreq, writeMethodData } from '../../threeds/messages/index.ts';
import type { PayerLinks } from '../checkout/payer-links.ts';
import { payerToken } from '../checkout/payer-pages.ts';
import type { AskedOrder } from './requests.ts';

/** The whole window: the issuer's page takes the place of ours. */
const FULL_SCREEN = '05';

/** `data` is what is posted to the page, in the field `threeDSMethodData`. */
export type MethodPage = { readonly url: string; readonly data: string; readonly isOurs: boolean };

export type PayerStep =
  /** The browser has to describe itself. Where the issuer has no method page, one of our own stands in for it. */
  | { readonly kind: 'method-url'; readonly transactionId: string; readonly method: MethodPage }
  | { readonly kind: 'challenge'; readonly acsUrl: string; readonly creq: string }
  | { readonly kind: 'pareq'; readonly acsUrl: string; readonly pareq: string; readonly merchantData: string };

export type Places = {
  readonly links: PayerLinks;
  readonly baseUrl: () => string;
  /** An issuer's address as who is being answered reaches it: a simulated issuer's may be one of ours. */
  readonly asReached: (url: string) => string;
};

type OwnPlaces = Omit<Places, 'asReached'>;

export function payerAddress(order: Order, { links, baseUrl }: OwnPlaces): string {
  return `${baseUrl()}/3ds/${payerToken(order, links)}`;
}

/** The method page for cards whose issuer has none, so that a merchant who runs the steps itself has one for each. */
function methodAddress(order: Order, { links, baseUrl }: OwnPlaces): string {
  return `${baseUrl()}/3ds/method/${payerToken(order, links)}`;
}

/** The URL to which browsers bring the issuers' results. */
export function notifyAddress(order: Order, { links, baseUrl }: OwnPlaces): string {
  return `${baseUrl()}/3ds/notify/${payerToken(order, links)}`;
}

/** Undefined while we or the card networks must act, and when the authentication is over. */
export function payerStep(
  { step, until }: AuthenticationRecord,
  order: Order,
  { now, ...places }: Places & { now: number },
): PayerStep | undefined {
  if (now >= until) return undefined;
  switch (step.name) {
    case 'browser': {
      const { transactionId, methodUrl } = step;
      const threeDSMethodNotificationURL = notifyAddress(order, places);
      const data = writeMethodData({ threeDSServerTransID: transactionId, threeDSMethodNotificationURL });
      const url = methodUrl === undefined ? methodAddress(order, places) : places.asReached(methodUrl);
      return { kind: 'method-url', transactionId, method: { url, data, isOurs: methodUrl === undefined } };
    }
    case 'challenge': {
      if (step.browserSaid !== undefined) return undefined;
      const { threeDSServerTransID, acsTransID } = step.ids;
      const ids = { threeDSServerTransID, acsTransID, challengeWindowSize: FULL_SCREEN } as const;
      return {
        kind: 'challenge',
        acsUrl: places.asReached(step.acsUrl),
        creq: writeCreq({ messageType: 'CReq', messageVersion: step.protocol, ...ids }),
      };
    }
    case 'pareq':
      return {
        kind: 'pareq',
        acsUrl: places.asReached(step.acsUrl),
        pareq: step.pareq,
        merchantData: step.merchantData,
      };
    default:
      return undefined;
  }
}

/** The browser as the merchant described it with the order, if the description is complete. */
export function toldWithOrder(
  { details, order }: Pick<AskedOrder, 'details' | 'order'>,
  places: Places,
): { browser: PayerBrowser | undefined; notificationUrl: string } {
  const browser = payerBrowser(toldInOrder(details));
  const isComplete = 'acceptHeader' in browser && browser.screen !== undefined;
  return { browser: isComplete ? browser : undefined, notificationUrl: notifyAddress(order, places) };
}

export function toldInOrder({ browser = {}, ipAddress }: OrderDetails): ToldOfBrowser {
  return {
    acceptHeader: browser.browserAcceptHeader,
    userAgent: browser.browserUserAgent,
    language: browser.browserLanguage,
    ip: ipAddress,
    javascriptEnabled: browser.browserJavascriptEnabled,
    javaEnabled: browser.browserJavaEnabled,
    colorDepth: browser.browserColorDepth,
    screenHeight: browser.browserScreenHeight,
    screenWidth: browser.browserScreenWidth,
    timeZone: browser.browserTimeZone,
  };
}

/** The outcome of 3-D Secure for the status reply. */
export type AuthenticationResult = {
  readonly verified: 'AUTHENTICATED' | 'NOT_AUTHENTICATED' | 'UNSUPPORTED' | 'UNKNOWN';
  readonly eci: string | undefined;
};

const VERIFIED: Readonly<Record<AuthenticationStatus, AuthenticationResult['verified']>> = {
  Y: 'AUTHENTICATED',
  A: 'AUTHENTICATED',
  N: 'NOT_AUTHENTICATED',
  R: 'NOT_AUTHENTICATED',
  U: 'UNKNOWN',
  I: 'UNKNOWN',
};

export function authenticationResult({ step }: AuthenticationRecord, brand: string): AuthenticationResult | undefined {
  if (step.name !== 'over' || step.outcome.isLeftOut) return undefined;
  const { status, eci = eciFor(brand, status), reason } = step.outcome;
  // No version of the protocol knows the card.
  const isUnsupported = status === 'U' && reason === NOT_ENROLLED;
  return { verified: isUnsupported ? 'UNSUPPORTED' : VERIFIED[status], eci };
}
