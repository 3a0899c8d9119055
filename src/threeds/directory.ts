// The port to a card network's directory server: card ranges, authentication, and the enrolment question of 1.0.2.
// Whatever goes wrong is said in words, so that nobody takes silence for an answer: an authentication without an answer
// is neither Y nor N, and its order is decided by the endpoint's policy for U.

import type { KeyObject } from 'node:crypto';
import type { AReq, Erro, MessageType, PReq, ThreeDSMessage, VEReq, VERes } from './messages/index.ts';

/**
 * Why there is no answer: nobody took the connection, so nothing was sent; or nothing whole came back, in time or at
 * all.
 */
export type Silence = 'not-reached' | 'timed-out';

export type DirectoryAnswer<Type extends MessageType> =
  /** Checked by itself; whether it fits its question is for `aresDisagreement` to say. */
  | { readonly outcome: 'answered'; readonly message: ThreeDSMessage<Type> }
  /** The network refuses the message. */
  | { readonly outcome: 'refused'; readonly erro: Erro }
  /** Something came back that cannot be taken; the network was told so with this Erro. */
  | { readonly outcome: 'unreadable'; readonly erro: Erro }
  | { readonly outcome: 'no-answer'; readonly why: Silence; readonly erro: Erro };

export type EnrolmentAnswer =
  | { readonly outcome: 'answered'; readonly message: VERes }
  | { readonly outcome: 'unreadable'; readonly why: string }
  | { readonly outcome: 'no-answer'; readonly why: Silence };

export type DirectoryServer = {
  cardRanges(request: PReq): Promise<DirectoryAnswer<'PRes'>>;

  /** @throws UnwritableMessage for an AReq that the network would not take; `faultsOf` tells beforehand. */
  authenticate(request: AReq): Promise<DirectoryAnswer<'ARes'>>;

  /** Tells the network that its message does not fit. It is not waited for, and never fails. */
  report(erro: Erro): void;

  /** 1.0.2: whether the card takes part. @throws InvalidDocument for a request that the network would not take. */
  verifyEnrolment(request: VEReq): Promise<EnrolmentAnswer>;

  /**
   * 1.0.2: whose signatures of a PARes are good, as far as known or asked for anew; none when the network does not
   * tell.
   */
  signers(asked?: 'anew'): Promise<readonly KeyObject[]>;

  close(): Promise<void>;
};
