// The simulated issuer's access control server in EMV 3DS: it asks the payer for a password, tells the result to the
// 3DS server (RReq), and sends the browser back with a CRes. The result is told once, however often the payer answers.

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { lastFourOf } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import type { HttpCaller } from '../http-caller.ts';
import {
  type AReq,
  type CRes,
  type Erro,
  erroOf,
  isSameId,
  MAX_MESSAGE_CHARACTERS,
  type RReq,
  readCreq,
  readMessage,
  writeBase64Url,
  writeCres,
  writeMessage,
} from '../messages/index.ts';
import { type AskedPayer, type ChallengeResult, rreqOf } from './challenge-result.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { NetworkFaultPlan } from './faults.ts';
import { eciOf } from './issuer.ts';
import { issuerLanguage, switchedLanguage } from './page-texts.ts';
import { noQuestionPage, type PageReply, questionPage, sendingPage } from './pages.ts';
import { MOST_TRIES, type PayerAnswer, readPayerAnswer, writtenAmount } from './question.ts';
import type { Transcript } from './transcript.ts';

export type Limits = {
  /** How long the issuer waits for the browser to come first, and then (`challengeMs`) for each answer of the payer. */
  readonly firstCreqMs: number;
  readonly challengeMs: number;
};

/** What the desks of the card networks have in common. */
export type DeskParts = {
  readonly clock: Clock;
  readonly caller: HttpCaller;
  readonly faults: NetworkFaultPlan;
  readonly transcript: Transcript;
  readonly limits: Limits;
  /** Where browsers reach the issuers. */
  readonly publicUrl: () => string;
  /** Where results are told; where each AReq says unless given. */
  readonly resultsUrl?: (() => string) | undefined;
  /** An address of the 3DS server as the browser that is being answered reaches it. */
  readonly asReached: (url: string) => string;
  readonly proofKey: Buffer;
};

type Opening = { readonly areq: AReq; readonly acsTransID: string; readonly dsTransID: string; readonly proof: string };

type Challenge = AskedPayer & {
  readonly lastFour: string;
  isAsked: boolean;
  /** How often the browser has come to the challenge. */
  visits: number;
  sessionData: string | undefined;
  /** Set as soon as the result is certain. */
  end: Promise<CRes> | undefined;
  /** Aborted when the issuer no longer waits for the payer. */
  readonly over: AbortController;
};

/** Longer than a 3DS server can have any use for a challenge. */
const KEPT_MS = 60 * 60 * 1000;
const MOST_CHALLENGES = 10_000;
const LONGEST_SESSION_DATA = 1024;

export class ChallengeDesk {
  readonly #parts: DeskParts;
  readonly #challenges: ExpiringMap<Challenge>;
  readonly #open = new Set<Challenge>();
  readonly #closing = new AbortController();

  constructor(parts: DeskParts) {
    this.#parts = parts;
    // Any number of late results may listen at the same time.
    setMaxListeners(0, this.#closing.signal);
    this.#challenges = new ExpiringMap({ clock: parts.clock, keptMs: KEPT_MS, most: MOST_CHALLENGES });
  }

  open({ areq: { acctNumber, ...areq }, ...opening }: Opening): void {
    const challenge: Challenge = {
      ...opening,
      areq,
      lastFour: lastFourOf(acctNumber),
      eci: { Y: eciOf(acctNumber, 'Y'), N: eciOf(acctNumber, 'N') },
      wrongAnswers: 0,
      isAsked: false,
      visits: 0,
      sessionData: undefined,
      end: undefined,
      over: new AbortController(),
    };
    this.#open.add(challenge);
    this.#challenges.set(opening.acsTransID, challenge);
    void this.#watch(challenge);
  }

  close(): void {
    this.#closing.abort();
    for (const { over } of this.#open) over.abort();
  }

  /** The browser comes with a CReq, and with the languages it prefers. */
  async ask(form: URLSearchParams, languages?: string): Promise<PageReply> {
    const reading = readCreq(form.get('creq') ?? '', { component: 'A' });
    if (reading.outcome !== 'message') {
      this.#parts.transcript.note('browser', 'acs', 'unreadable');
      return noQuestionPage(400, 'unreadable', issuerLanguage(languages));
    }
    const { message } = reading;
    this.#parts.transcript.note('browser', 'acs', 'CReq', message);
    const challenge = this.#challenges.get(message.acsTransID.toLowerCase());
    if (challenge === undefined || !isSameId(challenge.areq.threeDSServerTransID, message.threeDSServerTransID)) {
      return noQuestionPage(404, 'closed', issuerLanguage(languages));
    }
    const { messageVersion } = challenge.areq;
    if (message.messageVersion !== messageVersion) {
      const parts = { component: 'A', code: '203', version: messageVersion, about: 'CReq', ids: message } as const;
      return this.#back(challenge, erroOf({ ...parts, detail: 'messageVersion' }));
    }
    challenge.sessionData ??= form.get('threeDSSessionData')?.slice(0, LONGEST_SESSION_DATA);
    challenge.isAsked = true;
    challenge.visits += 1;
    return challenge.end ? this.#back(challenge, await challenge.end) : this.#question(challenge);
  }

  /** The payer answers the question. */
  async answer(form: URLSearchParams, languages?: string): Promise<PageReply> {
    const challenge = this.#challenges.get(form.get('transaction') ?? '');
    if (challenge === undefined) return noQuestionPage(404, 'closed', issuerLanguage(languages));
    challenge.visits += 1;
    const answer = readPayerAnswer(form);
    if (challenge.end === undefined && answer === 'wrong') challenge.wrongAnswers += 1;
    const result = resultOf(answer, challenge.wrongAnswers);
    if (challenge.end === undefined && result === undefined) return this.#question(challenge);
    return this.#back(challenge, await this.#end(challenge, result ?? 'failed'));
  }

  #question(challenge: Challenge): PageReply {
    const { areq, acsTransID, lastFour, wrongAnswers } = challenge;
    return questionPage({
      language: languageOf(challenge),
      action: 'answer',
      transaction: acsTransID,
      merchant: areq.merchantName ?? areq.threeDSRequestorName,
      amount: writtenAmount(areq.purchaseAmount, areq.purchaseExponent, areq.purchaseCurrency),
      lastFour,
      wrongAnswers,
    });
  }

  #back(challenge: Challenge, said: CRes | Erro): PageReply {
    const { areq, sessionData } = challenge;
    const fault = this.#parts.faults.faults.challenge;
    const message = fault === 'erro' ? brokenIssuer(said) : said;
    this.#parts.transcript.note('acs', 'browser', message.messageType, message);
    const cres = fault === 'malformed' ? writeBase64Url('{"messageType":"CRes"') : writeCres(message);
    return sendingPage({
      language: languageOf(challenge),
      action: this.#parts.asReached(areq.notificationURL),
      fields: { cres, ...(sessionData !== undefined && { threeDSSessionData: sessionData }) },
    });
  }

  #end(challenge: Challenge, result: ChallengeResult): Promise<CRes> {
    challenge.end ??= this.#tell(challenge, result);
    challenge.over.abort();
    return challenge.end;
  }

  /** Sends the RReq before the CRes, unless the faults say otherwise. */
  async #tell(challenge: Challenge, result: ChallengeResult): Promise<CRes> {
    const rreq = rreqOf(challenge, result);
    const { results: fault, delayMs } = this.#parts.faults.faults;
    if (fault === 'late') {
      void this.#parts.clock.sleep(delayMs, this.#closing.signal).then(() => this.#send(challenge, rreq));
    } else if (fault !== 'never') {
      await this.#send(challenge, fault === 'foreign-id' ? { ...rreq, acsTransID: randomUUID() } : rreq);
    }
    if (fault === 'twice') await this.#send(challenge, rreq);
    if (fault === 'contradicting') {
      await this.#send(challenge, rreqOf(challenge, result === 'passed' ? 'failed' : 'passed'));
    }
    return this.#cresOf(challenge, result);
  }

  async #send({ areq }: Challenge, rreq: RReq): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { transcript, caller } = this.#parts;
    transcript.note('directory', '3ds-server', 'RReq', rreq);
    const answer = await caller.call({
      method: 'POST',
      url: new URL(this.#parts.resultsUrl?.() ?? areq.threeDSServerURL),
      type: 'application/json; charset=utf-8',
      body: writeMessage(rreq),
      longest: MAX_MESSAGE_CHARACTERS,
    });
    if (answer.outcome === 'no-answer') return;
    const reading = readMessage('RRes', answer.body, { component: 'D', version: rreq.messageVersion });
    if (reading.outcome === 'message') transcript.note('3ds-server', 'directory', 'RRes', reading.message);
    else if (reading.outcome === 'erro') transcript.note('3ds-server', 'directory', 'Erro', reading.erro);
    else transcript.note('3ds-server', 'directory', 'unreadable');
  }

  #cresOf({ areq, acsTransID }: Challenge, result: ChallengeResult): CRes {
    const fault = this.#parts.faults.faults.challenge;
    const passed = (result === 'passed') !== (fault === 'tampered');
    return {
      messageType: 'CRes',
      messageVersion: areq.messageVersion,
      threeDSServerTransID: areq.threeDSServerTransID,
      acsTransID: fault === 'foreign-id' ? randomUUID() : acsTransID,
      transStatus: passed ? 'Y' : 'N',
    };
  }

  /** Gives up on a payer who never came, or no longer answers. */
  async #watch(challenge: Challenge): Promise<void> {
    const { clock, limits } = this.#parts;
    const { signal } = challenge.over;
    while (!signal.aborted) {
      const { isAsked, visits } = challenge;
      await clock.sleep(isAsked ? limits.challengeMs : limits.firstCreqMs, signal);
      if (signal.aborted || challenge.visits !== visits) continue;
      void this.#end(challenge, isAsked ? 'timed-out' : 'never-came');
    }
    this.#open.delete(challenge);
  }
}

function brokenIssuer(said: CRes | Erro): Erro {
  const detail = 'the issuer is told to fail';
  return erroOf({ component: 'A', code: '404', detail, version: said.messageVersion, about: 'CReq', ids: said });
}

/** The one that the payer switched to, else that of the browser, as the 3DS server told it. */
function languageOf({ areq, sessionData }: Challenge) {
  return issuerLanguage(switchedLanguage(sessionData), areq.browserLanguage);
}

function resultOf(answer: PayerAnswer, wrongAnswers: number): ChallengeResult | undefined {
  if (answer === 'right') return 'passed';
  if (answer === 'cancel') return 'cancelled';
  return wrongAnswers >= MOST_TRIES ? 'failed' : undefined;
}
