// The documents of 3-D Secure 1.0.2: from values to XML and back. The browser carries PAReq and PARes as XML in a zlib
// stream in base64. Every reader throws InvalidDocument for whatever it cannot accept.

import { deflateSync, inflateSync } from 'node:zlib';
import { readBase64 } from './base64.ts';
import {
  checked,
  InvalidDocument,
  type PAReq,
  V1_FIELDS,
  type V1Type,
  type V1Values,
  type VEReq,
  type VERes,
} from './v1-messages.ts';
import { canonicalXml, type Element, element, elementIn, leaf, readXml, textIn, UnreadableXml } from './xml.ts';

export const V1_VERSION = '1.0.2';

const MAX_PACKED_BYTES = 32 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024;

/** The elements of each message in their order, with the values in them; without a name, those beside the elements. */
const PLACES: Readonly<Record<V1Type, readonly (readonly [element: string | undefined, ...values: string[]])[]>> = {
  VEReq: [
    [undefined, 'pan'],
    ['Merchant', 'acqBIN', 'merID', 'password'],
    ['Browser', 'deviceCategory', 'accept', 'userAgent'],
  ],
  VERes: [
    ['CH', 'enrolled', 'acctID'],
    [undefined, 'url', 'protocol'],
    ['IReq', 'iReqCode'],
  ],
  PAReq: [
    ['Merchant', 'acqBIN', 'merID', 'name', 'country', 'url'],
    ['Purchase', 'xid', 'date', 'amount', 'purchAmount', 'currency', 'exponent', 'desc'],
    ['CH', 'acctID', 'expiry'],
  ],
  PARes: [
    ['Merchant', 'acqBIN', 'merID'],
    ['Purchase', 'xid', 'date', 'purchAmount', 'currency', 'exponent'],
    [undefined, 'pan'],
    ['TX', 'time', 'status', 'cavv', 'eci', 'cavvAlgorithm'],
  ],
};

export function writeVEReq(values: VEReq): string {
  // The payer has a browser, and no other kind of device.
  return document(values.messageId, [elementOf('VEReq', values, { fixed: { deviceCategory: '0' } })]);
}

export function readVEReq(xml: string): VEReq {
  return readDocument('VEReq', () => xml);
}

export function writeVERes(values: VERes): string {
  return document(values.messageId, [elementOf('VERes', values)]);
}

export function readVERes(xml: string): VERes {
  return readDocument('VERes', () => xml);
}

/** The value of the form's field `PaReq`. */
export function writePaReq(values: PAReq): string {
  return pack(document(values.messageId, [elementOf('PAReq', values)]));
}

export function readPaReq(packed: string): PAReq {
  return readDocument('PAReq', () => unpack(packed));
}

type BodyOptions = { readonly attributes?: Element['attributes']; readonly fixed?: Readonly<Record<string, string>> };

/** The values as the element of their message. */
export function elementOf<Type extends V1Type>(type: Type, values: V1Values<Type>, options: BodyOptions = {}): Element {
  const all: Readonly<Record<string, string | undefined>> = { ...checked(type, values), ...options.fixed };
  const places = PLACES[type].flatMap(([name, ...names]) => {
    const leaves = names.flatMap((one) => leaf(one, all[one]) ?? []);
    if (name === undefined) return leaves;
    return leaves.length === 0 ? [] : [element(name, leaves)];
  });
  return element(type, [leaf('version', V1_VERSION), ...places], options.attributes);
}

function readDocument<Type extends V1Type>(type: Type, xml: () => string): V1Values<Type> {
  return reading(() => {
    const { messageId, body } = messageIn(xml(), type);
    return valuesIn(type, messageId, body);
  });
}

/** The values in the element of a message. */
export function valuesIn<Type extends V1Type>(type: Type, messageId: string, body: Element): V1Values<Type> {
  const read = PLACES[type].flatMap(([element, ...names]) =>
    names
      .filter((name) => Object.hasOwn(V1_FIELDS[type], name))
      .map((name) => [name, element === undefined ? textIn(body, name) : textIn(body, element, name)]),
  );
  return checked(type, { messageId, ...Object.fromEntries(read) });
}

// Envelope and packing

export function document(messageId: string, children: readonly Element[]): string {
  const message = element('Message', children, { id: messageId });
  return `<?xml version="1.0" encoding="UTF-8"?>${canonicalXml(element('ThreeDSecure', [message]))}`;
}

/** The message in its envelope, and the one element of this name in it. */
export function messageIn(xml: string, name: V1Type) {
  const root = readXml(xml);
  const message = root.name === 'ThreeDSecure' ? elementIn(root, 'Message') : undefined;
  const body = message && elementIn(message, name);
  const messageId = message?.attributes.id;
  if (!body || messageId === undefined) throw new InvalidDocument(`${name}: not such a message`);
  if (textIn(body, 'version') !== V1_VERSION) throw new InvalidDocument(`${name}: version must be ${V1_VERSION}`);
  return { messageId, message, body };
}

/** Turns every error about the XML into InvalidDocument. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableXml) throw new InvalidDocument(error.message, { cause: error });
    throw error;
  }
}

export function pack(xml: string): string {
  return deflateSync(xml).toString('base64');
}

export function unpack(packed: string): string {
  const bytes = readBase64(packed, MAX_PACKED_BYTES);
  if (bytes === undefined) throw new InvalidDocument('not base64');
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8');
  } catch (error) {
    throw new InvalidDocument('not a zlib stream, or too long', { cause: error });
  }
}
