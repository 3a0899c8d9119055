// The simulated directory server: it tells the card ranges and passes AReqs to the issuers. It checks each message as a
// real card network would, and answers with an Erro to what it cannot accept.

import { randomUUID } from 'node:crypto';
import {
  type AReq,
  type ARes,
  type Erro,
  type ErrorCode,
  erroOf,
  type PRes,
  readMessage,
  type Version,
  writeMessage,
} from '../messages/index.ts';
import type { ChallengeDesk, DeskParts } from './challenge-desk.ts';
import { eciOf, issuerWord, proofOf, statusReason } from './issuer.ts';
import { behaviourOf, type IssuerWord, numberRanges } from './test-cards.ts';

export const DS_REFERENCE_NUMBER = 'TENDER-SIMULATED-DS';
export const ACS_REFERENCE_NUMBER = 'TENDER-SIMULATED-ACS';

/** One number is enough: the card ranges never change while the simulated card networks run. */
const SERIAL_NUMBER = '1';

/** `silence` means that there is no answer at all. */
export type DeskReply = { readonly body: string; readonly delayMs?: number } | 'silence';

export class DirectoryDesk {
  readonly #parts: DeskParts;
  readonly #challenges: ChallengeDesk;

  constructor(parts: DeskParts, challenges: ChallengeDesk) {
    this.#parts = parts;
    this.#challenges = challenges;
  }

  take(json: string): DeskReply {
    switch (messageTypeIn(json)) {
      case 'PReq':
        return this.#takePReq(json);
      case 'Erro':
        return this.#takeErro(json);
      default:
        return this.#takeAReq(json);
    }
  }

  #takePReq(json: string): DeskReply {
    const reading = readMessage('PReq', json, { component: 'D' });
    if (reading.outcome !== 'message') return this.#refuse(reading.erro);
    const { message } = reading;
    this.#parts.transcript.note('3ds-server', 'directory', 'PReq', message);
    const fault = this.#parts.faults.faults.directory;
    if (fault === 'no-answer') return 'silence';
    if (fault === 'garbage') return { body: GARBAGE };
    if (fault === 'erro') return this.#refuse(erroTo(message, '403', 'the directory is told to fail'));
    const { serialNum, messageVersion, threeDSServerTransID } = message;
    if (serialNum !== undefined && serialNum !== SERIAL_NUMBER) {
      return this.#refuse(erroTo(message, '307', 'serialNum'));
    }
    const answer: PRes = {
      messageType: 'PRes',
      messageVersion,
      threeDSServerTransID,
      dsTransID: randomUUID(),
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.2.0',
      serialNum: SERIAL_NUMBER,
      ...(serialNum === undefined && { cardRangeData: cardRangeData(this.#parts.publicUrl()) }),
    };
    this.#parts.transcript.note('directory', '3ds-server', 'PRes', answer);
    return { body: writeMessage(answer) };
  }

  #takeErro(json: string): DeskReply {
    const reading = readMessage('Erro', json, { component: 'D' });
    const read = reading.outcome === 'message' ? reading.message : {};
    this.#parts.transcript.note('3ds-server', 'directory', 'Erro', read);
    return { body: '' };
  }

  #takeAReq(json: string): DeskReply {
    const reading = readMessage('AReq', json, { component: 'D' });
    if (reading.outcome !== 'message') return this.#refuse(reading.erro);
    const { message } = reading;
    this.#parts.transcript.note('3ds-server', 'directory', 'AReq', message);
    const { authentication: fault, delayMs } = this.#parts.faults.faults;
    if (fault === 'no-answer') return 'silence';
    if (fault === 'garbage') return { body: GARBAGE };
    if (fault === 'erro') return this.#refuse(erroTo(message, '403', 'the directory is told to fail'));
    if (fault === 'unsupported-version') return this.#refuse(erroTo(message, '102', 'messageVersion'));
    const behaviour = behaviourOf(message.acctNumber);
    if (behaviour.versions === undefined) return this.#refuse(erroTo(message, '305', 'acctNumber'));
    if (!speaks(behaviour.versions, message.messageVersion)) {
      return this.#refuse(erroTo(message, '102', behaviour.versions.join(',')));
    }
    const answer = this.#ares(message, issuerWord(message, behaviour));
    const sent = fault === 'foreign-id' ? { ...answer, threeDSServerTransID: randomUUID() } : answer;
    const { acsTransID: _, ...withoutId } = sent;
    this.#parts.transcript.note('directory', '3ds-server', 'ARes', fault === 'malformed' ? withoutId : sent);
    const body = fault === 'malformed' ? JSON.stringify(withoutId) : writeMessage(sent, message.messageCategory);
    return fault === 'slow' ? { body, delayMs } : { body };
  }

  #ares(areq: AReq, word: IssuerWord): ARes {
    const ids = { acsTransID: randomUUID(), dsTransID: randomUUID() };
    const { acctNumber, messageVersion: version } = areq;
    const common = {
      messageType: 'ARes' as const,
      messageVersion: version,
      threeDSServerTransID: areq.threeDSServerTransID,
      ...ids,
      dsReferenceNumber: DS_REFERENCE_NUMBER,
      acsReferenceNumber: ACS_REFERENCE_NUMBER,
      transStatus: word,
    };
    const proof = () => proofOf(this.#parts.proofKey, ids.acsTransID, acctNumber, areq.purchaseAmount ?? '');
    switch (word) {
      case 'Y':
      case 'A':
        return { ...common, authenticationValue: proof(), eci: eciOf(acctNumber, word) };
      case 'I':
        return { ...common, eci: eciOf(acctNumber, word) };
      case 'C':
        this.#challenges.open({ areq, ...ids, proof: proof() });
        return {
          ...common,
          acsURL: `${this.#parts.publicUrl()}/acs/challenge`,
          acsChallengeMandated: areq.threeDSRequestorChallengeInd === '04' ? 'Y' : 'N',
          authenticationType: '01',
        };
      default:
        return {
          ...common,
          transStatusReason: statusReason(word, version),
          eci: eciOf(acctNumber, word),
          ...(word === 'N' && { cardholderInfo: 'Your bank does not confirm this payment. Please call it.' }),
        };
    }
  }

  #refuse(erro: Erro): DeskReply {
    this.#parts.transcript.note('directory', '3ds-server', 'Erro', erro);
    return { body: writeMessage(erro) };
  }
}

/** What a broken proxy would answer. */
export const GARBAGE = '<html><body>502 Bad Gateway</body></html>';

function erroTo(
  message: { readonly messageType: 'AReq' | 'PReq'; readonly messageVersion: Version },
  code: ErrorCode,
  detail: string,
) {
  const { messageType: about, messageVersion: version } = message;
  return erroOf({ component: 'D', code, detail, version, about, ids: message });
}

function speaks([from, to]: readonly [Version, Version], version: Version): boolean {
  return from <= version && version <= to;
}

function messageTypeIn(json: string): unknown {
  try {
    return (JSON.parse(json) as { readonly messageType?: unknown } | null)?.messageType;
  } catch {
    return undefined;
  }
}

function cardRangeData(publicUrl: string): NonNullable<PRes['cardRangeData']> {
  return numberRanges().flatMap(({ start, end, behaviour: { versions, hasMethod } }) =>
    versions === undefined
      ? []
      : [
          {
            startRange: start,
            endRange: end,
            acsStartProtocolVersion: versions[0],
            acsEndProtocolVersion: versions[1],
            ...(hasMethod && { threeDSMethodURL: `${publicUrl}/acs/method` }),
          },
        ],
  );
}
