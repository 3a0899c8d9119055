// The connector to a provider that speaks this very interface: another installation of this service, or a gateway of
// its family. Requests are signed with a control or with OAuth, our reference is the provider's client order id, a
// status request is the inquiry, and callbacks are notices. What it cannot tell is `unknown`, and it never throws.

import { whyNotCallable } from '../../domain/merchant/callback-url.ts';
import type {
  Acquirer,
  Circumstances,
  InquiryAnswer,
  Instruction,
  ReversalAnswer,
  SentInstruction,
  Unknown,
} from '../acquirer.ts';
import { type ConnectorSurroundings, defineConnector } from '../connector.ts';
import { type CallLimit, OpenCalls } from './call-limit.ts';
import { inquireFollowUp, reverseFollowUp, sendFollowUp } from './follow-ups.ts';
import { readNotice } from './notices.ts';
import { inquireOrder, type OrderInstruction, reverseOrder, sendOrder } from './orders.ts';
import { Provider } from './provider.ts';
import { ProviderLine } from './provider-line.ts';
import { type Exchange, WaitingForNotice } from './questions.ts';
import { isThisMachine, readPrivateKey, type UpstreamSettings, upstreamSettings } from './settings.ts';
import { tryOut } from './try-out.ts';

export const upstream = defineConnector({
  name: 'upstream',
  says: 'a payment gateway that speaks the same interface as this service',
  settings: upstreamSettings,
  does: ['sale', 'preauth', 'pull', 'verification', 'capture', 'cancel', 'void', 'refund', 'push', 'eligibility'],
  partial: ['capture', 'cancel', 'refund'],
  inquiry: 'message',
  needsCard: false,
  open: openUpstream,
});

const FOLLOW_UP_KINDS = { capture: true, cancel: true, void: true, refund: true } as const;

type FollowUpKind = keyof typeof FOLLOW_UP_KINDS;

function isFollowUp(instruction: Instruction): instruction is Extract<Instruction, { kind: FollowUpKind }> {
  return Object.hasOwn(FOLLOW_UP_KINDS, instruction.kind);
}

function openUpstream(settings: UpstreamSettings, { clock, noticeUrl }: ConnectorSurroundings): Acquirer {
  const { baseUrl, login, controlKey, answerMs, statusMs } = settings;
  const endpointId = String(settings.endpointId);
  const privateKey = settings.privateKey && readPrivateKey(settings.privateKey.reveal());
  const signer = { login, controlKey, privateKey, isStrict: settings.strictSigning };
  const provider = new Provider({ line: new ProviderLine(baseUrl), clock, signer, baseUrl, endpointId });
  const calls = new OpenCalls(clock);
  const asker = { login, endpointId, noticeUrl: callableBy(baseUrl, noticeUrl) };
  const exchange: Exchange = { provider, clock, asker, waiting: new WaitingForNotice() };
  const keys = { controlKey, hasPrivateKey: privateKey !== undefined };

  async function call<T>(limitMs: number, work: (limit: CallLimit) => Promise<T>): Promise<T | Unknown> {
    if (calls.isClosed) return { word: 'unknown', reason: 'the connector is closed' };
    try {
      return await calls.within(limitMs, work);
    } catch (error) {
      return { word: 'unknown', reason: error instanceof Error ? error.message : 'the call failed' };
    }
  }

  return {
    send: (instruction: Instruction, around: Circumstances) =>
      call(answerMs, (limit) =>
        isFollowUp(instruction)
          ? sendFollowUp(exchange, instruction, around, limit)
          : sendOrder(exchange, keys, instruction, around, limit),
      ),
    inquire: (_reference: string, sent: SentInstruction): Promise<InquiryAnswer> =>
      call(statusMs, (limit) =>
        isFollowUp(sent.instruction)
          ? inquireFollowUp(exchange, sent.instruction, sent, limit)
          : inquireOrder(exchange, sent.instruction satisfies OrderInstruction, limit),
      ),
    reverse: (_reference: string, sent: SentInstruction): Promise<ReversalAnswer> =>
      call(answerMs, (limit) =>
        isFollowUp(sent.instruction)
          ? reverseFollowUp(exchange, sent.instruction, sent, limit)
          : reverseOrder(exchange, sent.instruction, limit),
      ),
    test: async () => {
      const key = settings.privateKey === undefined ? 'none' : privateKey ? 'readable' : 'unreadable';
      const lines = await call(statusMs, (limit) => tryOut(exchange, key, limit));
      return 'word' in lines ? [{ what: 'the provider', works: false, detail: lines.reason }] : lines;
    },
    receive: async (notice) => {
      const { clientOrderId, ...reading } = readNotice(notice, controlKey);
      // Strangers must not push the messages of the provider out of the trace.
      if (clientOrderId === undefined) return reading;
      provider.trace.noticed(`callback about ${clientOrderId}, answered with ${reading.status}`);
      exchange.waiting.wake(clientOrderId);
      return reading;
    },
    traced: () => provider.trace.lines,
    close: async () => {
      calls.close();
      provider.close();
    },
  };
}

/** An address that the provider would refuse to call is not told to it; then its orders are asked about instead. */
function callableBy(baseUrl: string, noticeUrl: string): string | undefined {
  if (!URL.canParse(noticeUrl)) return undefined;
  const loopback = isThisMachine(new URL(baseUrl));
  return whyNotCallable(noticeUrl, { loopback }) === undefined ? noticeUrl : undefined;
}
