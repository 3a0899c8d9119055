// The port to a card network's directory server: card ranges, authentication, and the enrolment question of 1.0.2.
// Every failure is an outcome with a name, so that nobody takes silence for an answer: an authentication without an
// answer is neither Y nor N, and the endpoint's policy for U decides its order.

import type { KeyObject } from 'node:crypto';
import type { AReq, Erro, MessageType, PReq, ThreeDSMessage, VEReq, VERes } from './messages/index.ts';

/** Nothing was sent because nobody took the connection; or no whole answer came back in time, or at all. */
export type Silence = 'not-reached' | 'timed-out';

export type DirectoryAnswer<Type extends MessageType> =
  /** The message is sound by itself; `aresDisagreement` says whether it fits its question. */
  | { readonly outcome: 'answered'; readonly message: ThreeDSMessage<Type> }
  /** The card network refuses our message. */
  | { readonly outcome: 'refused'; readonly erro: Erro }
  /** What came back cannot be read or used; the card network was told so with this Erro. */
  | { readonly outcome: 'unreadable'; readonly erro: Erro }
  | { readonly outcome: 'no-answer'; readonly why: Silence; readonly erro: Erro };

export type EnrolmentAnswer =
  | { readonly outcome: 'answered'; readonly message: VERes }
  | { readonly outcome: 'unreadable'; readonly why: string }
  /** The directory server speaks EMV 3DS alone, so nothing was asked. */
  | { readonly outcome: 'not-spoken' }
  | { readonly outcome: 'no-answer'; readonly why: Silence };

export type DirectoryServer = {
  cardRanges(request: PReq): Promise<DirectoryAnswer<'PRes'>>;

  /** @throws UnwritableMessage for an AReq that the card network would refuse; `messageFaults` tells beforehand. */
  authenticate(request: AReq): Promise<DirectoryAnswer<'ARes'>>;

  /** Tells the card network that its message does not fit. Nobody waits for this call, and it never fails. */
  report(erro: Erro): void;

  /** 1.0.2: whether the card takes part. @throws InvalidDocument for a request that the card network would refuse. */
  verifyEnrolment(request: VEReq): Promise<EnrolmentAnswer>;

  /** 1.0.2: the keys that sign PARes, from memory or asked for anew; empty when the card network tells none. */
  signers(asked?: 'anew'): Promise<readonly KeyObject[]>;

  /** Closes when the calls under way are over. */
  retire(): void;

  close(): Promise<void>;
};
