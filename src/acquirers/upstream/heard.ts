// What came back for a question to the provider: an answer, a refusal, or nothing that can be relied on.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { shortened } from '../../domain/text.ts';
import type { LineFault } from '../acquirer.ts';
import type { LineReply } from './provider-line.ts';

const MAX_MESSAGE = 200;

/** The values of a reply that are texts. */
export type ProviderReply = Readonly<Record<string, string>>;

export type HeardBack =
  | { readonly word: 'replied'; readonly reply: ProviderReply }
  /** The provider says what is wrong with the request, and did nothing. */
  | { readonly word: 'refused'; readonly code: string; readonly message: string }
  | { readonly word: 'unsent'; readonly reason: string; readonly fault: 'unreachable' }
  /** Nobody can tell what the provider did. A provider that says it failed has answered: that is no fault. */
  | { readonly word: 'unheard'; readonly reason: string; readonly fault: LineFault | undefined };

/** What a reply means. The old flavour answers everything with HTTP 200, so that the type of the body counts first. */
export function heardIn(line: LineReply): HeardBack {
  if (line.end === 'unsent') return { word: 'unsent', reason: line.reason, fault: 'unreachable' };
  if (line.end === 'lost') return { word: 'unheard', reason: line.reason, fault: line.fault };
  const { status, text } = line;
  const reply = readReply(text);
  if (!reply) {
    return { word: 'unheard', reason: `the provider answered with HTTP ${status} and no reply`, fault: 'unreadable' };
  }
  const code = reply['error-code'] ?? '';
  const message = shortened(maskCardNumbers(reply['error-message'] ?? ''), MAX_MESSAGE);
  if (reply.type === 'validation-error' && status < 500) return { word: 'refused', code, message };
  if (status === 200 && reply.type !== 'error') return { word: 'replied', reply };
  return { word: 'unheard', reason: `the provider failed with error ${code || status}: ${message}`, fault: undefined };
}

function readReply(text: string): ProviderReply | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  const texts = Object.entries(read).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const reply = Object.fromEntries(texts);
  return reply.type === undefined ? undefined : reply;
}
