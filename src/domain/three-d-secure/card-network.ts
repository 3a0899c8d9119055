// The directory server of a card brand: how it is reached, and the names by which it knows this 3DS server.

import { addressKind } from '../address/public-address.ts';
import type { KnownBrand } from '../card/card.ts';
import { line } from '../input-kinds.ts';
import { acquirerBin } from '../merchant/endpoint-settings.ts';
import { type SettingsOf, setting } from '../merchant/setting.ts';
import { clearable, pattern } from '../merchant/setting-kinds.ts';
import type { Secret } from '../secret.ts';

// As long as the messages of EMV 3DS have room for.
const operatorId = pattern(/^[!-~]{1,32}$/, '1 to 32 characters without spaces');
const requestorId = pattern(
  /^(?:[!-z|~]|\{merchant\}){1,35}$/,
  '1 to 35 characters without spaces and braces, among them perhaps {merchant},',
);
const requestorName = line(40);

/** What a network assigned, and what is said in the place of it. */
export const networkSettings = [
  setting('operatorId', clearable(operatorId), {
    takes: 'id',
    title: 'Operator id',
    says: 'what it calls who runs this 3DS server (threeDSServerOperatorID)',
  }),
  setting('requestorId', clearable(requestorId), {
    takes: 'id',
    title: 'Requestor id',
    unset: 'tender- and the number of the merchant',
    says: "what it calls who asks (threeDSRequestorID), where {merchant} stands for the endpoint's acquirer-merchant-id",
  }),
  setting('requestorName', clearable(requestorName), {
    takes: 'name',
    unset: "the merchant's name",
    says: 'the name of who asks (threeDSRequestorName)',
  }),
  setting('acquirerBin', clearable(acquirerBin), {
    takes: 'digits',
    title: 'Acquirer BIN',
    unset: "the endpoint's",
    says: "the acquirer's number there, in the place of every endpoint's own",
  }),
] as const;

export type NetworkIdentity = SettingsOf<typeof networkSettings>;

/** Most networks want an id for each merchant, made of one for the gateway and the acquirer's name for the merchant. */
export function requestorIdFor({ requestorId }: NetworkIdentity, acquirerMerchantId: string): string | undefined {
  return requestorId?.replaceAll('{merchant}', () => acquirerMerchantId);
}

export type NetworkConnection = {
  /** Takes the messages of EMV 3DS. */
  readonly address: string;
  /** The certificates its own must be signed with; those the system trusts when there are none. PEM. */
  readonly ca: string | undefined;
  /** What we show, our own certificate first, and the key of that one. PEM. */
  readonly certificate: string | undefined;
  readonly privateKey: Secret<string> | undefined;
};

export type CardNetwork = NetworkConnection & NetworkIdentity & { readonly brand: KnownBrand };

/** Messages hold card numbers: only a sandbox may send them without TLS, and only to its own machine. */
export function mayBeReached(address: string, mode: 'sandbox' | 'production'): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && mode === 'sandbox' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return hostname === 'localhost' || addressKind(address) === 'loopback';
}

/** What was seen of a server, as far as one came. */
export type ServerSighting = {
  /** The address that took the connection. */
  readonly connectedTo?: string | undefined;
  readonly tls?: {
    readonly version: string;
    readonly cipher: string;
    /** PEM. */
    readonly certificate: string;
    /** Why its certificate cannot be trusted; undefined when it can. */
    readonly distrust: string | undefined;
  };
  /** The status of its answer to a plain request. */
  readonly status?: number | undefined;
  /** What went wrong, and so ended the look. */
  readonly failure?: string | undefined;
};
