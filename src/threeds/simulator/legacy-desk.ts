// The simulated card networks of 3-D Secure 1.0.2: the directory server says whether a card is enrolled, and the issuer
// asks the payer on a page that sends the browser back with a signed PARes.

import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { lastFourOf } from '../../domain/card/card.ts';
import type { Language } from '../../domain/merchant/look.ts';
import {
  InvalidDocument,
  type PAReq,
  type PARes,
  readPaReq,
  readVEReq,
  type VERes,
  writePaRes,
  writeVERes,
} from '../messages/index.ts';
import type { DeskParts } from './challenge-desk.ts';
import { type DeskReply, GARBAGE } from './directory-desk.ts';
import { ExpiringMap } from './expiring-map.ts';
import { eciOf, proofOf } from './issuer.ts';
import { issuerLanguage } from './page-texts.ts';
import { noQuestionPage, type PageReply, questionPage, sendingPage } from './pages.ts';
import { MOST_TRIES, type PayerAnswer, readPayerAnswer } from './question.ts';
import { tamperedPaRes } from './tampered-pares.ts';
import { behaviourOf, type CardBehaviour } from './test-cards.ts';

/** An account id that the directory server has given to a merchant in place of the card number. */
type Account = {
  readonly lastFour: string;
  /** As a PARes shows it: zeros and the last four digits. */
  readonly shownPan: string;
  readonly eci: { readonly Y: string; readonly A: string };
  readonly behaviour: CardBehaviour;
};

type Question = {
  readonly pareq: PAReq;
  readonly account: Account;
  readonly termUrl: string;
  readonly md: string | undefined;
  readonly language: Language;
  wrongAnswers: number;
  end: Promise<string> | undefined;
};

const KEPT_MS = 60 * 60 * 1000;
const MOST_QUESTIONS = 10_000;
/** Of MD and TermUrl, which are kept as they came. */
const LONGEST_TEXT = 2_048;
const KEY_BITS = 2048;
const newKeyPair = promisify(generateKeyPair);

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

export class LegacyDesk {
  readonly #parts: DeskParts;
  readonly #accounts: ExpiringMap<Account>;
  readonly #questions: ExpiringMap<Question>;
  #keys: Promise<KeyPair> | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    const kept = { clock: parts.clock, keptMs: KEPT_MS, most: MOST_QUESTIONS };
    this.#accounts = new ExpiringMap(kept);
    this.#questions = new ExpiringMap(kept);
  }

  /** The keys are made when they are first needed, because most runs never need them. */
  #keyPair(): Promise<KeyPair> {
    this.#keys ??= newKeyPair('rsa', { modulusLength: KEY_BITS });
    return this.#keys;
  }

  async signers(): Promise<string> {
    const { publicKey } = await this.#keyPair();
    return publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /** Answers a VEReq. One that cannot be read gets the answer for a card of which nothing is known. */
  take(xml: string): DeskReply {
    const { faults, transcript } = this.#parts;
    const fault = faults.faults.directory;
    if (fault === 'no-answer') return 'silence';
    if (fault === 'garbage' || fault === 'erro') return { body: GARBAGE };
    const answer = this.#veres(xml);
    transcript.note('directory', '3ds-server', 'VERes', answer);
    return { body: writeVERes(answer) };
  }

  #veres(xml: string): VERes {
    try {
      const vereq = readVEReq(xml);
      this.#parts.transcript.note('3ds-server', 'directory', 'VEReq', vereq);
      const { messageId, pan } = vereq;
      const behaviour = behaviourOf(pan);
      const { enrolled } = behaviour;
      if (enrolled !== 'Y') return { messageId, enrolled };
      const acctID = randomBytes(15).toString('base64url');
      this.#accounts.set(acctID, accountOf(pan, behaviour));
      return { messageId, enrolled, acctID, url: `${this.#parts.publicUrl()}/acs/pareq`, protocol: 'ThreeDSecure' };
    } catch (error) {
      if (!(error instanceof InvalidDocument)) throw error;
      return { messageId: 'unreadable', enrolled: 'U', iReqCode: '98' };
    }
  }

  /** The browser comes with a PaReq, and with the languages it prefers. */
  async ask(form: URLSearchParams, languages?: string): Promise<PageReply> {
    const termUrl = form.get('TermUrl') ?? '';
    const md = form.get('MD') ?? undefined;
    if (termUrl.length > LONGEST_TEXT || (md?.length ?? 0) > LONGEST_TEXT) {
      return noQuestionPage(400, 'unreadable', issuerLanguage(languages));
    }
    const pareq = this.#readPaReq(form.get('PaReq') ?? '');
    const account = pareq && this.#accounts.get(pareq.acctID);
    if (!pareq || !account || !/^https?:\/\//.test(termUrl) || !URL.canParse(termUrl)) {
      return noQuestionPage(400, 'unreadable', issuerLanguage(languages));
    }
    const transaction = randomBytes(24).toString('base64url');
    // Version 1 has nothing for the payer's language; the gateway's pages write a chosen one into the address.
    const language = issuerLanguage(new URL(termUrl).searchParams.get('lang') ?? undefined, languages);
    const question: Question = { pareq, account, termUrl, md, language, wrongAnswers: 0, end: undefined };
    this.#questions.set(transaction, question);
    if (account.behaviour.legacyAnswers === 'A') return this.#back(question, 'A');
    return questionFor(question, transaction);
  }

  async answer(form: URLSearchParams, languages?: string): Promise<PageReply> {
    const transaction = form.get('transaction') ?? '';
    const question = this.#questions.get(transaction);
    if (question === undefined) {
      return noQuestionPage(404, 'closed', issuerLanguage(languages));
    }
    const answer = readPayerAnswer(form);
    if (question.end === undefined && answer === 'wrong') question.wrongAnswers += 1;
    const status = statusOf(answer, question.wrongAnswers);
    if (question.end === undefined && status === undefined) return questionFor(question, transaction);
    return this.#back(question, status ?? 'N');
  }

  #readPaReq(packed: string): PAReq | undefined {
    try {
      const pareq = readPaReq(packed);
      this.#parts.transcript.note('browser', 'acs', 'PAReq', pareq);
      return pareq;
    } catch (error) {
      if (!(error instanceof InvalidDocument)) throw error;
      this.#parts.transcript.note('browser', 'acs', 'unreadable');
      return undefined;
    }
  }

  async #back(question: Question, status: 'Y' | 'A' | 'N'): Promise<PageReply> {
    const { termUrl, md, language } = question;
    question.end ??= this.#pares(question, status);
    const fields = { PaRes: await question.end, ...(md !== undefined && { MD: md }) };
    return sendingPage({ language, action: this.#parts.asReached(termUrl), fields });
  }

  async #pares({ pareq, account: { shownPan, eci } }: Question, status: 'Y' | 'A' | 'N'): Promise<string> {
    const { messageId, acctID, acqBIN, merID, xid, date, purchAmount, currency, exponent } = pareq;
    const proof = { cavv: proofOf(this.#parts.proofKey, xid, acctID, purchAmount), cavvAlgorithm: '2' } as const;
    const pares: PARes = {
      ...{ messageId, acqBIN, merID, xid, date, purchAmount, currency, exponent },
      pan: shownPan,
      time: writtenTime(this.#parts.clock.now()),
      status,
      ...(status !== 'N' && { ...proof, eci: eci[status] }),
    };
    this.#parts.transcript.note('acs', 'browser', 'PARes', pares);
    const id = `PARes-${randomBytes(8).toString('hex')}`;
    const fault = this.#parts.faults.faults.pares;
    const { privateKey } = await this.#keyPair();
    if (fault === 'none') return writePaRes(pares, id, privateKey);
    const foreign = fault === 'foreign-signer' ? await newKeyPair('rsa', { modulusLength: KEY_BITS }) : undefined;
    return tamperedPaRes(fault, pares, id, foreign?.privateKey ?? privateKey);
  }
}

function accountOf(pan: string, behaviour: CardBehaviour): Account {
  const lastFour = lastFourOf(pan);
  const eci = { Y: eciOf(pan, 'Y'), A: eciOf(pan, 'A') };
  return { lastFour, shownPan: lastFour.padStart(pan.length, '0'), eci, behaviour };
}

function questionFor({ pareq, account, language, wrongAnswers }: Question, transaction: string): PageReply {
  return questionPage({
    language,
    action: 'pareq-answer',
    transaction,
    merchant: pareq.name,
    amount: pareq.amount,
    lastFour: account.lastFour,
    wrongAnswers,
  });
}

function statusOf(answer: PayerAnswer, wrongAnswers: number): 'Y' | 'N' | undefined {
  if (answer === 'right') return 'Y';
  return answer === 'cancel' || wrongAnswers >= MOST_TRIES ? 'N' : undefined;
}

/** GMT, as `20270131 18:00:00`. */
function writtenTime(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.replaceAll('-', '')} ${time.slice(0, 8)}`;
}
