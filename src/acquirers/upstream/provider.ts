// Puts one question to the provider: signs it, sends it, keeps a masked note of it, and reads what came back as an
// answer, a refusal, or nothing that can be relied on.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { CallLimit } from './call-limit.ts';
import { type HeardBack, heardIn } from './heard.ts';
import { MessageTrace } from './message-trace.ts';
import type { ProviderLine } from './provider-line.ts';
import type { ProviderRequest } from './requests.ts';
import { type Signer, signed } from './sign.ts';

const MEDIA_TYPE = 'application/vnd.pay+json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export type ProviderParts = {
  readonly line: ProviderLine;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly baseUrl: string;
  readonly endpointId: string;
};

export class Provider {
  readonly #parts: ProviderParts;
  readonly trace: MessageTrace;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    this.trace = new MessageTrace(parts.clock);
  }

  async ask(request: ProviderRequest, { signal }: CallLimit): Promise<HeardBack> {
    const { line, clock, signer, baseUrl, endpointId } = this.#parts;
    const { operation, path, by, idempotencyKey } = request;
    const url = `${baseUrl}${path}/${endpointId}`;
    const given = Object.entries(request.fields).filter((pair): pair is [string, string] => !!pair[1]);
    const unsigned = { operation, endpointId, url, fields: given, by };
    const { body, headers } = signed(unsigned, signer, { nonce: randomUUID(), now: clock.now() });
    const key = idempotencyKey === undefined ? undefined : { 'idempotency-key': idempotencyKey };
    const common = { accept: MEDIA_TYPE, 'content-type': FORM_TYPE, 'user-agent': 'Tender' };
    this.trace.sent(`${path}/${endpointId}`, given);
    const reply = await line.post({ url, headers: { ...common, ...headers, ...key }, body }, signal);
    const heard = heardIn(reply);
    this.trace.heard(reply, heard);
    return heard;
  }

  close(): void {
    this.#parts.line.close();
  }
}
