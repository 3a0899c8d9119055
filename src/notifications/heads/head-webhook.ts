// Heads of the audit chain to an address on the web, signed as callbacks to merchants are: HMAC-SHA256 over id, time
// and body, in the headers of Standard Webhooks.

import { headText, type SentHead } from '../../domain/audit-heads.ts';
import type { Secret } from '../../domain/secret.ts';
import { webhookHeaders } from '../../signing/callback.ts';
import { InvalidPlace } from './invalid-place.ts';

const ANSWER_LIMIT_MS = 10_000;

/** Without TLS only to this very machine, where something may pass it on. */
const IS_NEAR = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function webhookOf(address: string, key: Secret<string> | undefined) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new InvalidPlace('an address such as https://host/path is needed for heads of the audit chain');
  // Paths of such addresses are often secrets themselves, and this name goes into the log.
  const name = url.pathname === '/' ? url.origin : `${url.origin}/…`;
  if (url.username !== '' || url.password !== '') {
    throw new InvalidPlace(`${name}: an address without name and password is needed; what is sent is signed`);
  }
  if (url.protocol !== 'https:' && !IS_NEAR.test(url.hostname)) throw new InvalidPlace(`${name}: https is needed`);
  if (!key) throw new InvalidPlace(`${name}: name the file with the key that signs heads by --audit-heads-key`);
  return {
    name,
    async send(head: SentHead): Promise<void> {
      const text = headText(head);
      const body = JSON.stringify({ head: text, at: new Date(head.at).toISOString() });
      const signed = { id: `audit-head-${head.seq}`, seconds: Math.floor(head.at / 1000), query: body };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...webhookHeaders(signed, [key]) },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`answered ${response.status}`);
    },
  };
}
