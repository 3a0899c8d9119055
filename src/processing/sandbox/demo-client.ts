// The demo merchant of a sandbox as a program: it signs requests and sends them to the interface as any merchant does.

import { createHash, randomUUID } from 'node:crypto';
import { postForm } from '../../client/post-form.ts';
import { oauthAuthorization } from '../../client/signed-request.ts';
import type { Clock } from '../../domain/clock.ts';
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
const OK = 200;

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
    const { login } = demo;
    const signer = { publicUrl: publicUrl(), login, controlKey: undefined, privateKey: await privateKey() };
    const moment = { now: clock.now(), nonce: randomUUID() };
    const authorization = oauthAuthorization('RSA-SHA256', path, fields, signer, moment);
    return this.#post(path, fields, { authorization });
  }

  async #post(path: string, fields: DemoFields, headers: DemoFields = {}): Promise<DemoReply> {
    const body = new URLSearchParams(fields).toString();
    const signal = AbortSignal.timeout(WAIT_MS);
    const { status, text } = await postForm(this.#parts.localUrl() + path, { body, headers, signal });
    // Our own gateway has answered.
    const reply = JSON.parse(text) as DemoReply;
    if (status === OK) return reply;
    throw new DemoRefused(`the interface refused it: ${String(reply['error-message'] ?? status)}`);
  }
}
