// 3-D Secure 1.0.2: documents read back as they were written, XML that could be read two ways is refused, and a PARes
// is only believed when a known key signed the very element that is read.

import { sign } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testKeyObjects } from '../../../test/test-keys.ts';
import { readPaRes, writePaRes } from './pares-signature.ts';
import { readPaReq, readVEReq, readVERes, writePaReq, writeVEReq, writeVERes } from './v1-documents.ts';
import { InvalidDocument, type PAReq, type PARes, type VEReq, type VERes } from './v1-messages.ts';
import { canonicalXml, element, readXml, UnreadableXml } from './xml.ts';

const XID = Buffer.alloc(20, 1).toString('base64');
const purchase = {
  messageId: 'm-1',
  acqBIN: '400001',
  merID: 'merchant & sons <1>',
  xid: XID,
  date: '20270131 18:00:00',
  purchAmount: '1042',
  currency: '840',
  exponent: '2',
};
const vereq: VEReq = {
  messageId: 'm-1',
  pan: '4000000000001133',
  acqBIN: '400001',
  merID: 'm',
  accept: '*/*',
  userAgent: 'A "B" <C>',
};
const veres: VERes = {
  messageId: 'm-1',
  enrolled: 'Y',
  acctID: 'acct',
  url: 'https://acs.example/?a=1&b=2',
  protocol: 'ThreeDSecure',
};
const pareq: PAReq = {
  ...purchase,
  name: "Zoë's",
  country: '276',
  url: 'https://shop.example',
  amount: '10,42 €',
  acctID: 'acct',
  expiry: '3012',
};
const pares: PARes = { ...purchase, pan: '0000000000001133', time: '20270131 18:01:00', status: 'N' };
const proven: PARes = { ...pares, status: 'Y', cavv: XID, eci: '05', cavvAlgorithm: '2' };

const xmlOf = (packed: string) => inflateSync(Buffer.from(packed, 'base64')).toString();
const packed = (xml: string) => deflateSync(xml).toString('base64');

describe('documents', () => {
  it('survive the way out and in', () => {
    expect(readVEReq(writeVEReq(vereq))).toEqual(vereq);
    expect(readVERes(writeVERes(veres))).toEqual(veres);
    expect(readVERes(writeVERes({ messageId: 'm', enrolled: 'N' }))).toEqual({ messageId: 'm', enrolled: 'N' });
    expect(readPaReq(writePaReq(pareq))).toEqual(pareq);
    // Old servers write base64 in lines of 76 characters.
    expect(readPaReq(writePaReq(pareq).replace(/.{76}/g, '$&\r\n'))).toEqual(pareq);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'no account of an enrolled card',
      () => readVERes(writeVERes(veres).replace(/<acctID>.*<\/acctID>/, '')),
      /acctID/,
    ],
    ['a foreign protocol', () => readVERes(writeVERes(veres).replace('>ThreeDSecure<', '>Other<')), /protocol/],
    ['another version', () => readVERes(writeVERes(veres).replace('1.0.2', '1.0.1')), /version/],
    ['another message', () => readVERes(writeVEReq(vereq)), /VERes/],
    ['a card number with letters', () => writeVEReq({ ...vereq, pan: '4000x' }), /^VEReq: pan (?!.*4000)/],
    ['an amount with a point', () => writePaReq({ ...pareq, purchAmount: '10.42' }), /purchAmount/],
    ['no base64', () => readPaReq('***'), /base64/],
    ['no zlib stream', () => readPaReq(Buffer.from('x').toString('base64')), /zlib/],
    ['a bomb', () => readPaReq(packed(' '.repeat(10_000_000))), /zlib/],
  ])('cannot have %s', (_name, work, message) => {
    expect(work).toThrow(InvalidDocument);
    expect(work).toThrow(message);
  });
});

describe('XML', () => {
  it.each([
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>&x;</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>& </a>',
    '<a><!-- --></a>',
    '<a><![CDATA[x]]></a>',
    '<a><?php ?></a>',
    '<a></b>',
    '<a>',
    '</a>',
    '',
    'text',
    '<a/><b/>',
    '<a/>text',
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a b="<"/>',
    `${'<a>'.repeat(20)}${'</a>'.repeat(20)}`,
    `<a>${'<b/>'.repeat(300)}</a>`,
    `<a>${'x'.repeat(70_000)}</a>`,
  ])('is not read: %.40s', (xml) => {
    expect(() => readXml(xml)).toThrow(UnreadableXml);
  });

  it('is written in one way', () => {
    const read = readXml(
      `<?xml version="1.0"?>\r\n<a  z = '1\n2' b="&quot;&#10;" xmlns="urn:x"><c/>x &gt; y\r\n<d ></d></a>\n`,
    );
    expect(canonicalXml(read)).toBe('<a xmlns="urn:x" b="&quot;&#xA;" z="1 2"><c></c>x &gt; y\n<d></d></a>');
  });

  it('gives any text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
        const clean = text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '');
        const read = readXml(canonicalXml(element('a', [clean], { b: clean })));
        expect(read).toMatchObject({ attributes: { b: clean } });
        expect(read.children.join('')).toBe(clean);
      }),
    );
  });
});

describe('the signature of a PARes', () => {
  const { privateKey: key, publicKey } = testKeyObjects('merchants');
  const { privateKey: foreign } = testKeyObjects('stranger');
  const good = () => xmlOf(writePaRes(proven, 'p1', key));
  const read = (xml: string) => readPaRes(packed(xml), [publicKey]);

  it('is believed as it was written, and when white space stands around it', () => {
    expect(read(good())).toEqual({ pares: proven, signed: true });
    expect(read(xmlOf(writePaRes(pares, 'p1', key)))).toEqual({ pares, signed: true });
    expect(read(good().replace('<Signature ', '\n  <Signature ')).signed).toBe(true);
    expect(readPaRes(writePaRes(proven, 'p1', key), [foreign, publicKey]).signed).toBe(true);
  });

  it.each<[string, (xml: string) => string]>([
    ['without one', (xml) => xml.replace(/<Signature .*<\/Signature>/, '')],
    ['with another status', (xml) => xml.replace('<status>Y</status>', '<status>A</status>')],
    ['with another amount', (xml) => xml.replace('<purchAmount>1042', '<purchAmount>1')],
    ['with another text between elements', (xml) => xml.replace('<TX>', 'x<TX>')],
    ['with another id', (xml) => xml.replace('id="p1"', 'id="p2"')],
    ['referring elsewhere', (xml) => xml.replace('URI="#p1"', 'URI="#p2"')],
    ['referring to everything', (xml) => xml.replace('URI="#p1"', 'URI=""')],
    ['by a weaker digest', (xml) => xml.replace('2001/04/xmlenc#sha256', '2000/09/xmldsig#sha1')],
    ['by another way to sign', (xml) => xml.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256')],
    [
      'with one more transform',
      (xml) => xml.replace('<Transforms>', '<Transforms><Transform Algorithm="x"></Transform>'),
    ],
    ['with a cut value', (xml) => xml.replace(/<SignatureValue>..../, '<SignatureValue>')],
    ['in another name space', (xml) => xml.replace('<Signature xmlns="', '<Signature xmlns="x')],
  ])('is not believed %s', (_name, change) => {
    const changed = change(good());
    expect(changed).not.toBe(good());
    expect(read(changed).signed).toBe(false);
  });

  it.each<[string, (xml: string) => string]>([
    ['refers elsewhere', (xml) => xml.replace('URI="#p1"', 'URI="#p2"')],
    ['refers to everything', (xml) => xml.replace('URI="#p1"', 'URI=""')],
    ['refers twice', (xml) => xml.replace(/(<Reference .*<\/Reference>)/, '$1$1')],
    ['refers to nothing', (xml) => xml.replace(/<Reference .*<\/Reference>/, '')],
    ['has another canonical form', (xml) => xml.replace(/(<CanonicalizationMethod Algorithm=")[^"]*/, '$1x')],
    ['has another way to sign', (xml) => xml.replace(/(<SignatureMethod Algorithm=")[^"]*/, '$1x')],
    ['has another digest', (xml) => xml.replace(/(<DigestMethod Algorithm=")[^"]*/, '$1x')],
    ['has another transform', (xml) => xml.replace(/(<Transform Algorithm=")[^"]*/, '$1x')],
    ['has a second transform', (xml) => xml.replace(/(<Transform .*<\/Transform>)/, '$1$1')],
    ['has a shorter digest', (xml) => xml.replace(/<DigestValue>.{8}/, '<DigestValue>')],
  ])('is not believed when the right signer %s', (_name, change) => {
    const changed = resigned(change(good()));
    expect(changed).not.toBe(good());
    expect(resigned(good())).toBe(good());
    let believed = false;
    try {
      believed = read(changed).signed;
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidDocument);
    }
    expect(believed).toBe(false);
  });

  /** The same document with a valid signature over the SignedInfo that it holds. */
  function resigned(xml: string): string {
    const [info = ''] = /<SignedInfo>.*<\/SignedInfo>/.exec(xml) ?? [];
    const canonical = canonicalXml(readXml(info), 'http://www.w3.org/2000/09/xmldsig#');
    const value = sign('sha256', Buffer.from(canonical), key).toString('base64');
    return xml.replace(/<SignatureValue>.*<\/SignatureValue>/, `<SignatureValue>${value}</SignatureValue>`);
  }

  it('is not believed of a foreign signer, nor when nobody is known', () => {
    expect(read(xmlOf(writePaRes(proven, 'p1', foreign))).signed).toBe(false);
    expect(readPaRes(writePaRes(proven, 'p1', key), []).signed).toBe(false);
  });

  it('does not cover a second PARes wrapped around or beside the signed one', () => {
    const forged = good().replace('id="p1"', 'id="p0"').replace('<purchAmount>1042', '<purchAmount>9999');
    const [signedElement = ''] = /<PARes .*<\/PARes>/.exec(good()) ?? [];
    expect(() => read(good().replace('<PARes ', `${signedElement}<PARes `))).toThrow(InvalidDocument);
    const inside = forged.replace('</Signature>', `<Object>${signedElement}</Object></Signature>`);
    expect(read(inside)).toMatchObject({ signed: false, pares: { purchAmount: '9999' } });
  });

  it('covers what it says: another text signed with the right key is none', () => {
    const value = sign('sha256', Buffer.from('<SignedInfo></SignedInfo>'), key).toString('base64');
    expect(
      read(good().replace(/<SignatureValue>.*<\/SignatureValue>/, `<SignatureValue>${value}</SignatureValue>`)).signed,
    ).toBe(false);
  });
});
