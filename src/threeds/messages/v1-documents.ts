// The documents of 3-D Secure 1.0.2: from values to XML and back. The browser carries PAReq and PARes as XML in a zlib
// stream in base64. Every reader throws InvalidDocument for whatever it cannot accept.

import { deflateSync, inflateSync } from 'node:zlib';
import { readBase64 } from './base64.ts';
import {
  checked,
  InvalidDocument,
  PAREQ,
  PARES,
  type PAReq,
  type PARes,
  VEREQ,
  VERES,
  type VEReq,
  type VERes,
} from './v1-messages.ts';
import { canonicalXml, type Element, element, elementIn, leaf, readXml, textIn, UnreadableXml } from './xml.ts';

export const V1_VERSION = '1.0.2';

const MAX_PACKED_BYTES = 32 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024;

export function writeVEReq(values: VEReq): string {
  const { messageId, pan, acqBIN, merID, password, accept, userAgent } = checked('VEReq', VEREQ, values);
  const merchant = element('Merchant', [leaf('acqBIN', acqBIN), leaf('merID', merID), leaf('password', password)]);
  const browser = element('Browser', [
    leaf('deviceCategory', '0'),
    leaf('accept', accept),
    leaf('userAgent', userAgent),
  ]);
  return document(messageId, [element('VEReq', [leaf('version', V1_VERSION), leaf('pan', pan), merchant, browser])]);
}

export function readVEReq(xml: string): VEReq {
  return reading(() => {
    const { messageId, body } = messageIn(xml, 'VEReq');
    return checked('VEReq', VEREQ, {
      messageId,
      pan: textIn(body, 'pan'),
      acqBIN: textIn(body, 'Merchant', 'acqBIN'),
      merID: textIn(body, 'Merchant', 'merID'),
      password: textIn(body, 'Merchant', 'password'),
      accept: textIn(body, 'Browser', 'accept'),
      userAgent: textIn(body, 'Browser', 'userAgent'),
    });
  });
}

export function writeVERes(values: VERes): string {
  const { messageId, enrolled, acctID, url, protocol, iReqCode } = checked('VERes', VERES, values);
  const holder = element('CH', [leaf('enrolled', enrolled), leaf('acctID', acctID)]);
  const complaint = iReqCode === undefined ? undefined : element('IReq', [leaf('iReqCode', iReqCode)]);
  return document(messageId, [
    element('VERes', [leaf('version', V1_VERSION), holder, leaf('url', url), leaf('protocol', protocol), complaint]),
  ]);
}

export function readVERes(xml: string): VERes {
  return reading(() => {
    const { messageId, body } = messageIn(xml, 'VERes');
    return checked('VERes', VERES, {
      messageId,
      enrolled: textIn(body, 'CH', 'enrolled'),
      acctID: textIn(body, 'CH', 'acctID'),
      url: textIn(body, 'url'),
      protocol: textIn(body, 'protocol'),
      iReqCode: textIn(body, 'IReq', 'iReqCode'),
    });
  });
}

/** The value of the form's field `PaReq`. */
export function writePaReq(values: PAReq): string {
  const it = checked('PAReq', PAREQ, values);
  const merchant = element('Merchant', [
    leaf('acqBIN', it.acqBIN),
    leaf('merID', it.merID),
    leaf('name', it.name),
    leaf('country', it.country),
    leaf('url', it.url),
  ]);
  const purchase = element('Purchase', [
    leaf('xid', it.xid),
    leaf('date', it.date),
    leaf('amount', it.amount),
    leaf('purchAmount', it.purchAmount),
    leaf('currency', it.currency),
    leaf('exponent', it.exponent),
    leaf('desc', it.desc),
  ]);
  const holder = element('CH', [leaf('acctID', it.acctID), leaf('expiry', it.expiry)]);
  const body = element('PAReq', [leaf('version', V1_VERSION), merchant, purchase, holder]);
  return pack(document(it.messageId, [body]));
}

export function readPaReq(packed: string): PAReq {
  return reading(() => {
    const { messageId, body } = messageIn(unpack(packed), 'PAReq');
    return checked('PAReq', PAREQ, {
      ...purchaseIn(messageId, body),
      name: textIn(body, 'Merchant', 'name'),
      country: textIn(body, 'Merchant', 'country'),
      url: textIn(body, 'Merchant', 'url'),
      amount: textIn(body, 'Purchase', 'amount'),
      desc: textIn(body, 'Purchase', 'desc'),
      acctID: textIn(body, 'CH', 'acctID'),
      expiry: textIn(body, 'CH', 'expiry'),
    });
  });
}

/** The element that is signed. */
export function paresElement(values: PARes, id: string): Element {
  const it = checked('PARes', PARES, values);
  const merchant = element('Merchant', [leaf('acqBIN', it.acqBIN), leaf('merID', it.merID)]);
  const purchase = element('Purchase', [
    leaf('xid', it.xid),
    leaf('date', it.date),
    leaf('purchAmount', it.purchAmount),
    leaf('currency', it.currency),
    leaf('exponent', it.exponent),
  ]);
  const result = element('TX', [
    leaf('time', it.time),
    leaf('status', it.status),
    leaf('cavv', it.cavv),
    leaf('eci', it.eci),
    leaf('cavvAlgorithm', it.cavvAlgorithm),
  ]);
  return element('PARes', [leaf('version', V1_VERSION), merchant, purchase, leaf('pan', it.pan), result], { id });
}

/** The values of the element whose signature was verified. */
export function paresIn(messageId: string, body: Element): PARes {
  return checked('PARes', PARES, {
    ...purchaseIn(messageId, body),
    pan: textIn(body, 'pan'),
    time: textIn(body, 'TX', 'time'),
    status: textIn(body, 'TX', 'status'),
    cavv: textIn(body, 'TX', 'cavv'),
    eci: textIn(body, 'TX', 'eci'),
    cavvAlgorithm: textIn(body, 'TX', 'cavvAlgorithm'),
  });
}

function purchaseIn(messageId: string, body: Element) {
  return {
    messageId,
    acqBIN: textIn(body, 'Merchant', 'acqBIN'),
    merID: textIn(body, 'Merchant', 'merID'),
    xid: textIn(body, 'Purchase', 'xid'),
    date: textIn(body, 'Purchase', 'date'),
    purchAmount: textIn(body, 'Purchase', 'purchAmount'),
    currency: textIn(body, 'Purchase', 'currency'),
    exponent: textIn(body, 'Purchase', 'exponent'),
  };
}

// Envelope and packing

export function document(messageId: string, children: readonly Element[]): string {
  const message = element('Message', children, { id: messageId });
  return `<?xml version="1.0" encoding="UTF-8"?>${canonicalXml(element('ThreeDSecure', [message]))}`;
}

/** The message in its envelope, and the one element of this name in it. */
export function messageIn(xml: string, name: string) {
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
