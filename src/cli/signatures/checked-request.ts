// Whether the signatures of a request fit, and if not, where they differ from right ones: by the rules of the gateway,
// without one.

import { isCurrency } from '../../domain/money/currency.ts';
import { writeAmount } from '../../domain/money/money.ts';
import { Secret } from '../../domain/secret.ts';
import { controlReadings, explainedWith } from '../../http/authenticate-control.ts';
import { readOAuthRequest, withoutHidden } from '../../http/authenticate-oauth.ts';
import type { ControlAuth, OAuthAuth, OAuthMethod } from '../../operations/operation.ts';
import { demo } from '../../processing/node/demo.ts';
import { controlFits, KEY_PLACEHOLDER, readControl } from '../../signing/control.ts';
import type { ExplainedSignature } from '../../signing/explained-control.ts';
import { explainOAuth } from '../../signing/explained-oauth.ts';
import { explainStrict, strictString } from '../../signing/explained-strict.ts';
import { baseString, hmacSha1Fits, readSignature, rsaSha256Fits } from '../../signing/oauth1.ts';
import { strictFault } from '../../signing/strict.ts';
import { Complaint } from '../complaint.ts';
import type { GivenKeys } from './given-keys.ts';
import type { GivenRequest } from './given-request.ts';
import { hasSecrets } from './signed-request.ts';

export type SignatureVerdict = {
  readonly scheme: 'control' | 'OAuth 1.0a' | 'strict';
  readonly fits: boolean;
  /** What is to be known of it: what is wrong, or how it was read. */
  readonly says: readonly string[];
  /** What a right signature covers, and what this one covers where that was found out. */
  readonly expected?: string;
  readonly received?: string;
};

const NOTHING_FOUND =
  'None of the usual mistakes gives it. Is it another key, or another value than the one that is sent?';
const OF_DEMO = 'It is signed with the key of the demo merchant of sandboxes, not with the key that was given.';

export function checkedSignatures(request: GivenRequest, keys: GivenKeys, now: number): SignatureVerdict[] {
  const { auth, strict } = request;
  const first =
    auth.scheme === 'control' ? checkedControl(auth, request, keys) : checkedOAuth(auth, request, keys, now);
  return strict === undefined ? [first] : [first, checkedStrict(request, strict, keys, now)];
}

function checkedControl(auth: ControlAuth, request: GivenRequest, keys: GivenKeys): SignatureVerdict {
  const key = controlKey(keys);
  const { form, pathId } = request;
  const { parameters, raw } = form;
  const values = { pathId, endpoint: undefined, parameters, raw };
  const scheme = 'control';
  const came = parameters.get('control') ?? '';
  const sent = readControl(came);
  const fitting = (of: Secret<string>) =>
    sent && controlReadings(auth, values).find((one) => controlFits(sent, one.values, of));
  const read = fitting(key);
  const missing = auth.over.filter((name) => name !== 'endpointId' && !parameters.has(name));
  const needed = missing.filter((name) => !OPTIONAL.has(name));
  const lacks = needed.map((name) => `${name} is not sent, and belongs in the string.`);
  if (read) return { scheme, fits: true, says: [...howRead(read.notation, parameters), ...lacks] };
  const { expected, instead } = explainedWith(auth, values, [{ key, isUsable: true }], request.login);
  const shown = { expected: expected.map(({ value }) => value).join('') + KEY_PLACEHOLDER };
  const fault = (says: string) => ({ scheme, fits: false, says: [says, ...lacks], ...shown }) as const;
  if (came === '') return fault('There is no control in the request.');
  if (instead)
    return { ...fault(instead.mistake), received: instead.parts.map(({ value }) => value).join(instead.between) };
  if (fitting(new Secret(demo.controlKey))) return fault(OF_DEMO);
  const inHundredths = controlReadings(auth, { ...values, inEitherWay: true });
  if (sent && inHundredths.some((one) => controlFits(sent, one.values, key))) {
    return fault('The amount is signed in hundredths: only endpoints that are set so take that.');
  }
  return fault(sent ? NOTHING_FOUND : `It is no SHA-1 in forty hexadecimal digits, but ${came.length} characters.`);
}

/** Formulas leave these out when they are not sent. */
const OPTIONAL = new Set(['amount', 'currency', 'orderid', 'email', 'source_card_ref_id', 'destination_card_ref_id']);

function howRead(notation: 'minor' | 'major', parameters: ReadonlyMap<string, string>): string[] {
  const amount = parameters.get('amount') ?? '';
  const currency = parameters.get('currency') ?? '';
  if (notation === 'major' || !/^\d+$/.test(amount) || !isCurrency(currency)) return [];
  return [
    `amount=${amount} is signed as minor units: ${writeAmount({ minor: BigInt(amount), currency }, 'major')} ${currency}.`,
  ];
}

function checkedOAuth(auth: OAuthAuth, request: GivenRequest, keys: GivenKeys, now: number): SignatureVerdict {
  const { authorization, pairs, form, url } = request;
  const scheme = 'OAuth 1.0a';
  const read = readOAuthRequest(auth, { authorization, sent: pairs, login: form.parameters.get('login'), now });
  // A signature is looked at though its time is over: requests are checked long after they were sent.
  const late =
    'faults' in read && read.faults.every(({ error }) => error === 'oauth-timestamp-refused') ? read.faults : [];
  const again =
    late.length > 0
      ? readOAuthRequest(auth, {
          authorization,
          sent: pairs,
          login: form.parameters.get('login'),
          now: saidAt(authorization),
        })
      : read;
  if ('faults' in again) return { scheme, fits: false, says: again.faults.map(({ message }) => message) };
  const { header, signed } = again;
  const method = header.get('oauth_signature_method') as OAuthMethod;
  const base = baseString(url, signed);
  const came = header.get('oauth_signature') ?? '';
  const signature = readSignature(came);
  const says = late.map(({ message }) => message);
  if (signature && oauthFits(method, signature, base, keys)) return { scheme, fits: says.length === 0, says };
  const isSecret = hasSecrets(pairs);
  const expected = baseString(url, isSecret ? withoutHidden(signed) : signed);
  const explained = explainOAuth({
    method,
    came,
    urls: [url],
    signed,
    controlKeys: keys.control ? [{ key: keys.control, isUsable: true }] : [],
    publicKeys: keys.publicKey ? [{ key: keys.publicKey, isUsable: true }] : [],
  });
  const isDemos = method === 'HMAC-SHA1' && signature && hmacSha1Fits(signature, base, new Secret(demo.controlKey));
  const mistake = explained.instead?.mistake ?? (isDemos ? OF_DEMO : NOTHING_FOUND);
  return { scheme, fits: false, says: [mistake, ...says], expected, ...receivedOf(explained, isSecret) };
}

/** The parts that were signed instead, before they are encoded. */
function receivedOf({ instead }: ExplainedSignature, isSecret: boolean): { received?: string } {
  if (!instead) return {};
  const [verb, url, ...pairs] = instead.parts;
  const named = pairs.map(({ name, value }) => [name, value] as const);
  const shown = (isSecret ? withoutHidden(named) : named).map(([name, value]) => `${name}=${value}`);
  return { received: [verb?.value, url?.value, ...shown].join('&') };
}

function saidAt(authorization = ''): number {
  return Number(/oauth_timestamp="(\d{1,12})"/.exec(authorization)?.[1] ?? 0) * 1000;
}

function oauthFits(method: OAuthMethod, signature: Buffer, base: string, keys: GivenKeys): boolean {
  if (method === 'HMAC-SHA1') return hmacSha1Fits(signature, base, controlKey(keys));
  if (!keys.publicKey) throw new Complaint('name the RSA key by --rsa-key; with --demo it is in the folder of --data');
  return rsaSha256Fits(signature, base, keys.publicKey);
}

function checkedStrict(request: GivenRequest, header: string, keys: GivenKeys, now: number): SignatureVerdict {
  const { operation, pathId, body, pairs } = request;
  const subject = { operation: operation.name, pathId, body: Buffer.from(body) };
  const key = controlKey(keys);
  const fault = strictFault(header, subject, [key], now);
  if (fault === undefined) return { scheme: 'strict', fits: true, says: [] };
  const seconds = /t=(\d+)/.exec(header)?.[1] ?? '<unix seconds>';
  const found = explainStrict(header, subject, key);
  const says = [...(found ? [found.mistake] : []), `X-Signature: ${fault}.`];
  if (hasSecrets(pairs)) return { scheme: 'strict', fits: false, says };
  const received = found ? { received: found.text } : {};
  return { scheme: 'strict', fits: false, says, expected: strictString(seconds, subject), ...received };
}

function controlKey({ control }: GivenKeys): Secret<string> {
  if (control) return control;
  throw new Complaint('name the control key by --key-file, --key-env or --key-stdin, or use --demo');
}
