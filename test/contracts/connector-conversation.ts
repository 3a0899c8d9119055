// A conversation of the contract with one connector: it makes instructions with all that is told around them, sends
// them, and keeps everything the connector says, so that it can be searched for secrets in the end.

import type {
  Acquirer,
  Answer,
  Approval,
  ChargeInstruction,
  Circumstances,
  FollowUpInstruction,
  InquiryAnswer,
  Instruction,
  InstructionKind,
  ReversalAnswer,
  SentInstruction,
  TestLine,
} from '../../src/acquirers/acquirer.ts';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Asked, ConnectorSubject, Counterpart } from './connector-subject.ts';

export const CARD_NUMBER = '4111111111111111';
export const OTHER_CARD_NUMBER = '5555555555554444';
export const AMOUNT = 1042n;

/** Long enough for the slowest machine: nothing that is answered may fail by it. */
const PATIENT_MS = 10 * 60_000;
/** For tests that wait until it is over. */
const HASTY_MS = 1_500;

const MARKET = {
  site: {
    merchantNumber: 'M4400017',
    terminalNumber: 'T8800001',
    category: '5999',
    country: 'US',
    acquirerNumber: '40055',
    descriptor: 'Demo shop',
  },
  payer: {
    firstName: 'Anna',
    lastName: 'Doe',
    email: 'anna@example.com',
    phone: '+15550100',
    address: '9 Main Street',
    city: 'Springfield',
    state: 'IL',
    zipCode: '62701',
    country: 'US',
    ipAddress: '203.0.113.9',
  },
} satisfies Partial<Circumstances>;

/** No two instructions of one run share a number: counterparts may keep their books from test to test. */
let lastNumber = 0;

export type Talk = {
  send(asked: Asked): Promise<Answer>;
  inquire(asked: Asked): Promise<InquiryAnswer>;
  reverse(asked: Asked, again?: boolean): Promise<ReversalAnswer>;
  test(): Promise<readonly TestLine[]>;
  close(): Promise<void>;
};

export class Conversation {
  readonly counterpart: Counterpart;
  readonly #subject: ConnectorSubject;
  readonly #acquirers: Acquirer[] = [];
  readonly #said: unknown[] = [];

  private constructor(subject: ConnectorSubject, counterpart: Counterpart) {
    this.#subject = subject;
    this.counterpart = counterpart;
  }

  static async begin(subject: ConnectorSubject): Promise<Conversation> {
    return new Conversation(subject, await subject.open());
  }

  /** A connector that waits for every answer. */
  patient(): Talk {
    return this.#talk(this.counterpart.connect({ clock: systemClock, answerMs: PATIENT_MS }));
  }

  /** A connector that soon gives up. */
  hasty(clock: Clock = systemClock): Talk {
    return this.#talk(this.counterpart.connect({ clock, answerMs: HASTY_MS }));
  }

  /** A connector that soon gives up, and that has reached its bank before. */
  async connectedHasty(): Promise<Talk> {
    const talk = this.hasty();
    for (let tries = 0; (await talk.send(this.sale())).word !== 'approved'; tries += 1) {
      if (tries === 200) throw new Error('the bank cannot be reached before anything went wrong');
    }
    return talk;
  }

  ask(kind: Exclude<InstructionKind, FollowUpInstruction['kind']>): Asked {
    const reference = newReference();
    const amount = { minor: kind === 'verification' ? 0n : AMOUNT, currency: 'USD' };
    const target = { number: new Secret(OTHER_CARD_NUMBER), holder: 'ANNA DOE' };
    if (kind === 'push') return this.#asked({ kind, reference, amount, to: { card: target } });
    if (kind === 'eligibility') return this.#asked({ kind, reference, receiving: target });
    const cvv = new Secret(this.#subject.cvv);
    const card = { number: new Secret(CARD_NUMBER), expireMonth: 12, expireYear: 2031, cvv, holder: 'ANNA DOE' };
    return this.#asked({ kind, reference, amount, card, descriptor: 'Demo shop', initiator: 'payer' });
  }

  sale(): Asked<ChargeInstruction> {
    return this.ask('sale') as Asked<ChargeInstruction>;
  }

  /** A follow-up of what was approved; what it goes on with is told as the gateway tells it. */
  followUp(kind: FollowUpInstruction['kind'], first: Asked, approval: Approval, minor = AMOUNT) {
    const { reference: original, kind: firstKind } = first.instruction;
    const { approvalCode, rrn, processorTxId, networkTransactionId } = approval;
    const amount = { minor, currency: 'USD' };
    const origin = {
      reference: original,
      kind: firstKind,
      amount: 'amount' in first.instruction ? first.instruction.amount : amount,
      trace: first.around.trace,
      approvalCode,
      rrn,
      processorTxId,
      networkTransactionId,
    };
    const card = cardOf(first.instruction) ?? first.around.card;
    return this.#asked({ kind, reference: newReference(), original, amount }, { origin, card });
  }

  booked = (asked: Asked) => this.counterpart.booked(asked);

  /** Everything that connectors said and show, as one text. */
  everythingSaid(): string {
    const shown = this.#acquirers.map((acquirer) => acquirer.traced?.() ?? []);
    return JSON.stringify([this.#said, shown], (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  }

  async end(): Promise<void> {
    await Promise.all(this.#acquirers.map((acquirer) => acquirer.close()));
    await this.counterpart.close();
  }

  #asked<I extends Instruction>(instruction: I, more: Partial<Circumstances> = {}): Asked<I> {
    const trace = { number: lastNumber, at: Date.now() };
    return { instruction, around: { ...MARKET, trace, ...more } };
  }

  #talk(acquirer: Acquirer): Talk {
    this.#acquirers.push(acquirer);
    const kept = async <T>(saying: Promise<T>): Promise<T> => {
      const said = await saying;
      this.#said.push(said);
      return said;
    };
    return {
      send: ({ instruction, around }) => kept(acquirer.send(instruction, around)),
      inquire: (asked) => kept(acquirer.inquire(asked.instruction.reference, sent(asked, true))),
      reverse: (asked, again = false) => kept(acquirer.reverse(asked.instruction.reference, sent(asked, again))),
      test: () => kept(acquirer.test()),
      close: () => acquirer.close(),
    };
  }
}

/** In the gateway's own form: the order's id, the number of the transaction, and when the order was made. */
function newReference(): string {
  lastNumber += 1;
  return `${40_000 + lastNumber}-1-${Date.now().toString(36)}`;
}

/** The security code is gone when questions are asked. */
function sent({ instruction, around }: Asked, again: boolean): SentInstruction {
  const card = cardOf(instruction);
  if (!card) return { instruction, around, again };
  return { instruction: { ...(instruction as ChargeInstruction), card }, around: { ...around, card }, again };
}

function cardOf(instruction: Instruction) {
  if (!('card' in instruction)) return undefined;
  const { cvv: _gone, ...card } = instruction.card;
  return card;
}
