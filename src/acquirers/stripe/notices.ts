// Stripe's notices (webhooks): whether one is real, and which instruction it is about. The signature covers the time
// and the body as it came; a notice is believed for five minutes around its time.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import type { Notice, NoticeReading } from '../acquirer.ts';
import { parseStripeObject, type StripeObject, textAt } from './stripe-object.ts';

const TOLERANCE_S = 5 * 60;
const SCHEME = 'v1';

/** What our references look like. */
const REFERENCE = /^[\w-]{1,100}$/;

export function readStripeNotice(notice: Notice, secret: Secret<string> | undefined, now: number): NoticeReading {
  if (notice.method !== 'POST') return refused(405, 'Stripe sends its notices with POST.');
  if (!secret) return refused(400, 'This terminal has no webhook secret, so it takes no notices.');
  const header = headerOf(notice, 'stripe-signature');
  if (header === undefined) return refused(400, 'The header Stripe-Signature is missing.');
  const fault = signatureFault(header, notice.body, { secret, now });
  if (fault !== undefined) return refused(400, fault);
  const event = parseStripeObject(notice.body.toString('utf8'));
  const noticeId = textAt(event, 'id');
  if (!event || noticeId === undefined) return refused(400, 'This is no event.');
  return { status: 200, noticeId, reference: referenceIn(event) };
}

function refused(status: number, body: string): NoticeReading {
  return { status, body, contentType: 'text/plain; charset=utf-8' };
}

function headerOf({ headers }: Notice, name: string): string | undefined {
  return headers[name] ?? Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
}

/** Undefined when the signature is right. */
function signatureFault(
  header: string,
  body: Buffer,
  { secret, now }: { readonly secret: Secret<string>; readonly now: number },
): string | undefined {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value]) => (name === SCHEME && value !== undefined ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0) return 'The header Stripe-Signature cannot be read.';
  const expected = createHmac('sha256', secret.reveal()).update(`${time}.`).update(body).digest();
  // While a secret is being changed there is one signature for each.
  if (!signatures.some((one) => isSame(one, expected))) return 'The signature is wrong.';
  const isInTime = Math.abs(now / 1000 - Number(time)) <= TOLERANCE_S;
  return isInTime ? undefined : 'The notice is too old, or the clocks differ.';
}

function isSame(hex: string, expected: Buffer): boolean {
  const given = /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const OURS: ReadonlySet<string> = new Set(['payment_intent', 'setup_intent', 'refund']);

/** A preauthorisation that succeeds was captured, so the notice is about the capture. */
function referenceIn(event: StripeObject): string | undefined {
  const object = ['data', 'object'];
  if (!OURS.has(textAt(event, ...object, 'object') ?? '')) return undefined;
  const isCaptured = textAt(event, 'type') === 'payment_intent.succeeded';
  const capture = isCaptured ? textAt(event, ...object, 'metadata', 'capture') : undefined;
  const reference = capture ?? textAt(event, ...object, 'metadata', 'reference');
  return reference !== undefined && REFERENCE.test(reference) ? reference : undefined;
}
