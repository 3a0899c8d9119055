// The directory servers of card brands: where each is, the certificates both sides show, and the names by which it
// knows us. What does not go together is refused before it is kept: a payment would fail because of it later.

import { CARD_BRANDS, type KnownBrand } from '../../domain/card/card.ts';
import { flag, type InputKind, Misread, readBy } from '../../domain/input-kinds.ts';
import { toldSettings } from '../../domain/merchant/setting.ts';
import type { Secret } from '../../domain/secret.ts';
import { shown } from '../../domain/text.ts';
import { mayBeReached, networkSettings } from '../../domain/three-d-secure/card-network.ts';
import { openedNetwork } from '../../processing/node/opened-networks.ts';
import type { StoredNetwork } from '../../storage/card-networks.ts';
import { networkKeyPlace } from '../../vault/places.ts';
import { changesIn, settingAnswers, settingInputs, settingLines } from '../merchants/settings.ts';
import type { Parts } from '../parts.ts';
import { type Answered, aFlag, aList, aMoment, anObject, aText, aWord, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, properties, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import {
  authorityGiven,
  certificateGiven,
  certificatesIn,
  fitsKey,
  NONE,
  nameOnOneLine,
  privateKeyGiven,
  tlsComplaint,
} from './certificate-kinds.ts';
import { rangesLine, sightingLines } from './sighting-lines.ts';

const LONGEST_ADDRESS = 2048;

const knownBrand: InputKind<KnownBrand> = {
  ...readBy(`a brand (${CARD_BRANDS.join(', ')})`, (text) => {
    const wanted = text.toUpperCase();
    return CARD_BRANDS.find((one) => one === wanted);
  }),
  schema: { type: 'string', enum: CARD_BRANDS },
};

/** An address with a password in it is not repeated. */
const serverAddress: InputKind<string> = {
  schema: { type: 'string', maxLength: LONGEST_ADDRESS },
  what: 'an address such as https://ds.example.com/3ds',
  spelling: 'text',
  read: (value) => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url?.username || url?.password) return new Misread('an address without a name and a password is needed');
    const isPlain = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
    return isPlain && url.href.length <= LONGEST_ADDRESS
      ? url.href
      : new Misread(`an address such as https://ds.example.com/3ds is needed, not ${shown(value)}`);
  },
};

const theBrand = mustGive(knownBrand, 'the brand of the cards', { as: '<brand>', told: 'card network' });

const certificateView = anObject({
  subject: aText(),
  issuer: aText(),
  validUntil: aMoment(),
  fingerprint: aText('SHA-256.'),
});

const networkView = anObject({
  brand: told(aWord(CARD_BRANDS), 'card network'),
  address: told(aText()),
  ca: aList(certificateView, "What its certificate must be signed with; empty for the system's own."),
  certificate: aList(certificateView, 'What it is shown, our own first.'),
  ...settingAnswers(networkSettings),
});

type NetworkView = Answered<typeof networkView>;

export const setNetwork = defineVerb({
  name: 'setNetwork',
  summary: 'name the directory server of a card brand, or change it',
  role: 'administrator',
  conduct: 'change',
  given: {
    brand: theBrand,
    address: mayGive(serverAddress, 'where it takes messages of EMV 3DS, an https address', {
      as: '--address <url>',
      told: true,
    }),
    ca: mayGive(
      authorityGiven,
      'what its certificate must be signed with, in PEM, or none for what the system trusts',
      {
        as: '--ca <file>',
      },
    ),
    certificate: mayGive(certificateGiven, 'our certificate for it and its chain, in PEM, our own first, or none', {
      as: '--certificate <file>',
    }),
    privateKey: mayGive(privateKeyGiven, 'the private key of our certificate, in PEM; the vault seals it', {
      as: '--private-key <file>',
    }),
    ...settingInputs(networkSettings),
  },
  answer: networkView,
  run: async ({ brand, address, ca, certificate, privateKey, ...given }, parts) => {
    const before = (await parts.configuration.read()).networks.find((one) => one.brand === brand);
    const names = { ...namesOf(before), ...changesIn(networkSettings, given, parts) };
    const place = { address: addressOf(address ?? before?.address, brand, parts), ca: kept(ca, before?.ca) };
    const shownTo = await certifiedBy({ certificate, privateKey, before }, brand, parts);
    const network = { brand, ...place, ...shownTo, ...names };
    await parts.cardNetworks.set(network, parts.clock.now());
    return viewOf(network);
  },
  show: whole,
});

export const listNetworks = defineReading({
  name: 'listNetworks',
  command: 'network list',
  summary: 'list the directory servers of card brands',
  given: {},
  answer: aList(networkView),
  run: async (_, { configuration }) => (await configuration.read()).networks.map(viewOf),
  show: rowsOf(
    {
      BRAND: (one) => one.brand,
      ADDRESS: (one) => one.address,
      CERTIFICATE: (one) => endOf(one.certificate),
      OPERATOR: (one) => one.operatorId ?? null,
      REQUESTOR: (one) => one.requestorId ?? null,
    },
    'No brand has a directory server of its own; name one with: tender network set VISA --address https://…',
  ),
});

export const showNetwork = defineReading({
  name: 'showNetwork',
  command: 'network show',
  summary: 'show everything about the directory server of a card brand, never the private key',
  given: { brand: theBrand },
  answer: networkView,
  run: async ({ brand }, parts) => viewOf(await networkOf(brand, parts)),
  show: whole,
});

export const removeNetwork = defineVerb({
  name: 'removeNetwork',
  command: 'network remove',
  summary: 'forget the directory server of a card brand, and its private key',
  role: 'administrator',
  conduct: 'change',
  given: { brand: theBrand },
  answer: anObject({ brand: told(aWord(CARD_BRANDS), 'card network') }),
  run: async ({ brand }, parts) => {
    if (!(await parts.cardNetworks.remove(brand))) throw unknownNetwork(brand);
    return { brand };
  },
  show: ({ brand }) => `${brand} has no directory server of its own any more.`,
});

export const testNetwork = defineVerb({
  name: 'testNetwork',
  command: 'network test',
  summary: 'connect to the directory server of a card brand, and say what is seen',
  role: 'operator',
  conduct: 'outside',
  given: {
    brand: theBrand,
    ranges: mayGive(
      flag,
      'ask for its ranges of cards too; real networks count how often (default: on in a sandbox, off in production)',
      { as: '--ranges <on|off>' },
    ),
  },
  answer: anObject({
    brand: aWord(CARD_BRANDS),
    ok: aFlag('Whether all that was tried worked.'),
    lines: aList(anObject({ what: aText(), says: aText() }), 'What was seen.'),
  }),
  run: async ({ brand, ranges }, parts) => {
    const { mode, networkOffice, vault } = parts;
    const stored = await networkOf(brand, parts);
    addressOf(stored.address, brand, parts);
    const network = await openedNetwork(stored, vault);
    const sighting = await networkOffice.look(network);
    const seen = sightingLines(network, sighting);
    // What is not trusted is told nothing.
    const isSound = sighting.failure === undefined && sighting.tls?.distrust === undefined;
    if (!isSound || !(ranges ?? mode === 'sandbox')) return { brand, ok: isSound, lines: seen };
    const answer = await networkOffice.askRanges(network);
    return { brand, ok: answer.outcome === 'answered', lines: [...seen, rangesLine(answer)] };
  },
  show: ({ brand, ok, lines }) =>
    [
      `The directory server of ${brand} ${ok ? 'can be used' : 'cannot be used'}.`,
      properties(lines.map(({ what, says }) => [what, says] as const)),
    ].join('\n'),
});

async function networkOf(brand: KnownBrand, { configuration }: Parts<'configuration'>): Promise<StoredNetwork> {
  const network = (await configuration.read()).networks.find((one) => one.brand === brand);
  if (!network) throw unknownNetwork(brand);
  return network;
}

function unknownNetwork(brand: KnownBrand): InvalidInput {
  return new InvalidInput(`${brand} has no directory server of its own; "tender network list" shows those that do`);
}

function namesOf({ operatorId, requestorId, requestorName, acquirerBin }: Partial<StoredNetwork> = {}) {
  return { operatorId, requestorId, requestorName, acquirerBin };
}

function addressOf(address: string | undefined, brand: KnownBrand, { mode }: Parts<'mode'>): string {
  if (address === undefined) throw new InvalidInput(`address is missing: ${brand} has no directory server yet`);
  if (mayBeReached(address, mode)) return address;
  throw new InvalidInput('address: https is needed; plain http only goes to this machine itself, in a sandbox');
}

function kept(given: string | undefined, before: string | undefined): string | undefined {
  return given === NONE ? undefined : (given ?? before);
}

type CertifiedBy = {
  readonly certificate: string | undefined;
  readonly privateKey: Secret<string> | undefined;
  readonly before: StoredNetwork | undefined;
};

/** Our certificate and its sealed key, both or neither. */
async function certifiedBy(
  { certificate: given, privateKey, before }: CertifiedBy,
  brand: KnownBrand,
  { clock, vault }: Parts<'clock' | 'vault'>,
): Promise<Pick<StoredNetwork, 'certificate' | 'sealedKey'>> {
  if (given === undefined && privateKey === undefined) {
    return { certificate: before?.certificate, sealedKey: before?.sealedKey };
  }
  const certificate = kept(given, before?.certificate);
  if (certificate === undefined && privateKey) {
    throw new InvalidInput('privateKey: the certificate it belongs to is needed too');
  }
  if (certificate === undefined) return { certificate, sealedKey: undefined };
  const key = privateKey ?? (before && (await openedNetwork(before, vault)).privateKey);
  if (!key) throw new InvalidInput('certificate: its private key is needed too');
  const own = certificatesIn(certificate) ?? [];
  if (!fitsKey(own, key)) {
    throw new InvalidInput('the certificate does not fit the private key; where there are several, ours comes first');
  }
  const complaint = tlsComplaint(certificate, key);
  if (complaint !== undefined) throw new InvalidInput(`the certificate cannot be used for TLS: ${complaint}`);
  const [validUntil = 0] = own.map((one) => Date.parse(one.validTo));
  if (validUntil <= clock.now()) {
    throw new InvalidInput(`the certificate ended at ${new Date(validUntil).toISOString()}`);
  }
  if (vault.isStale) await vault.freshen();
  return { certificate, sealedKey: vault.seal(key, networkKeyPlace({ brand })) };
}

function viewOf(network: StoredNetwork) {
  const { brand, address, ca, certificate } = network;
  return {
    ...{ brand, address, ca: seenIn(ca), certificate: seenIn(certificate) },
    ...toldSettings(networkSettings, network),
  };
}

function seenIn(pem = '') {
  return (certificatesIn(pem) ?? []).map(({ subject, issuer, validTo, fingerprint256 }) => ({
    subject: nameOnOneLine(subject),
    issuer: nameOnOneLine(issuer),
    validUntil: Date.parse(validTo),
    fingerprint: fingerprint256,
  }));
}

function endOf([own]: NetworkView['certificate']): string {
  return own ? `until ${minute(own.validUntil)}` : 'none';
}

function whole(network: NetworkView): string {
  const { brand, address, ca, certificate } = network;
  return properties([
    ['Brand', brand],
    ['Address', address],
    ['CA', ca.map(({ subject }) => subject).join('; ') || 'what the system trusts'],
    ['Certificate', certificate[0] ? `${certificate[0].subject}, ${endOf(certificate)}` : 'none'],
    ...settingLines(networkSettings, network),
  ]);
}
