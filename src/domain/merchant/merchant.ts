// Merchants and their endpoints: who may ask, in which currency, within which limits.

import type { KeyObject } from 'node:crypto';
import type { Secret } from '../secret.ts';

export type Merchant = {
  readonly merchantId: number;
  readonly login: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Network addresses requests may come from; empty means any. */
  readonly allowedAddresses: readonly string[];
  /** Operation names the merchant may call; empty means all. */
  readonly allowedOperations: readonly string[];
  readonly controlKeys: readonly ControlKey[];
  readonly publicKeys: readonly PublicKey[];
};

type Validity = { readonly keyId: string; readonly validFrom: number; readonly validUntil: number | undefined };

export type ControlKey = Validity & { readonly key: Secret<string> };

export type PublicKey = Validity & { readonly key: KeyObject };

export type ThreeDSecure = 'none' | 'optional' | 'required';

/** What becomes of a payer whose issuer could not say who they are; by the gate: refused where 3-D Secure is required. */
export type Unauthenticated = 'by-gate' | 'pass' | 'refuse';

/** How its acquirer made an endpoint known to the card networks, which they hear in every 3-D Secure message. */
export type Acquiring = {
  readonly bin: string;
  /** The acquirer's name for the endpoint. */
  readonly merchantId: string;
  /** ISO 18245: what the merchant sells. */
  readonly category: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
};

export type Endpoint = {
  readonly endpointId: number;
  readonly merchantId: number;
  readonly name: string;
  readonly currency: string;
  readonly enabled: boolean;
  /** Explains wrong signatures, may call loopback addresses, and takes test codes about 3-D Secure. Never so in production. */
  readonly sandbox: boolean;
  readonly threeDSecure: ThreeDSecure;
  readonly unauthenticated: Unauthenticated;
  readonly acquiring: Acquiring;
  readonly legacyReplies: boolean;
  readonly strictSigning: boolean;
  /** Limits in minor units of the endpoint's currency. */
  readonly minimum: bigint | undefined;
  readonly maximum: bigint | undefined;
  /** How far payouts may take the merchant's balance below zero, in minor units. */
  readonly creditLimit: bigint;
  /** Wire names of optional fields this endpoint demands. */
  readonly requiredFields: readonly string[];
  /** Forms the interface lets anybody ask for must be signed all the same. */
  readonly signedForms: boolean;
  /** Origins whose pages may show the hosted pages in a frame. */
  readonly frameAncestors: readonly string[];
  readonly descriptor: string;
};

type NewEndpoint = Pick<Endpoint, 'endpointId' | 'merchantId' | 'name' | 'currency' | 'sandbox' | 'descriptor'>;

/** An endpoint before anything was set: any amount, no credit, no 3-D Secure. */
export function newEndpoint(given: NewEndpoint): Endpoint {
  return {
    ...given,
    enabled: true,
    threeDSecure: 'none',
    unauthenticated: 'by-gate',
    // Simulated networks take anything; real ones must be told what was agreed with them.
    acquiring: { bin: '400000', merchantId: String(given.endpointId), category: '5999', country: 'US' },
    legacyReplies: false,
    strictSigning: false,
    minimum: undefined,
    maximum: undefined,
    creditLimit: 0n,
    requiredFields: [],
    signedForms: false,
    frameAncestors: [],
  };
}

export type EndpointGroup = {
  readonly groupId: number;
  readonly merchantId: number;
  readonly endpointIds: readonly number[];
};

export function isValidAt(key: Validity, now: number): boolean {
  return key.validFrom <= now && (key.validUntil === undefined || now < key.validUntil);
}
