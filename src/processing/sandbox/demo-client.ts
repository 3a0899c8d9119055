// The demo merchant of a sandbox as a program: it signs requests and sends them to the interface as any merchant does.

import { createHash, createSign, randomUUID } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { baseString, percentEncode, signedUrl } from '../../signing/oauth1.ts';
import { demo } from '../node/demo.ts';

export type DemoFields = Readonly<Record<string, string>>;
export type DemoReply = Readonly<Record<string, unknown>>;

type DemoClientParts = {
  readonly clock: Clock;
  /** The address of the interface: the public one, which is signed, and the one from this process. */
  readonly publicUrl: () => string;
  readonly localUrl: () => string;
  /** The demo merchant's private key (PEM). */
  readonly privateKey: () => Promise<string>;
};

const WAIT_MS = 30_000;

/** The interface answered with something else than was asked for. */
export class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

export class DemoClient {
  readonly #parts: DemoClientParts;

  constructor(parts: DemoClientParts) {
    this.#parts = parts;
  }

  /** Signed with a control: the digest of these texts and the merchant's key. */
  async control(path: string, fields: DemoFields, signs: readonly string[]): Promise<DemoReply> {
    const control = createHash('sha1')
      .update([...signs, demo.controlKey].join(''), 'utf8')
      .digest('hex');
    return this.#post(path, { ...fields, control });
  }

  /** Signed by OAuth with the merchant's private key. */
  async oauth(path: string, fields: DemoFields): Promise<DemoReply> {
    const { clock, privateKey, publicUrl } = this.#parts;
    const oauth = {
      oauth_consumer_key: demo.login,
      oauth_nonce: randomUUID(),
      oauth_signature_method: 'RSA-SHA256',
      oauth_timestamp: String(Math.floor(clock.now() / 1000)),
      oauth_version: '1.0',
    };
    const base = baseString(signedUrl(publicUrl(), path), Object.entries({ ...fields, ...oauth }));
    const signature = createSign('RSA-SHA256')
      .update(base)
      .sign(await privateKey(), 'base64');
    const pairs = Object.entries({ ...oauth, oauth_signature: signature });
    const authorization = `OAuth ${pairs.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
    return this.#post(path, fields, { authorization });
  }

  async #post(path: string, fields: DemoFields, headers: DemoFields = {}): Promise<DemoReply> {
    const response = await fetch(this.#parts.localUrl() + path, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.pay+json',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const reply = (await response.json()) as DemoReply;
    if (response.ok) return reply;
    throw new DemoRefused(`the interface refused it: ${String(reply['error-message'] ?? response.status)}`);
  }
}
