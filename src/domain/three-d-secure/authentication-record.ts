// An authentication under way: where it stands and what was learned so far. No card number and no security code is in
// it; the issuer's proof is kept apart, sealed. Times are milliseconds since 1970.

import type { OrderKey } from '../order/order.ts';
import type { AuthenticationStatus } from './authentication.ts';
import type { PayerBrowser, ToldOfBrowser } from './payer-browser.ts';

export type AuthenticationKey = OrderKey & { readonly seq: number };

export type AuthenticationRecord = AuthenticationKey & {
  /** Counts changes; a change is written only over the version it was decided on. */
  readonly version: number;
  readonly step: AuthenticationStep;
  /** Digests of the results taken so far: the same result again gets the same reply, another one is refused. */
  readonly taken: Taken;
  /** After this time no result is taken any more. */
  readonly until: number;
  /** When a node must look at it: the end of a lease or of a wait. */
  readonly dueAt: number | undefined;
  readonly startedAt: number;
};

export type TakenKind = 'method' | 'cres' | 'pares' | 'rreq';

export type Taken = { readonly [kind in TakenKind]?: string };

/** EMV 3DS. */
export type Protocol2 = '2.1.0' | '2.2.0';

/** The ids of a challenge from the issuer's answer; every later message must carry the same. */
export type ChallengeIds = {
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly dsTransID: string;
};

/** Whether the method page was completed, was not, or did not exist. */
export type MethodCompletion = 'Y' | 'N' | 'U';

export type AuthenticationStep =
  /** We ask which version the card's range speaks. This may be repeated. */
  | { readonly name: 'looking-up' }
  /** The payer's browser is needed: for the issuer's method page, or to describe itself. */
  | {
      readonly name: 'browser';
      readonly protocol: Protocol2;
      readonly transactionId: string;
      readonly methodUrl: string | undefined;
      /** The issuer says that its method page is done, or our own one was in its place. */
      readonly isMethodDone: boolean;
      /** What our own method page saw of the browser; the merchant's word goes before it. */
      readonly seen?: ToldOfBrowser;
    }
  /** The request to the issuer is on its way: it is sent only once under one transaction id. */
  | {
      readonly name: 'requesting';
      readonly protocol: Protocol2;
      readonly transactionId: string;
      readonly hasMethod: boolean;
      readonly completion: MethodCompletion;
      readonly browser: PayerBrowser;
      /** Where the browser brings the result of a challenge. */
      readonly notificationUrl: string;
      /** How many transaction ids were used so far. */
      readonly tries: number;
    }
  /** The payer is at the issuer's page. */
  | {
      readonly name: 'challenge';
      readonly protocol: Protocol2;
      readonly ids: ChallengeIds;
      readonly acsUrl: string;
      readonly cardholderInfo: string | undefined;
      /** The browser came back. Its word is no proof, but from now on we wait for the issuer only a short time. */
      readonly browserSaid: 'Y' | 'N' | 'error' | undefined;
    }
  /** Version 1: we ask whether the card takes part. This may be repeated. */
  | { readonly name: 'enrolling' }
  /** Version 1: the payer is at the issuer's page. */
  | {
      readonly name: 'pareq';
      readonly xid: string;
      readonly messageId: string;
      readonly date: string;
      readonly acsUrl: string;
      /** As the browser carries it. */
      readonly pareq: string;
      readonly merchantData: string;
    }
  | {
      readonly name: 'over';
      readonly outcome: AuthenticationOutcome;
      /** The order has heard of it. */
      readonly isTold: boolean;
    };

export type AuthenticationOutcome = {
  readonly status: AuthenticationStatus;
  /** The protocol's version; undefined when the card networks were never reached. */
  readonly protocol: Protocol2 | '1.0.2' | undefined;
  /** Why it ended so, in the protocol's code or in words of ours. */
  readonly reason: string | undefined;
  readonly isCancelled: boolean;
  /** What the issuer wants the payer to read. */
  readonly cardholderInfo?: string;
  /** A security code in a sandbox left the authentication out. */
  readonly isLeftOut?: true;
  /** Nobody completed it in time. */
  readonly isOutOfTime?: true;
  readonly eci: string | undefined;
  readonly ids: Partial<ChallengeIds>;
  readonly xid: string | undefined;
  /** What the browser brought from the issuer's page, if the payer was there. */
  readonly browserSaid: 'Y' | 'N' | 'error' | undefined;
  readonly wasChallenged: boolean;
};

/** One message of the transcript, masked. */
export type AuthenticationLine = {
  readonly at: number;
  readonly from: 'tender' | 'network' | 'browser' | 'merchant';
  readonly message: Readonly<Record<string, unknown>>;
};
