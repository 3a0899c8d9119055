// Asks the provider how an order stands: once, or again and again with growing gaps until it has ended, the payer is
// needed, or the time is up. A callback about the order cuts a gap short.

import type { Clock } from '../../domain/clock.ts';
import type { Answer, InquiryAnswer, Instruction, Unknown } from '../acquirer.ts';
import type { CallLimit } from './call-limit.ts';
import type { ProviderOrder } from './client-order-id.ts';
import { ORDER_NOT_FOUND } from './decline-codes.ts';
import type { HeardBack } from './heard.ts';
import type { Provider } from './provider.ts';
import { type AskingMerchant, askStatus, type StatusQuestion } from './requests.ts';
import { answerIn, type ProviderStatus, readProviderStatus } from './status.ts';

const FIRST_GAP_MS = 100;
const LONGEST_GAP_MS = 4_000;

export type Exchange = {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly asker: AskingMerchant;
  readonly waiting: WaitingForNotice;
};

export type FoundOrder = ProviderStatus | { readonly status: 'not-found' } | Unknown;

export function isFound(found: FoundOrder): found is ProviderStatus {
  return 'orderId' in found;
}

export async function statusOf(
  { provider, asker }: Exchange,
  question: StatusQuestion,
  limit: CallLimit,
): Promise<FoundOrder> {
  const heard = await provider.ask(askStatus(question, asker), limit);
  if (heard.word !== 'replied') return notTold(heard);
  const found = readProviderStatus(heard.reply, question);
  return found ?? unreadable;
}

const unreadable: Unknown = {
  word: 'unknown',
  reason: 'the provider did not say how the order stands',
  fault: 'unreadable',
};

function notTold(heard: Exclude<HeardBack, { word: 'replied' }>): FoundOrder {
  return heard.word === 'refused' && heard.code === ORDER_NOT_FOUND ? { status: 'not-found' } : unknownAfter(heard);
}

/** Where a question has no usable answer. */
export function unknownAfter(heard: Exclude<HeardBack, { word: 'replied' }>): Unknown {
  switch (heard.word) {
    case 'refused':
      return { word: 'unknown', reason: `the provider refuses with error ${heard.code}: ${heard.message}` };
    case 'unsent':
    case 'unheard':
      return { word: 'unknown', reason: heard.reason, ...(heard.fault && { fault: heard.fault }) };
  }
}

/** How the order made under our reference stands. */
export function inquiryAnswer(found: FoundOrder, instruction: Instruction): InquiryAnswer {
  if ('word' in found) return found;
  return isFound(found) ? answerIn(found, instruction, found.orderId) : { word: 'not-found' };
}

export type Followed = {
  readonly instruction: Instruction;
  readonly order: ProviderOrder;
  /** The request that was acknowledged. */
  readonly serial: string | undefined;
  /** How the transaction is called in later messages. */
  readonly name: string;
};

/** What became of a transaction that the provider has acknowledged; `pending` when the time is up before it ended. */
export async function followed(
  exchange: Exchange,
  { instruction, order, serial, name }: Followed,
  limit: CallLimit,
  { patient }: { readonly patient: boolean } = { patient: true },
): Promise<Exclude<Answer, { word: 'unsent' }>> {
  const { clock, waiting } = exchange;
  for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(2 * gapMs, LONGEST_GAP_MS)) {
    const found = await statusOf(exchange, { ...order, serial }, limit);
    const answer = isFound(found) ? answerIn(found, instruction, name) : undefined;
    if (answer && answer.word !== 'pending' && answer.word !== 'unknown') return answer;
    const isOver = limit.signal.aborted || clock.now() + gapMs >= limit.until;
    if (isOver || !patient) return answer ?? { word: 'pending' };
    await waiting.forNotice(order.clientOrderId, (signal) => clock.sleep(gapMs, signal), limit.signal);
  }
}

/** Wakes whoever waits for news of an order when its callback arrives. */
export class WaitingForNotice {
  readonly #waiting = new Map<string, Set<AbortController>>();

  async forNotice(
    clientOrderId: string,
    pause: (signal: AbortSignal) => Promise<void>,
    over: AbortSignal,
  ): Promise<void> {
    const notice = new AbortController();
    const others = this.#waiting.get(clientOrderId) ?? new Set();
    this.#waiting.set(clientOrderId, others.add(notice));
    try {
      await pause(AbortSignal.any([notice.signal, over]));
    } finally {
      others.delete(notice);
      if (others.size === 0) this.#waiting.delete(clientOrderId);
    }
  }

  wake(clientOrderId: string): void {
    for (const notice of this.#waiting.get(clientOrderId) ?? []) notice.abort();
  }
}
