// The card networks as nodes and browsers reach them: the issuer of each order says what the plan says, in time, late
// or never. They remember which proof they gave for which order, and so whether the bank was asked with one.

import { randomUUID } from 'node:crypto';
import type { Instruction } from '../../src/acquirers/acquirer.ts';
import type { Order } from '../../src/domain/order/order.ts';
import type { PayerLinks } from '../../src/processing/checkout/payer-links.ts';
import type { DirectoryAnswer, DirectoryServer } from '../../src/threeds/directory.ts';
import {
  type AReq,
  type ARes,
  erroOf,
  type PReq,
  type PRes,
  readCreq,
  writeCres,
  writeMessage,
} from '../../src/threeds/messages/index.ts';
import { rreqOf } from '../../src/threeds/simulator/challenge-result.ts';
import { eciOf, proofOf, statusReason } from '../../src/threeds/simulator/issuer.ts';
import { AUTHENTICATED, MERCHANTS } from './house.ts';
import type { Doors, Node, World } from './node.ts';
import type { Issuer, Operation } from './plan.ts';
import type { Process } from './scheduler.ts';

const LONGEST_WAY_MS = 200;
const RESULT_TRIES = 3;
const RESULT_PAUSE_MS = 5_000;
const PROOF_KEY = Buffer.alloc(32, 3);
const ALL_CARDS = { startRange: '1000000000000000', endRange: '9999999999999999' };
const VERSIONS = { acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' } as const;

type Challenge = Parameters<typeof rreqOf>[0] & { readonly orderId: number; readonly issuer: Issuer };

type Around = {
  readonly scheduler: World['scheduler'];
  readonly nodes: readonly Node[];
  readonly links: PayerLinks;
  readonly orderOf: (orderId: number) => Order | undefined;
  readonly operationOf: (order: Order) => Operation | undefined;
};

export class Networks {
  readonly #around: Around;
  readonly #challenges = new Map<string, Challenge>();
  /** Orders by the proofs that were given for them. */
  readonly #proofs = new Map<string, number>();
  readonly #asked = new Set<number>();

  constructor(around: Around) {
    this.#around = around;
  }

  serverFor(process: Process): DirectoryServer {
    const never = () => Promise.reject(new Error('not part of the simulation'));
    return {
      cardRanges: (request) =>
        this.#carry(process, 'card ranges', () => ({ outcome: 'answered', message: rangesTo(request) })),
      authenticate: (request) => this.#carry(process, 'an authentication', () => this.#answer(request)),
      report: () => {},
      verifyEnrolment: never,
      signers: async () => [],
      retire: () => {},
      close: async () => {},
    };
  }

  #carry<T>(process: Process, label: string, work: () => T | undefined): Promise<T> {
    const { scheduler } = this.#around;
    const way = () => scheduler.between(1, LONGEST_WAY_MS);
    return new Promise((resolve) => {
      scheduler.after(way(), undefined, `${process.name} asks the networks for ${label}`, () => {
        const answer = work();
        if (answer === undefined) return;
        scheduler.after(way(), process, `hears of ${label}`, () => resolve(answer));
      });
    });
  }

  #answer(areq: AReq): DirectoryAnswer<'ARes'> {
    const { orderId, issuer } = this.#orderOf(areq);
    const isFirst = !this.#asked.has(orderId);
    this.#asked.add(orderId);
    if (issuer.isSilent && isFirst) {
      const erro = erroOf({
        component: 'S',
        code: '402',
        detail: 'no answer in time',
        version: areq.messageVersion,
        about: 'AReq',
        ids: areq,
      });
      return { outcome: 'no-answer', why: 'timed-out', erro };
    }
    return { outcome: 'answered', message: this.#ares(areq, orderId, issuer) };
  }

  #orderOf({ notificationURL }: AReq): { orderId: number; issuer: Issuer } {
    const { links, orderOf, operationOf } = this.#around;
    const orderId = links.read(notificationURL.slice(notificationURL.lastIndexOf('/') + 1))?.orderId ?? 0;
    const order = orderOf(orderId);
    const operation = order && operationOf(order);
    if (!operation || !('issuer' in operation) || !operation.issuer) throw new Error(`Order ${orderId} has no issuer`);
    return { orderId, issuer: operation.issuer };
  }

  #ares(areq: AReq, orderId: number, issuer: Issuer): ARes {
    const { acctNumber, messageVersion, threeDSServerTransID, purchaseAmount = '' } = areq;
    const ids = { acsTransID: randomUUID(), dsTransID: randomUUID() };
    const common = {
      messageType: 'ARes' as const,
      messageVersion,
      threeDSServerTransID,
      ...ids,
      dsReferenceNumber: 'DS',
      acsReferenceNumber: 'ACS',
      transStatus: issuer.word,
    };
    const proof = proofOf(PROOF_KEY, ids.acsTransID, acctNumber, purchaseAmount);
    if (issuer.word === 'C') {
      const eci = { Y: eciOf(acctNumber, 'Y'), N: eciOf(acctNumber, 'N') };
      this.#challenges.set(ids.acsTransID, { areq, ...ids, proof, eci, wrongAnswers: 0, orderId, issuer });
      return { ...common, acsURL: 'https://acs.example/', acsChallengeMandated: 'N', authenticationType: '01' };
    }
    if (issuer.word === 'Y') {
      this.#proofs.set(proof, orderId);
      return { ...common, authenticationValue: proof, eci: eciOf(acctNumber, 'Y') };
    }
    return {
      ...common,
      transStatusReason: statusReason(issuer.word, messageVersion),
      eci: eciOf(acctNumber, issuer.word),
    };
  }

  /** A browser comes to the issuer's page; `back` brings it home with what the issuer sends by it. */
  challenge(creq: string, back: (cres: string) => void): void {
    const { scheduler } = this.#around;
    const reading = readCreq(creq, { component: 'A' });
    const challenge = reading.outcome === 'message' ? this.#challenges.get(reading.message.acsTransID) : undefined;
    if (!challenge) throw new Error('the issuer knows no such challenge');
    const { issuer, areq, acsTransID } = challenge;
    if (issuer.result === 'never') return;
    const hasPassed = issuer.result === 'passed';
    scheduler.after(issuer.resultMs, undefined, `the issuer tells: ${issuer.result}`, () =>
      this.#tell(challenge, hasPassed, 1),
    );
    const { messageVersion, threeDSServerTransID } = areq;
    const said = { messageType: 'CRes', messageVersion, threeDSServerTransID, acsTransID } as const;
    const cres = writeCres({ ...said, transStatus: hasPassed ? 'Y' : 'N' });
    scheduler.after(issuer.browserMs, undefined, 'the browser comes back from the issuer', () => back(cres));
  }

  /** Told until somebody hears it. */
  #tell(challenge: Challenge, hasPassed: boolean, tries: number): void {
    const { scheduler, nodes } = this.#around;
    if (hasPassed) this.#proofs.set(challenge.proof, challenge.orderId);
    const node = nodes[scheduler.between(0, nodes.length - 1)] as Node;
    let isHeard = false;
    if (node.isUp) {
      const json = writeMessage(rreqOf(challenge, hasPassed ? 'passed' : 'failed'));
      scheduler.after(scheduler.between(1, LONGEST_WAY_MS), node.process, 'takes a result of the networks', () => {
        (node.doors as Doors).authentication?.takeNetworkResult(json).then(
          () => {
            isHeard = true;
          },
          (error) => scheduler.say(`${node.process.name} fails the networks: ${error.message}`),
        );
      });
    }
    scheduler.after(RESULT_PAUSE_MS, undefined, 'the networks wait for an answer no longer', () => {
      if (!isHeard && tries < RESULT_TRIES) this.#tell(challenge, hasPassed, tries + 1);
    });
  }

  /** Where authentication is required, a card is charged only with a proof that was given for this very order. */
  breachOf(instruction: Instruction): string | undefined {
    const [orderId = 0, seq = 0, ...more] = instruction.reference.split('-').map(Number);
    // Behind them a second leg has its number, and every reference the time of its order.
    const isLaterLeg = more.length > 1;
    const order = this.#around.orderOf(orderId);
    const isAsked = order?.operation === 'sale' || order?.operation === 'preauth';
    if (!isAsked || order.endpointId !== MERCHANTS[AUTHENTICATED].endpointId) return undefined;
    if (isLaterLeg || order.transactions[seq - 1]?.originalSeq !== undefined) return undefined;
    const cavv = 'authentication' in instruction ? instruction.authentication?.cavv?.reveal() : undefined;
    if (cavv !== undefined && this.#proofs.get(cavv) === orderId) return undefined;
    return `${instruction.reference} was sent without its payer's authentication`;
  }
}

function rangesTo({ messageVersion, threeDSServerTransID }: PReq): PRes {
  return {
    messageType: 'PRes',
    messageVersion,
    threeDSServerTransID,
    dsTransID: randomUUID(),
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
    serialNum: '1',
    cardRangeData: [{ ...ALL_CARDS, ...VERSIONS }],
  };
}
