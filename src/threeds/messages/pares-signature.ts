// The signature of a PARes: XML-DSig beside the PARes, over its canonical form, RSA with SHA-256. The access control
// server signs. The 3DS server verifies, and reads values only from the element that was signed. The card networks' own
// rules are less simple: the signer's key comes as a certificate below a root of the scheme, while our verifier knows
// the key itself; and they allow SHA-1, which is not accepted here.

import { createHash, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';
import { document, elementOf, messageIn, pack, reading, unpack, valuesIn } from './v1-documents.ts';
import type { PARes } from './v1-messages.ts';
import { canonicalXml, type Element, element, elementIn, elementsIn, leaf, textIn } from './xml.ts';

const NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** The value of the form's field `PaRes`. */
export function writePaRes(values: PARes, id: string, key: KeyObject): string {
  const body = elementOf('PARes', values, { attributes: { id } });
  const info = signedInfo(body, id);
  const value = sign('sha256', Buffer.from(canonicalXml(info, NAMESPACE)), key).toString('base64');
  const signature = element('Signature', [info, leaf('SignatureValue', value)], { xmlns: NAMESPACE });
  return pack(document(values.messageId, [body, signature]));
}

function signedInfo(body: Element, id: string): Element {
  const method = (name: string, Algorithm: string) => element(name, [], { Algorithm });
  const reference = element(
    'Reference',
    [
      element('Transforms', [method('Transform', C14N)]),
      method('DigestMethod', SHA256),
      leaf('DigestValue', digestOf(body).toString('base64')),
    ],
    { URI: `#${id}` },
  );
  return element('SignedInfo', [
    method('CanonicalizationMethod', C14N),
    method('SignatureMethod', RSA_SHA256),
    reference,
  ]);
}

function digestOf(body: Element): Buffer {
  return createHash('sha256').update(canonicalXml(body)).digest();
}

/**
 * The values, and whether one of the keys signed them. A Y or A that nobody signed must count as U.
 * @throws InvalidDocument for what is not a PARes at all.
 */
export function readPaRes(packed: string, signers: readonly KeyObject[]): { pares: PARes; signed: boolean } {
  return reading(() => {
    const { message, messageId, body } = messageIn(unpack(packed), 'PARes');
    const signature = elementIn(message, 'Signature');
    const signed = signature !== undefined && isSigned(body, signature, signers);
    return { pares: valuesIn('PARes', messageId, body), signed };
  });
}

function isSigned(body: Element, signature: Element, signers: readonly KeyObject[]): boolean {
  const info = elementIn(signature, 'SignedInfo');
  const value = textIn(signature, 'SignatureValue')?.replace(/\s/g, '');
  if (signature.attributes.xmlns !== NAMESPACE || info === undefined || value === undefined) return false;
  if (!refersTo(info, body)) return false;
  const signedText = Buffer.from(canonicalXml(info, NAMESPACE));
  return signers.some((key) => verify('sha256', signedText, key, Buffer.from(value, 'base64')));
}

/** Exactly one reference, with the only algorithms we accept, to exactly the element that is read. */
function refersTo(info: Element, body: Element): boolean {
  const reference = elementIn(info, 'Reference');
  const transforms = reference && elementIn(reference, 'Transforms');
  if (!reference || !transforms || body.attributes.id === undefined) return false;
  const algorithm = (parent: Element, name: string) => elementIn(parent, name)?.attributes.Algorithm;
  const usesOurs =
    algorithm(info, 'CanonicalizationMethod') === C14N &&
    algorithm(info, 'SignatureMethod') === RSA_SHA256 &&
    elementsIn(transforms, 'Transform').length === 1 &&
    algorithm(transforms, 'Transform') === C14N &&
    algorithm(reference, 'DigestMethod') === SHA256;
  if (!usesOurs || reference.attributes.URI !== `#${body.attributes.id}`) return false;
  const digest = Buffer.from(textIn(reference, 'DigestValue') ?? '', 'base64');
  const expected = digestOf(body);
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}
