// What the contract of every connector is held against: a connector, and a counterpart that plays its bank. The two
// share no code where it can be helped, so that they are not wrong in the same way.

import type { Acquirer, Circumstances, Instruction, InstructionKind } from '../../src/acquirers/acquirer.ts';
import type { Connector } from '../../src/acquirers/connector.ts';
import type { Clock } from '../../src/domain/clock.ts';

/** What can go wrong with every message between a connector and its bank, until it is told otherwise. */
export const MISHAPS = [
  /** It never reaches the bank, and nobody answers. */
  'lost',
  /** The bank carries it out, and its answer never arrives. */
  'unanswered',
  /** The bank carries it out; its answer is held back until the mishap is over. */
  'late',
  /** The bank carries it out once, and its answer arrives twice. */
  'doubled',
  /** The bank carries it out and answers with something nobody can read. */
  'garbage',
  /** The bank carries it out, and the connection breaks in the middle of its answer. */
  'cut',
  /** Connections stay open and nothing is read from them any more, for ever; later ones work after the mishap. */
  'frozen',
  /** Nobody listens, and connections are gone. */
  'away',
] as const;

export type Mishap = (typeof MISHAPS)[number];

/** An instruction with what is told around it. */
export type Asked<I extends Instruction = Instruction> = { readonly instruction: I; readonly around: Circumstances };

/** How often the bank carried an instruction out, and which amount stands after it was taken back or not. */
export type Booked = { readonly times: number; readonly net: bigint };

export type ConnectOptions = {
  readonly clock: Clock;
  /** How long the connector waits for an answer to anything it sends. */
  readonly answerMs: number;
};

/** A bank that runs, behind a line that can misbehave. */
export type Counterpart = {
  /** Opens a connector to it; several at once are several nodes. */
  connect(options: ConnectOptions): Acquirer;
  /** Makes the bank decline it, and gives back what to send: some banks decide by what is in the instruction. */
  declining<I extends Instruction>(asked: Asked<I>): Promise<Asked<I>> | Asked<I>;
  /** Without a mishap all goes well again, and answers that were held back arrive. */
  misbehave(mishap?: Mishap): Promise<void>;
  booked(asked: Asked): Promise<Booked>;
  close(): Promise<void>;
};

export type ConnectorSubject = {
  readonly name: string;
  readonly connector: Pick<Connector, 'does' | 'partial' | 'inquiry'>;
  /** What can go wrong on the line to this counterpart: all of it unless some are named. */
  readonly mishaps?: readonly Mishap[];
  /** Whether the bank recognises a reference that it gets again: it does where an outcome can be asked about. */
  readonly recognises?: boolean;
  /** Instructions before which the connector asks the bank something, so that a mishap hits the question. */
  readonly asksFirst?: readonly InstructionKind[];
  /** Whether a hold can be captured in several parts: it can where a part can be captured. */
  readonly capturesOften?: boolean;
  /** A security code that the bank approves. No other text of the conversation may hold it as a number of its own. */
  readonly cvv: string;
  /** Keys and passwords of the connector, which nobody may see. */
  readonly keys: readonly string[];
  open(): Promise<Counterpart>;
};
