// What an operator gives to reach a provider that speaks this very interface.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { addressKind } from '../../domain/address/public-address.ts';
import { flag, type InputKind, id, line, Misread, readBy, wholeNumber } from '../../domain/input-kinds.ts';
import { hostOf, isLocalName } from '../../domain/merchant/callback-url.ts';
import {
  type ConnectorValues,
  LONGEST_ANSWER_MS,
  optionalSecretValue,
  requiredValue,
  secretValue,
} from '../connector.ts';

const LEAST_KEY_BITS = 2048;

const SHORTEST_CALL_MS = 100;

const ADDRESS = 'an address such as https://gateway.example/paynet (http only for this machine)';

const providerAddress: InputKind<string> = readBy(ADDRESS, readAddress, { format: 'uri' });

/** It never repeats what was given, as other kinds do. */
const rsaPrivateKey: InputKind<string> = {
  schema: { type: 'string' },
  what: `an RSA private key in PEM of at least ${LEAST_KEY_BITS} bits`,
  spelling: 'text',
  read: (value) =>
    typeof value === 'string' && readPrivateKey(value) ? value : new Misread(`${rsaPrivateKey.what} is needed`),
};

export const upstreamSettings = {
  baseUrl: requiredValue(providerAddress, { says: "the provider's address, up to and with /paynet" }),
  endpointId: requiredValue(id, { says: 'the endpoint, or group of endpoints, that the provider gave to us' }),
  login: requiredValue(line(64), {
    says: 'our login there; it must stay the same while payments are unfinished',
  }),
  controlKey: secretValue(line(128), { says: 'our control key there' }),
  privateKey: optionalSecretValue(rsaPrivateKey, {
    says: 'our private key, PEM; payouts and charges of stored cards are signed with it',
  }),
  strictSigning: requiredValue(flag, { says: 'sign every byte of every request too', default: false }),
  answerMs: requiredValue(wholeNumber(SHORTEST_CALL_MS, LONGEST_ANSWER_MS), {
    says: 'how long a payment may take, in milliseconds',
    default: 30_000,
  }),
  statusMs: requiredValue(wholeNumber(SHORTEST_CALL_MS, LONGEST_ANSWER_MS), {
    says: 'how long a question about a payment may take, in milliseconds',
    default: 10_000,
  }),
};

export type UpstreamSettings = ConnectorValues<typeof upstreamSettings>;

/** Without a slash at its end. */
function readAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
  return isPlain && isSafe ? url.href.replace(/\/+$/, '') : undefined;
}

export function isThisMachine(url: URL): boolean {
  const host = hostOf(url);
  return isLocalName(host) || addressKind(host) === 'loopback';
}

/** Undefined when it is none, or too short to be trusted. */
export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= LEAST_KEY_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
