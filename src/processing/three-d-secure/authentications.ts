// Carries out authentications. Each step is written down before anything follows from it, over the version it was
// decided on; a node that loses that race or its lease does nothing more. Asking for a version or an enrolment may be
// repeated. The request to the issuer is sent once under one transaction id; when the node that sent it died, it is
// sent once more under a new one.

import { randomUUID } from 'node:crypto';
import { SECURITY_CODE_LOST } from '../../domain/acquirer/action-codes.ts';
import { brandOf } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import { nameInShard, shardOf } from '../../domain/merchant/shard.ts';
import { authenticableUntil, type Command } from '../../domain/order/decide.ts';
import { type Order, transactionOf } from '../../domain/order/order.ts';
import {
  AUTHENTICATION_UNAVAILABLE,
  type AuthenticationVerdict,
  judgeAuthentication,
} from '../../domain/three-d-secure/authentication.ts';
import type {
  AuthenticationLine,
  AuthenticationOutcome,
  AuthenticationRecord,
} from '../../domain/three-d-secure/authentication-record.ts';
import type { AuthenticationStore } from '../../storage/authentications.ts';
import type { OrderStore } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { type FlowEvent, isWork, type NotTakenReason, next } from '../../threeds/flow.ts';
import { proofPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PayerLinks } from '../checkout/payer-links.ts';
import { DueWork } from '../node/due-work.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import { againOnConflict } from '../orders/conflicts.ts';
import type { Door } from '../orders/door.ts';
import type { Materials } from '../orders/instruction.ts';
import type { MaterialsStore } from '../orders/materials.ts';
import type { Work } from '../orders/work.ts';
import { askEnrolment, askIssuer, askRange, type Heard } from './ask-networks.ts';
import type { CardNetworks } from './card-networks.ts';
import { toldWithOrder } from './payer-step.ts';
import type { AskedOrder } from './requests.ts';

const CLAIM_LIMIT = 100;
const POLL_MS = 500;

/** No more are claimed while this process works on that many authentications. */
const MAX_IN_FLIGHT = 20_000;

/** When an accepted payment whose authentication did not begin is taken over, and how often to look for those. */
const UNBEGUN_MS = 10_000;
const LOOK_FOR_UNBEGUN_MS = 5_000;

/** Security codes that choose in the sandbox: no authentication, or a challenge. */
const SANDBOX_CVV = { without: '111', challenge: '321' } as const;

export type AuthenticationParts = {
  readonly store: AuthenticationStore;
  readonly orders: OrderStore;
  readonly clock: Clock;
  readonly configuration: LiveConfiguration;
  readonly door: Door;
  readonly leaseMs: number;
  readonly links: PayerLinks;
  readonly log: Log;
  readonly materials: MaterialsStore;
  readonly networks: CardNetworks;
  readonly vault: Vault;
  readonly work: Work;
  readonly baseUrl: () => string;
  readonly asReached: (url: string) => string;
};

/** The authentication as it stands after an event, and why the event was not taken, if so. */
export type Learned = { readonly record: AuthenticationRecord; readonly unfit: NotTakenReason | undefined };

export class Authentications {
  readonly parts: AuthenticationParts;
  readonly due: DueWork<AuthenticationRecord>;

  constructor(parts: AuthenticationParts) {
    this.parts = parts;
    const { clock, log } = parts;
    this.due = new DueWork({
      ...{ name: 'authentications', one: 'an authentication', clock, log },
      ...{ everyMs: POLL_MS, lot: CLAIM_LIMIT, most: MAX_IN_FLIGHT },
      claim: (limit) => this.#claim(limit),
      handle: (record) => this.#continue(record),
      about: ({ orderId }) => ({ orderId }),
      chore: { everyMs: LOOK_FOR_UNBEGUN_MS, do: () => this.#beginForgotten() },
    });
  }

  /** Begins the authentication of a transaction this process has just written down. */
  begin(order: Order, seq: number, materials?: Materials): void {
    void this.due.track(this.#begin(order, seq, materials), { orderId: order.orderId });
  }

  /** Takes an event from outside; `line` is what the timeline keeps of it. */
  async learn(record: AuthenticationRecord, event: FlowEvent, line?: AuthenticationLine): Promise<Learned> {
    let before: AuthenticationRecord | undefined = record;
    return againOnConflict(`The authentication of order ${record.orderId}`, async () => {
      const taken = before ? await this.#take(before, { event, lines: line ? [line] : [] }) : 'conflict';
      if (taken === 'conflict') before = await this.parts.store.find(record);
      return taken;
    });
  }

  /** Does all steps that are ours; resolves when somebody else must act, or the authentication is over. */
  proceed(record: AuthenticationRecord): Promise<AuthenticationRecord> {
    const { orderId } = record;
    return this.due.track(this.#advance(record), { orderId }).then((after) => after ?? record);
  }

  async #begin(order: Order, seq: number, materials: Materials | undefined): Promise<void> {
    const { clock, leaseMs, store } = this.parts;
    const now = clock.now();
    const { merchantId, orderId } = order;
    const record: AuthenticationRecord = {
      ...{ merchantId, orderId, seq, version: 1, step: { name: 'looking-up' }, taken: {} },
      until: authenticableUntil(transactionOf(order, seq)),
      dueAt: now + leaseMs,
      startedAt: now,
    };
    if (await store.begin({ record, isLeased: true, lines: [], at: now })) await this.#advance(record, materials);
  }

  /** Begins authentications whose node died before it could. */
  async #beginForgotten(): Promise<void> {
    const { clock, orders, store } = this.parts;
    const keys = await store.findUnbegun(clock.now() - UNBEGUN_MS, CLAIM_LIMIT);
    const found = await orders.load(keys);
    for (const { orderId, seq } of keys) {
      const order = found.get(orderId);
      if (order) this.begin(order, seq);
    }
  }

  #claim(limit: number): Promise<AuthenticationRecord[]> {
    const { clock, leaseMs, store } = this.parts;
    const now = clock.now();
    return store.claimDue({ now, leaseUntil: now + leaseMs, limit });
  }

  async #continue(record: AuthenticationRecord): Promise<AuthenticationRecord> {
    // The node that had this before may have sent the request already.
    if (record.step.name === 'requesting') {
      const transactionId = nameInShard(shardOf(record.merchantId), randomUUID());
      return this.#advanceAfter(record, { type: 'taken-over', transactionId });
    }
    return isWork(record.step) ? this.#advance(record) : this.#advanceAfter(record, { type: 'due' });
  }

  async #advanceAfter(record: AuthenticationRecord, event: FlowEvent): Promise<AuthenticationRecord> {
    const taken = await this.#take(record, { event, lines: [] });
    return taken === 'conflict' ? record : this.#advance(taken.record);
  }

  async #advance(record: AuthenticationRecord, opened?: Materials): Promise<AuthenticationRecord> {
    let current = record;
    while (isWork(current.step)) {
      const heard = await this.#do(current, opened);
      const taken = await this.#take(current, heard);
      // Another node goes on with it.
      if (taken === 'conflict' || taken.record === current) return current;
      current = taken.record;
    }
    return current;
  }

  async #take(record: AuthenticationRecord, { event, lines }: Heard): Promise<Learned | 'conflict'> {
    const { clock, leaseMs, store, vault } = this.parts;
    const now = clock.now();
    const change = next(record, event, { now, leaseMs });
    if (change === undefined || typeof change === 'string') return { record, unfit: change };
    const { record: after, proof } = change;
    if (proof && vault.isStale) await vault.freshen();
    const sealed = proof && vault.seal(proof, proofPlace(record));
    const isSaved = await store.save({ record: after, isLeased: isWork(after.step), lines, proof: sealed, at: now });
    return isSaved ? { record: after, unfit: undefined } : 'conflict';
  }

  /** The work of one step, and what was learned by it. */
  async #do(record: AuthenticationRecord, opened: Materials | undefined): Promise<Heard> {
    const { step } = record;
    if (step.name === 'over') return this.#tell(record, step.outcome);
    const { networks } = this.parts;
    const asked = await this.#asked(record, opened);
    if (typeof asked === 'string') return { event: { type: 'unavailable', reason: asked }, lines: [] };
    if (step.name === 'looking-up' && isWithout(asked)) return { event: { type: 'left-out' }, lines: [] };
    const line = networks.lineFor(brandOf(asked.card.number.reveal()));
    if (!line) return { event: { type: 'unavailable', reason: 'no directory server is set' }, lines: [] };
    if (step.name === 'requesting') return askIssuer(line, step, asked);
    if (step.name === 'enrolling') return askEnrolment(line.server, asked);
    return askRange(line.ranges, asked, toldWithOrder(asked, this.parts));
  }

  /** Everything a request is made of, or why it cannot be made. */
  async #asked({ merchantId, orderId, seq }: AuthenticationRecord, opened?: Materials): Promise<AskedOrder | string> {
    const { baseUrl, clock, configuration, materials, orders } = this.parts;
    const view = await orders.findOrderView({ merchantId, orderId, clientOrderId: undefined });
    const endpoint = view && configuration.endpoint(view.order.endpointId);
    const merchant = configuration.byId(merchantId);
    if (!view || !endpoint || !merchant) return 'the end point is gone';
    const { order, details } = view;
    const { card } = opened ?? (await materials.open(order, seq)) ?? {};
    if (!card) return 'the security code is no longer at hand';
    const transaction = transactionOf(order, seq);
    const wantsChallenge = endpoint.sandbox && card.cvv?.reveal() === SANDBOX_CVV.challenge;
    return {
      ...{ order, transaction, details, endpoint, merchant, card, wantsChallenge },
      baseUrl: baseUrl(),
      now: clock.now(),
    };
  }

  /** Tells the order how the authentication ended; if the order may go on, the acquirer is asked at once. */
  async #tell(
    { merchantId, orderId, seq, dueAt }: AuthenticationRecord,
    outcome: AuthenticationOutcome,
  ): Promise<Heard> {
    const { clock, door, materials, orders, work } = this.parts;
    const told: Heard = { event: { type: 'told' }, lines: [] };
    const order = (await orders.load([{ merchantId, orderId }])).get(orderId);
    if (!order || transactionOf(order, seq).stage !== 'authenticating') return told;
    const opened = await materials.open(order, seq);
    const command = this.#commandOf(order, seq, outcome);
    const { order: after, moved } = await door.change(order, opened ? command : withoutCode(command));
    // After the lease another node may work on it, and will ask the acquirer first.
    if (!moved || transactionOf(after, seq).stage !== 'sending' || clock.now() >= (dueAt ?? 0)) return told;
    if (opened) work.proceed(after, seq, opened);
    return told;
  }

  #commandOf(order: Order, seq: number, outcome: AuthenticationOutcome): Command {
    if (outcome.isOutOfTime) return { type: 'authentication-ended', seq };
    const verdict = this.#verdictOn(order, outcome);
    if (verdict.word === 'pass') return { type: 'authenticated', seq };
    const reason = `3-D Secure: ${[outcome.status, outcome.reason].filter(Boolean).join(' ')}`;
    return { type: 'authentication-refused', seq, code: verdict.code, reason };
  }

  #verdictOn({ endpointId }: Order, { status, isCancelled, isLeftOut }: AuthenticationOutcome): AuthenticationVerdict {
    if (isLeftOut) return { word: 'pass', liabilityShift: false };
    const endpoint = this.parts.configuration.endpoint(endpointId) ?? {
      threeDSecure: 'required',
      unauthenticated: 'by-gate',
    };
    return judgeAuthentication(endpoint, { status, cancelled: isCancelled });
  }
}

function isWithout({ endpoint, card }: AskedOrder): boolean {
  return endpoint.sandbox && card.cvv?.reveal() === SANDBOX_CVV.without;
}

/** A payer who may pay cannot: the security code is lost, and the bank must not be asked without it. */
function withoutCode(command: Command): Command {
  const mayPay = command.type === 'authenticated';
  const isUnasked = command.type === 'authentication-refused' && command.code === AUTHENTICATION_UNAVAILABLE;
  if (!mayPay && !isUnasked) return command;
  const { seq } = command;
  return { type: 'authentication-refused', seq, code: SECURITY_CODE_LOST, reason: 'the security code is lost' };
}
