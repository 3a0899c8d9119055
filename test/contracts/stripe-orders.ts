// Instructions for the tests of the connector to Stripe, and a gateway in few lines that carries one to its end.

import type {
  Acquirer,
  ChargeInstruction,
  Circumstances,
  FollowUpInstruction,
  Instruction,
  Origin,
} from '../../src/acquirers/acquirer.ts';
import { readConnectorSettings } from '../../src/acquirers/connector.ts';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { CARDS } from './stripe-books.ts';
import { SECRET_KEY } from './stripe-host.ts';

export const WEBHOOK_SECRET = 'whsec_test_secret_of_the_webhook';
export const RETURN_URL = 'https://shop.example/back?order=1';

/** Opens the connector as the gateway does: settings are read by its form, and secrets are wrapped. */
export function openStripe(given: Readonly<Record<string, unknown>>, clock: Clock): Acquirer {
  const read = readConnectorSettings(stripe, { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, ...given });
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  const surroundings = { clock, terminal: 'stripe-test', noticeUrl: 'https://gateway.example/notices/stripe-test' };
  return stripe.open(read.values as never, surroundings);
}

let orders = 0;

export function newReference(): string {
  orders += 1;
  return `${orders}-1-m3x9a`;
}

type ChargeChoice = Partial<Omit<ChargeInstruction, 'card'>> & {
  readonly number?: string;
  readonly cvv?: string | null;
};

export function charge({ number = CARDS.good, cvv = '123', ...choice }: ChargeChoice = {}): ChargeInstruction {
  const code = cvv === null ? {} : { cvv: new Secret(cvv) };
  return {
    kind: 'sale',
    reference: newReference(),
    amount: { minor: 1042n, currency: 'USD' },
    card: { number: new Secret(number), expireMonth: 12, expireYear: 2031, holder: 'Ada Lovelace', ...code },
    descriptor: 'Shoes',
    initiator: 'payer',
    ...choice,
  };
}

export function around(clock: Clock, choice: Partial<Circumstances> = {}): Circumstances {
  return {
    site: {
      merchantNumber: '1',
      terminalNumber: undefined,
      category: '5661',
      country: 'GB',
      acquirerNumber: '1',
      descriptor: 'Shoes',
    },
    trace: { number: 7_000_042, at: clock.now() },
    payer: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@shop.example', zipCode: 'N1 9GU', country: 'GB' },
    returnUrl: RETURN_URL,
    ...choice,
  };
}

export function followUp(
  kind: FollowUpInstruction['kind'],
  { reference, amount }: ChargeInstruction,
  minor = amount.minor,
): FollowUpInstruction {
  return { kind, reference: newReference(), original: reference, amount: { ...amount, minor } };
}

/** What is known of a payment that Stripe approved under this name. */
export function originOf({ reference, kind, amount }: ChargeInstruction, processorTxId: string, clock: Clock): Origin {
  return { reference, kind, amount, trace: { number: 7_000_042, at: clock.now() }, processorTxId };
}

/** As it is kept for questions: without the security code. */
export function withoutCode(instruction: Instruction): Instruction {
  if (!('card' in instruction)) return instruction;
  const { cvv: _gone, ...card } = instruction.card;
  return { ...instruction, card };
}

export type Course = {
  /** Whether another bank takes over as soon as this one will certainly do nothing. */
  readonly cascades: boolean;
  readonly inquiries: number;
  /** Called before every question. */
  readonly between: () => void;
};

export type End = 'approved' | 'declined' | 'passed-on' | 'taken-back' | 'stuck';

const MAX_SENDS = 5;
const MAX_REVERSALS = 8;

/** Sends, asks, sends again and takes back as the order machine does. */
export async function carry(
  acquirer: Acquirer,
  instruction: Instruction,
  circumstances: Circumstances,
  { cascades, inquiries, between }: Course,
): Promise<End> {
  const sent = { instruction: withoutCode(instruction), around: circumstances, again: true };
  const { reference } = instruction;
  let answer: Awaited<ReturnType<Acquirer['inquire']>> | { word: 'unsent' } = await acquirer.send(
    instruction,
    circumstances,
  );
  for (let sends = 1, asked = 0; asked < inquiries; asked += 1) {
    if (answer.word === 'approved' || answer.word === 'declined') return answer.word;
    if (answer.word === 'unsent' && cascades && sends === 1) return 'passed-on';
    if (answer.word === 'not-found' && (cascades || sends >= MAX_SENDS)) break;
    between();
    if (answer.word === 'not-found') {
      sends += 1;
      answer = await acquirer.send(instruction, circumstances);
    } else answer = await acquirer.inquire(reference, sent);
  }
  if (answer.word === 'approved' || answer.word === 'declined') return answer.word;
  for (let tries = 0; tries < MAX_REVERSALS; tries += 1) {
    between();
    if ((await acquirer.reverse(reference, sent)).word !== 'unknown') return 'taken-back';
  }
  return 'stuck';
}
