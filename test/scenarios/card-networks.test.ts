// Card brands with directory servers of their own: which one is asked about a card, what it is told of us, who may send
// results, and what an administrator may name.

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { InvalidInput } from '../../src/administration/verb/invalid-input.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { auditStore } from '../../src/storage/audit.ts';
import { startNetworks, TEST_CARDS } from '../../src/threeds/index.ts';
import { type Issued, lockedKey, testAuthority } from '../certificates.ts';
import { DEMO_MERCHANT_ID, describeGateway, type TestGateway } from '../harness.ts';
import { TlsDirectory } from '../threeds/tls-directory.ts';
import { asking, BROWSER, begun, finalOf, sale } from './authenticating.ts';
import { Payer, passChallenge } from './payer.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

const network = testAuthority('Network CA');
const HERE = { at: 'IP:127.0.0.1' };
const ours = network.issue('gateway');
const shows = { visa: network.issue('visa', HERE), mastercard: network.issue('mastercard', HERE) };

const AMEX = { number: '371449635398431' };
const APPROVED = { status: 'approved', 'verified-3d-status': 'AUTHENTICATED' };

function officeOf(gateway: TestGateway, mode: 'sandbox' | 'production' = 'sandbox') {
  return <V extends VerbName>(verb: V, given: Given = {}) => {
    const options = { mode, clock: gateway.clock, changed: () => gateway.refresh() };
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
}

const setTo = ({ url: address }: { url: string }, by: Issued = ours) => ({
  address,
  ca: network.certificate,
  certificate: by.certificate,
  privateKey: by.privateKey,
});

describeGateway('two brands with their own directory servers', {}, (gateway) => {
  const ask = officeOf(gateway);
  const paid = async (card: { number: string }) => finalOf(gateway, await begun(gateway, sale(card, BROWSER)));
  let visa: TlsDirectory;
  let mastercard: TlsDirectory;

  beforeAll(async () => {
    const behind = () => gateway.networks.url;
    visa = await new TlsDirectory({ clients: network, shows: shows.visa, behind }).start();
    mastercard = await new TlsDirectory({ clients: network, shows: shows.mastercard, behind }).start();
    const names = {
      operatorId: 'OP-77',
      requestorId: '12345678*{merchant}',
      requestorName: 'Ann Shops',
      acquirerBin: '411111',
    };
    await ask('setNetwork', { brand: 'visa', ...setTo(visa), ...names });
    await ask('setNetwork', { brand: 'MASTERCARD', ...setTo(mastercard) });
  });
  beforeEach(() => {
    for (const one of [visa, mastercard]) one.asked.length = 0;
  });
  afterAll(async () => {
    for (const one of [visa, mastercard]) await one.close();
  });

  it('a card is asked about at the server of its brand, which sees our certificate and the names it assigned', async () => {
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject(APPROVED);
    expect(mastercard.asked).toEqual([]);
    expect(visa.messages('PReq')).toMatchObject([{ by: 'gateway', message: { threeDSServerOperatorID: 'OP-77' } }]);
    expect(visa.messages('AReq')).toMatchObject([
      {
        by: 'gateway',
        path: '/ds/v2',
        message: {
          threeDSServerOperatorID: 'OP-77',
          threeDSRequestorID: '12345678*102',
          threeDSRequestorName: 'Ann Shops',
          acquirerBIN: '411111',
          acquirerMerchantID: '102',
        },
      },
    ]);
  });

  it('where the network assigned no names, the gateway has some', async () => {
    expect(await paid(TEST_CARDS.mastercardFrictionless)).toMatchObject(APPROVED);
    expect(visa.asked).toEqual([]);
    const [asked] = mastercard.messages('AReq');
    expect(asked?.message).toMatchObject({ threeDSRequestorID: `tender-${DEMO_MERCHANT_ID}`, acquirerBIN: '400000' });
    expect(asked?.message).not.toHaveProperty('threeDSServerOperatorID');
  });

  it('ranges of cards are kept for each server, and asked for once', async () => {
    await paid(TEST_CARDS.frictionless);
    await paid(TEST_CARDS.mastercardFrictionless);
    expect([...visa.messages('PReq'), ...mastercard.messages('PReq')]).toEqual([]);
  });

  it('a brand without its own is asked about at the general server', async () => {
    const before = gateway.networks.transcript().length;
    expect(await paid(AMEX)).toMatchObject({ status: 'approved' });
    const said = gateway.networks.transcript().slice(before);
    expect(said.map(({ name }) => name)).toContain('AReq');
    expect([...visa.asked, ...mastercard.asked]).toEqual([]);
  });

  it("a brand's own server speaks EMV 3DS alone: a card of 1.0.2 is in no version", async () => {
    expect(await paid(TEST_CARDS.legacy)).toMatchObject({ status: 'declined', 'verified-3d-status': 'UNSUPPORTED' });
    expect(gateway.networks.transcript().filter(({ name }) => name === 'VEReq')).toEqual([]);
  });

  it('a challenge ends with the result that the network sends', async () => {
    const order = await asking(gateway, TEST_CARDS.mastercardChallenge);
    await passChallenge(new Payer(), order, 'hint');
    expect(await finalOf(gateway, order)).toMatchObject(APPROVED);
  });

  it('a new certificate is shown at once, and a change of the data key keeps its private key usable', async () => {
    const { certificate, privateKey } = network.issue('renewed');
    await ask('setNetwork', { brand: 'VISA', certificate, privateKey });
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject(APPROVED);
    const { vault } = gateway.store;
    await vault.newDataKey();
    const next = vault.walk((place) => expect.fail(`${place} is lost`));
    while ((await next(100)) > 0);
    await vault.removeOldKeys();
    await gateway.restart();
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject(APPROVED);
    expect(visa.messages('AReq').map(({ by }) => by)).toEqual(['renewed', 'renewed']);
  });

  it('a name is changed alone, and taken back', async () => {
    await ask('setNetwork', { brand: 'VISA', requestorId: 'VISA-REQ-2', acquirerBin: 'none' });
    await paid(TEST_CARDS.frictionless);
    const [asked] = visa.messages('AReq');
    expect(asked?.message).toMatchObject({ threeDSRequestorID: 'VISA-REQ-2', acquirerBIN: '400000' });
    expect(asked?.message).toMatchObject({ threeDSServerOperatorID: 'OP-77' });
  });

  it('what is shown and told never holds the private key', async () => {
    const seen = JSON.stringify([await ask('showNetwork', { brand: 'VISA' }), await ask('listNetworks')]);
    expect(seen).toContain('"subject":"CN=renewed"');
    const chain = await auditStore(gateway.database).following(0, 1_000);
    expect(chain.map(({ action, subject }) => `${action}: ${subject}`)).toContain('setNetwork: card network VISA');
    for (const told of [seen, JSON.stringify(chain), gateway.log.join('\n')]) expect(told).not.toContain('PRIVATE');
  });

  it('a test says what it saw', async () => {
    const test = await ask('testNetwork', { brand: 'VISA' });
    expect(test.ok).toBe(true);
    expect(Object.fromEntries(test.lines.map(({ what, says }) => [what, says]))).toMatchObject({
      Address: visa.url,
      'Its certificate': expect.stringMatching(/^CN=visa, issued by CN=Network CA, until \d{4}-/),
      Trusted: 'yes',
      'Our certificate': expect.stringContaining('CN=renewed'),
      Answer: expect.stringContaining('HTTP 405'),
      'Card ranges': expect.stringMatching(/^\d+ ranges, EMV 3DS 2\.1\.0 to 2\.2\.0$/),
    });
    visa.asked.length = 0;
    expect((await ask('testNetwork', { brand: 'VISA', ranges: false })).ok).toBe(true);
    expect(visa.asked).toEqual([]);

    await ask('setNetwork', { brand: 'VISA', ca: testAuthority('Stranger CA').certificate });
    const distrusted = await ask('testNetwork', { brand: 'VISA' });
    expect(distrusted).toMatchObject({ ok: false });
    expect(distrusted.lines).toContainEqual({ what: 'Trusted', says: expect.stringMatching(/^no: /) });
    expect(visa.asked).toEqual([]);
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject({ status: 'declined', 'error-code': '191' });
    await ask('setNetwork', { brand: 'VISA', ca: network.certificate });
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject(APPROVED);
  });

  it('a sandbox takes one without TLS on its own machine', async () => {
    const before = gateway.networks.transcript().length;
    const address = `${gateway.networks.url}/emv-3ds`;
    await ask('setNetwork', { brand: 'AMEX', address, requestorId: 'MER_{merchant}' });
    expect((await ask('testNetwork', { brand: 'AMEX' })).ok).toBe(true);
    expect(await paid(AMEX)).toMatchObject({ status: 'approved' });
    const areq = gateway.networks
      .transcript()
      .slice(before)
      .find(({ name }) => name === 'AReq');
    expect(areq?.message).toMatchObject({ threeDSRequestorID: 'MER_102' });
  });

  it('a brand whose server is removed is asked about at the general one', async () => {
    await ask('removeNetwork', { brand: 'VISA' });
    expect(await paid(TEST_CARDS.frictionless)).toMatchObject({ status: 'approved' });
    expect(visa.asked).toEqual([]);
    await expect(ask('removeNetwork', { brand: 'VISA' })).rejects.toThrow('VISA has no directory server of its own');
    await expect(ask('testNetwork', { brand: 'VISA' })).rejects.toThrow('VISA has no directory server of its own');
  });
});

describeGateway('in production, without a general server', { networks: 'none' }, (gateway) => {
  it('cards of a brand with a directory server are taken, others are refused with code 15', async () => {
    const { client, id } = await gateway.newMerchant({ currency: 'EUR', threeDSecure: 'required', sandbox: false });
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    const simulated = await startNetworks({ clock: systemClock });
    const visa = await new TlsDirectory({ clients: network, shows: shows.visa, behind: () => simulated.url }).start();
    await officeOf(gateway)('setNetwork', { brand: 'MASTERCARD', address: 'http://127.0.0.1:1/3ds' });
    await gateway.restart({ mode: 'production' });

    const refused = (await client.sale(sale(TEST_CARDS.frictionless), { endpoint: id })).body;
    expect(refused).toMatchObject({
      'error-code': '15',
      'error-message': expect.stringContaining(`id ${id} requires`),
    });
    await officeOf(gateway, 'production')('setNetwork', { brand: 'VISA', ...setTo(visa) });
    const status = await client.saleUntilFinal(sale(TEST_CARDS.frictionless, BROWSER), { endpoint: id });
    expect(status).toMatchObject(APPROVED);
    // Its address was for a sandbox alone.
    const other = (await client.sale(sale(TEST_CARDS.mastercardFrictionless), { endpoint: id })).body;
    expect(other).toMatchObject({ 'error-code': '15', 'error-message': expect.stringContaining('MASTERCARD') });
    await visa.close();
    await simulated.close();
  });
});

describeGateway('results of 3-D Secure', {}, (gateway) => {
  const FINGERPRINT = 'ab'.repeat(32);
  const RREQ = JSON.stringify({ messageType: 'RReq' });
  const results = () => `${gateway.origin}/paynet/3ds/results`;
  const send = async (headers: Record<string, string> = {}) =>
    (await fetch(results(), { method: 'POST', body: RREQ, headers })).status;

  it('are heard from everybody unless somebody is named', async () => {
    expect(await send()).toBe(200);
  });

  it('are heard from those that are named, as a trusted proxy says who it is', async () => {
    const resultsSubject = ['CN=ds.example.com,O=Example', `${'AB:'.repeat(31)}AB`];
    await gateway.restart({ resultsSubject, trustedProxies: ['127.0.0.1'] });
    expect(await send()).toBe(403);
    expect(await send({ 'X-Client-Certificate-Subject': 'CN=ds.example.com' })).toBe(403);
    expect(await send({ 'X-Client-Certificate-Subject': 'CN=ds.example.com,O=Example' })).toBe(200);
    expect(await send({ 'X-Client-Certificate-Fingerprint': FINGERPRINT })).toBe(200);
    expect(await send({ 'X-Client-Certificate-Fingerprint': 'cd'.repeat(32) })).toBe(403);
    expect(await send({ 'X-Client-Certificate-Subject': FINGERPRINT })).toBe(403);
    expect(gateway.log.join('\n')).toContain('--results-subject does not name who sent it');
    await gateway.restart({ resultsSubject, trustedProxies: ['192.0.2.1'] });
    expect(await send({ 'X-Client-Certificate-Subject': 'CN=ds.example.com,O=Example' })).toBe(403);
  });

  it('of strangers are refused before they are read, and payers are not asked who they are', async () => {
    await gateway.restart({ resultsSubject: ['CN=ds'], trustedProxies: ['127.0.0.1'] });
    const { port } = new URL(gateway.origin);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const head = ['POST /paynet/3ds/results HTTP/1.1', 'Host: localhost', 'Content-Length: 100', 'Connection: close'];
    // The body never comes.
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
    expect((await fetch(`${gateway.origin}/paynet/3ds/not-a-link`)).status).toBe(404);
  });
});

describeGateway('what an administrator may name as a directory server', {}, (gateway) => {
  const ask = officeOf(gateway);
  const address = 'https://ds.example.com/3ds';
  const other = network.issue('other');
  const { certificate, privateKey } = ours;
  const JUNK = '-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n';
  const ended = network.issue('ended', { days: 1 });

  it.each<[string, Given, string]>([
    ['no brand', { brand: 'VISTA', address }, 'brand: a brand (VISA, MASTERCARD,'],
    ['a brand of cards nobody knows', { brand: 'UNKNOWN', address }, 'brand: a brand (VISA, MASTERCARD,'],
    ['no address', { brand: 'VISA' }, 'address is missing: VISA has no directory server yet'],
    ['half an address', { brand: 'VISA', address: 'ds.example.com' }, 'is needed, not "ds.example.com"'],
    ['an address without TLS', { brand: 'VISA', address: 'http://ds.example.com/3ds' }, 'address: https is needed'],
    [
      'an address with a password',
      { brand: 'VISA', address: 'https://ann:hush@ds.example.com/' },
      'address: an address without a name and a password is needed',
    ],
    ['a CA that cannot be read', { brand: 'VISA', address, ca: JUNK }, 'this is not a CA certificate in PEM'],
    ['a certificate that is none', { brand: 'VISA', address, certificate: 'x', privateKey }, 'this is not a client'],
    [
      'a private key as a certificate',
      { brand: 'VISA', address, certificate: privateKey, privateKey },
      'a client certificate in PEM, "BEGIN CERTIFICATE" is needed, and this is a private key: keep it to yourself',
    ],
    [
      'a certificate as a private key',
      { brand: 'VISA', address, certificate, privateKey: certificate },
      'a private key in PEM, "BEGIN PRIVATE KEY" is needed, and this is a certificate',
    ],
    [
      'a private key that cannot be read',
      { brand: 'VISA', address, certificate, privateKey: 'x' },
      'this is not a private key in PEM',
    ],
    [
      'a private key behind a passphrase',
      { brand: 'VISA', address, certificate, privateKey: lockedKey(privateKey) },
      'the private key is locked with a passphrase',
    ],
    [
      'the key of another certificate',
      { brand: 'VISA', address, certificate, privateKey: other.privateKey },
      'the certificate does not fit the private key',
    ],
    [
      'a certificate that TLS does not take',
      { brand: 'VISA', address, ...network.issue('weak', { rsaBits: 512 }) },
      'the certificate cannot be used for TLS: ee key too small',
    ],
    [
      'a certificate without its key',
      { brand: 'VISA', address, certificate },
      'certificate: its private key is needed',
    ],
    ['a key without its certificate', { brand: 'VISA', address, privateKey }, 'privateKey: the certificate it belongs'],
    [
      'an id with something else to fill in',
      { brand: 'VISA', address, requestorId: '12345678*{mid}' },
      'requestorId: 1 to 35 characters without spaces and braces',
    ],
    [
      'an id that is too long',
      { brand: 'VISA', address, operatorId: 'x'.repeat(33) },
      'operatorId: 1 to 32 characters without spaces are needed',
    ],
  ])('not %s', async (_, given, says) => {
    const error = await ask('setNetwork', given).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error.message).toContain(says);
    expect(error.message).not.toContain('\n');
    expect(await ask('listNetworks')).toEqual([]);
  });

  it('not a certificate that has ended', async () => {
    gateway.clock.advance(2 * 24 * 60 * 60 * 1000);
    await expect(ask('setNetwork', { brand: 'VISA', address, ...ended })).rejects.toThrow(
      'the certificate ended at 20',
    );
  });

  it('a certificate is renewed with the key there is, and taken away with it', async () => {
    await ask('setNetwork', { brand: 'VISA', address, certificate, privateKey });
    expect(await ask('setNetwork', { brand: 'VISA', certificate })).toMatchObject({
      certificate: [{ subject: 'CN=gateway', issuer: 'CN=Network CA' }],
    });
    await expect(ask('setNetwork', { brand: 'VISA', certificate: other.certificate })).rejects.toThrow('does not fit');
    gateway.clock.advance(60 * 24 * 60 * 60 * 1000);
    expect(await ask('setNetwork', { brand: 'VISA', operatorId: 'OP-2' })).toMatchObject({
      operatorId: 'OP-2',
      certificate: [{ subject: 'CN=gateway' }],
    });
    expect(await ask('setNetwork', { brand: 'VISA', certificate: 'none' })).toMatchObject({ certificate: [] });
    expect(await gateway.query('select sealed_key, certificate from card_networks')).toEqual([
      { sealed_key: null, certificate: null },
    ]);
  });
});

describe('tender network', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('takes certificates from files, says in one line what is wrong, and shows all but the key', async () => {
    const folder = await own.folder();
    const where = ['--data', join(folder, 'data')];
    own.keep(await startProcess(where));
    const run = (...args: string[]) => tender(['network', ...args, ...where]);
    const file = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const [ca, certificate, key] = [
      await file('ca.pem', network.certificate),
      await file('our.pem', ours.certificate),
      await file('our.key', ours.privateKey),
    ];
    expect((await run('list')).stdout).toContain('No brand has a directory server of its own');
    const wrong = await run('set', 'visa', '--address', 'https://ds.example.com/3ds', '--certificate', key, '--ca', ca);
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^tender: .*private key.*\n$/) });
    expect(await run('set', 'VISA')).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to change') });
    const missing = await run('set', 'VISA', '--ca', join(folder, 'nowhere.pem'));
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tender: .*nowhere\.pem.*\n$/) });

    const files = ['--ca', ca, '--certificate', certificate, '--private-key', key];
    const set = await run('set', 'visa', '--address', 'https://127.0.0.1:1/3ds', '--operator-id', 'OP-1', ...files);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toMatch(/Certificate +CN=gateway, until 20/);
    expect((await run('show', 'VISA')).stdout).toBe(set.stdout);
    expect((await run('list')).stdout).toMatch(/^BRAND.*\nVISA +https:\/\/127\.0\.0\.1:1\/3ds +until .* +OP-1 +-\n$/);
    const test = await run('test', 'VISA');
    expect(test.stdout).toMatch(/^The directory server of VISA cannot be used\.\n/);
    expect(test.stdout).toMatch(/Failure +.*ECONNREFUSED/);
    expect((await run('remove', 'VISA')).stdout).toBe('VISA has no directory server of its own any more.\n');
    expect((await run('test', 'VISA')).stderr).toMatch(/^tender: VISA has no directory server.*\n$/);
  });

  it('names those whose results are heard only together with the proxy that tells who they are', async () => {
    const data = join(await own.folder(), 'data');
    const { code, stderr } = await tender(['start', '--data', data, '--port', '0', '--results-subject', 'CN=ds']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^tender: .*--trusted-proxies.*\n$/) });
  });
});
