// Directory servers of card brands over real TLS: each is shown our certificate for it, and only one whose own
// certificate can be trusted is told anything.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { networkOffice } from '../../src/compose/brand-directory.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { CardNetwork, NetworkConnection } from '../../src/domain/three-d-secure/card-network.ts';
import type { OpenedNetworks } from '../../src/processing/node/opened-networks.ts';
import { CardNetworks } from '../../src/processing/three-d-secure/card-networks.ts';
import { rangesRequest } from '../../src/processing/three-d-secure/requests.ts';
import { httpDirectory, type RunningNetworks, startNetworks } from '../../src/threeds/index.ts';
import { type Issued, testAuthority } from '../certificates.ts';
import { until } from '../harness.ts';
import { TlsDirectory } from '../threeds/tls-directory.ts';

const VISA_CARD = new Secret('4000000000001000');
const MASTERCARD_CARD = new Secret('5200000000001005');

const network = testAuthority('Network CA');
const stranger = testAuthority('Stranger CA');
const HERE = { at: 'IP:127.0.0.1' };
const ours = network.issue('gateway');

let networks: RunningNetworks;
let visa: TlsDirectory;
let mastercard: TlsDirectory;
let elsewhere: TlsDirectory;

beforeAll(async () => {
  networks = await startNetworks({ clock: systemClock });
  const directory = (shows: Issued) =>
    new TlsDirectory({ clients: network, shows, behind: () => networks.url }).start();
  visa = await directory(network.issue('visa', HERE));
  mastercard = await directory(network.issue('mastercard', HERE));
  elsewhere = await directory(network.issue('elsewhere', { at: 'DNS:ds.example.com' }));
});
afterAll(async () => {
  for (const one of [visa, mastercard, elsewhere]) await one.close();
  await networks.close();
});
beforeEach(() => {
  for (const one of [visa, mastercard, elsewhere]) one.asked.length = 0;
});

const to = (server: TlsDirectory, shown: Issued | undefined = ours, ca = network.certificate): NetworkConnection => ({
  address: server.url,
  ca,
  certificate: shown?.certificate,
  privateKey: shown && new Secret(shown.privateKey),
});

const NAMES = { operatorId: undefined, requestorId: undefined, requestorName: undefined, acquirerBin: undefined };

function open({ address: url, ca, certificate: cert, privateKey }: NetworkConnection, answerTimeoutMs = 120_000) {
  const tls = { ca, cert, key: privateKey?.reveal() };
  return httpDirectory({ url, clock: systemClock, speaks: 'emv-3ds', tls, answerTimeoutMs, connectTimeoutMs: 60_000 });
}

describe('a directory server that demands a certificate', () => {
  it('answers who shows one, at the very address it has', async () => {
    const server = open(to(visa));
    expect(await server.cardRanges(rangesRequest())).toMatchObject({ outcome: 'answered' });
    expect(visa.asked).toMatchObject([{ by: 'gateway', path: '/ds/v2', message: { messageType: 'PReq' } }]);
    await server.close();
  });

  it('speaks EMV 3DS alone: 1.0.2 is not asked for', async () => {
    const server = open(to(visa));
    const vereq = { messageId: 'mine', pan: VISA_CARD.reveal(), acqBIN: '1', merID: 'm' };
    expect(await server.verifyEnrolment(vereq)).toEqual({ outcome: 'not-spoken' });
    expect(await server.signers('anew')).toEqual([]);
    expect(visa.asked).toEqual([]);
    await server.close();
  });

  it.each<[string, () => NetworkConnection]>([
    ['without a certificate', () => ({ ...to(visa), certificate: undefined, privateKey: undefined })],
    ['with a certificate of somebody else', () => to(visa, stranger.issue('gateway'))],
    ['whose own certificate is not signed with the CA we know', () => to(visa, ours, stranger.certificate)],
    ['whose own certificate is for another name', () => to(elsewhere)],
  ])('is told nothing %s', async (_, connection) => {
    const server = open(connection());
    expect(await server.cardRanges(rangesRequest())).toMatchObject({ outcome: 'no-answer' });
    expect([...visa.asked, ...elsewhere.asked]).toEqual([]);
    await server.close();
  });

  it('answers what it was asked before it was given up, and then has no connection to us any more', async () => {
    const server = open(to(visa));
    let release = () => {};
    visa.held = new Promise((resolve) => {
      release = resolve;
    });
    const answer = server.cardRanges(rangesRequest());
    await until('it was asked', () => visa.asked.length === 1);
    server.retire();
    release();
    expect(await answer).toMatchObject({ outcome: 'answered' });
    await until('the connection is closed', async () => (await visa.openConnections()) === 0);
  });
});

describe('networks by brand', () => {
  const configuration: { networks: OpenedNetworks } = { networks: new Map() };
  const name = (...named: CardNetwork[]) => {
    configuration.networks = new Map(named.map((one) => [one.brand, one]));
  };
  const lines = () => new CardNetworks({ clock: systemClock, configuration, general: undefined, open });

  it('ask the server of a brand about its cards, and no other', async () => {
    const all = lines();
    name({ ...to(visa), ...NAMES, brand: 'VISA' }, { ...to(mastercard), ...NAMES, brand: 'MASTERCARD' });
    expect(await all.lineFor('VISA')?.ranges.find(VISA_CARD)).toMatchObject({ protocol: '2.2.0' });
    expect(mastercard.asked).toEqual([]);
    expect(await all.lineFor('MASTERCARD')?.ranges.find(MASTERCARD_CARD)).toMatchObject({ protocol: '2.2.0' });
    expect([visa.asked.length, mastercard.asked.length]).toEqual([1, 1]);
    expect(all.lineFor('AMEX')).toBeUndefined();
    expect(all.isEmpty).toBe(false);
    await all.close();
  });

  it('show another certificate as soon as one is named, and keep what is known of ranges', async () => {
    const all = lines();
    name({ ...to(visa), ...NAMES, brand: 'VISA' });
    await all.lineFor('VISA')?.ranges.find(VISA_CARD);
    const first = all.lineFor('VISA');
    expect(all.lineFor('VISA')).toBe(first);

    name({ ...to(visa, network.issue('renewed')), ...NAMES, brand: 'VISA', operatorId: 'OP-1' });
    const second = all.lineFor('VISA');
    expect(second?.server).not.toBe(first?.server);
    expect(await second?.ranges.find(VISA_CARD)).toMatchObject({ protocol: '2.2.0' });
    expect(visa.asked).toHaveLength(1);
    await second?.server.cardRanges(rangesRequest());
    expect(visa.asked.map(({ by }) => by)).toEqual(['gateway', 'renewed']);

    // Another address has ranges of its own.
    name({ ...to(mastercard), ...NAMES, brand: 'VISA', operatorId: 'OP-1' });
    await all.lineFor('VISA')?.ranges.find(VISA_CARD);
    expect(mastercard.asked).toMatchObject([{ message: { threeDSServerOperatorID: 'OP-1' } }]);

    name();
    expect(all.lineFor('VISA')).toBeUndefined();
    expect(all.isEmpty).toBe(true);
    await all.close();
  });

  it('keep the connection when only a name differs', async () => {
    const all = lines();
    name({ ...to(visa), ...NAMES, brand: 'VISA' });
    const before = all.lineFor('VISA');
    name({ ...to(visa), ...NAMES, brand: 'VISA', requestorId: 'R-2' });
    const after = all.lineFor('VISA');
    expect(after?.server).toBe(before?.server);
    expect(after?.identity).toMatchObject({ requestorId: 'R-2' });
    await all.close();
  });
});

describe('a look at a server', () => {
  const office = networkOffice(systemClock);

  it('tells the connection, its certificate and that it answers', async () => {
    const sighting = await office.look(to(visa));
    expect(sighting).toMatchObject({
      connectedTo: expect.stringMatching(/^127\.0\.0\.1 port \d+$/),
      tls: { version: 'TLSv1.3', certificate: expect.stringContaining('BEGIN CERTIFICATE'), distrust: undefined },
      status: 405,
    });
    expect(sighting.failure).toBeUndefined();
    expect(await office.askRanges({ ...to(visa), ...NAMES, brand: 'VISA', operatorId: 'OP-1' })).toMatchObject({
      outcome: 'answered',
    });
    expect(visa.asked).toMatchObject([{ message: { threeDSServerOperatorID: 'OP-1' } }]);
  });

  it.each<[string, () => NetworkConnection, object]>([
    [
      'that we cannot trust',
      () => to(visa, ours, stranger.certificate),
      { status: 405, tls: { distrust: /SELF_SIGNED|UNABLE_TO/ } },
    ],
    ['with another name', () => to(elsewhere), { status: 405, tls: { distrust: /ALTNAME/ } }],
    [
      'that does not trust us',
      () => ({ ...to(visa), certificate: undefined, privateKey: undefined }),
      { failure: /certificate required|socket hang up|reset/ },
    ],
    ['where nobody listens', () => ({ ...to(visa), address: 'https://127.0.0.1:1/' }), { failure: /ECONNREFUSED/ }],
    ['that speaks no TLS', () => ({ ...to(visa), address: networks.url.replace('http:', 'https:') }), { failure: /./ }],
  ])('%s says so', async (_, connection, expected) => {
    expect(await office.look(connection())).toMatchObject(matching(expected));
  });

  it('at one without TLS sees that it answers', async () => {
    expect(await office.look({ ...to(visa), address: networks.url })).toMatchObject({ status: expect.any(Number) });
  });
});

/** The same with every form as a matcher. */
function matching(expected: object): object {
  const entries = Object.entries(expected).map(([name, value]) => {
    if (value instanceof RegExp) return [name, expect.stringMatching(value)];
    return [name, typeof value === 'object' ? matching(value) : value];
  });
  return Object.fromEntries(entries);
}
