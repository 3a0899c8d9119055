// Merchants and their endpoints: who may ask, in which currency, within which limits.

import type { KeyObject } from 'node:crypto';
import type { Secret } from '../secret.ts';
import { type EndpointSettings, endpointSettings } from './endpoint-settings.ts';
import type { KeySettings } from './key-settings.ts';
import type { MerchantSettings } from './merchant-settings.ts';
import { type FirstSettings, firstSettings } from './setting.ts';

export type Merchant = { readonly merchantId: number; readonly login: string } & MerchantSettings & {
    readonly controlKeys: readonly ControlKey[];
    readonly publicKeys: readonly PublicKey[];
  };

type Validity = { readonly keyId: string; readonly validFrom: number; readonly validUntil: number | undefined };

export type ControlKey = Validity & KeySettings & { readonly key: Secret<string> };

export type PublicKey = Validity & KeySettings & { readonly key: KeyObject };

type EndpointIdentity = { readonly endpointId: number; readonly merchantId: number; readonly currency: string };

export type Endpoint = EndpointIdentity & EndpointSettings;

/** An endpoint before anything else was set: any amount, no credit, no 3-D Secure. */
export function newEndpoint(given: EndpointIdentity & FirstSettings<typeof endpointSettings>): Endpoint {
  return { ...given, ...firstSettings(endpointSettings, given.endpointId, given) };
}

export type EndpointGroup = {
  readonly groupId: number;
  readonly merchantId: number;
  readonly endpointIds: readonly number[];
};

export function isValidAt(key: Validity, now: number): boolean {
  return key.validFrom <= now && (key.validUntil === undefined || now < key.validUntil);
}

/** Whether the key may sign the operation; one without a list may sign all. */
export function maySign({ operations }: KeySettings, operation: string): boolean {
  return operations.length === 0 || operations.includes(operation);
}
