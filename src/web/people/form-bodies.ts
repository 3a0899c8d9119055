// What a request to these pages brought, and the parts its reply is made of.

import type { Visitor } from '../../processing/people/people-parts.ts';
import type { WebReply, WebRequest } from '../route.ts';
import { browserName } from './browser-name.ts';
import { multipartFields } from './multipart.ts';

/** No database takes NUL, and nothing that people choose or that we gave them holds one: it fits nothing then. */
const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd');

export function formFields({ body, headers }: WebRequest): Readonly<Record<string, string>> {
  const pairs = multipartFields(headers['content-type'], body) ?? [...new URLSearchParams(body.toString('utf8'))];
  return Object.fromEntries(pairs.map(([name, value]) => [name, withoutNul(value)]));
}

/** The JSON object of a request; undefined when it is none, or says that it is something else. */
export function jsonOf({ body, headers }: WebRequest): Readonly<Record<string, unknown>> | undefined {
  if (!headers['content-type']?.startsWith('application/json')) return undefined;
  try {
    const read = JSON.parse(body.toString('utf8'), (_, one) => (typeof one === 'string' ? withoutNul(one) : one));
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

export function json(status: number, value: object): WebReply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

export function withHeader(reply: WebReply, name: string, value: string): WebReply {
  return { ...reply, headers: { ...reply.headers, [name]: value } };
}

export function visitorOf({ address, headers }: WebRequest): Visitor {
  return { address, browser: browserName(headers['user-agent']) };
}
