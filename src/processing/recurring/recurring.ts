// The schedules of recurring payments, kept by all nodes together: the node that claims a due payment looks at its last
// order and does what the rules say. Every try has an order id that is written down before the charge, so that after a
// crash another node finds the order instead of making a second one.

import { Refusal } from '../../domain/errors.ts';
import type { Order } from '../../domain/order/order.ts';
import { isFinal } from '../../domain/order/stages.ts';
import {
  amountOfCharge,
  CHECK_PAUSE_MS,
  type ChargeProgress,
  nextStep,
  type OrderNews,
  type Plan,
  type RecurringPayment,
  scheduledOrderId,
} from '../../domain/recurring/recurring.ts';
import type { Charges, RecurringProfile, RecurringStore } from '../../storage/recurring.ts';
import type { ExistingOrder, StoredCard } from '../../storage/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { DueWork } from '../node/due-work.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import { type AcceptParts, acceptOrder } from '../orders/accept-order.ts';
import { type Caller, OWN_REQUEST } from '../requests/caller.ts';
import { orderOf, STARTING_MS } from './recurring-payments.ts';

/** Due profiles claimed at once and looked after at a time, and the pause between two looks. */
const CLAIM_LIMIT = 50;
const POLL_MS = 1_000;

/** How long a charge waits when the endpoint's or merchant's settings do not allow it at present. */
const REFUSED_PAUSE_MS = 60 * 60 * 1000;

export type RecurringWorkParts = AcceptParts & { readonly recurring: RecurringStore };

export class RecurringWork {
  readonly #parts: RecurringWorkParts;
  readonly #log: Log;
  readonly due: DueWork<RecurringProfile>;

  constructor(parts: RecurringWorkParts, log: Log) {
    this.#parts = parts;
    this.#log = log;
    this.due = new DueWork({
      ...{ name: 'recurring payments', one: 'a recurring payment', clock: parts.clock, log },
      ...{ everyMs: POLL_MS, lot: CLAIM_LIMIT, most: CLAIM_LIMIT },
      claim: (limit) => this.#claim(limit),
      handle: (profile) => this.#lookAfter(profile),
      about: () => ({}),
    });
  }

  #claim(limit: number): Promise<RecurringProfile[]> {
    const { clock, recurring } = this.#parts;
    const now = clock.now();
    return recurring.claimDue({ now, leaseUntil: now + STARTING_MS, limit });
  }

  async #lookAfter(profile: RecurringProfile): Promise<void> {
    const { clock, recurring } = this.#parts;
    // The order is read before the charges, so that an order approved in between is counted as paid.
    const existing = await this.#orderOf(profile);
    const charges = await recurring.charges(profile);
    const news = newsOf(existing?.order, charges);
    const step = nextStep(planOf(profile, charges), profile.progress, news, clock.now());
    const { progress } = step;
    switch (step.do) {
      case 'charge':
        return this.#charge(profile, progress, charges);
      case 'wait':
        return this.#save({ ...profile, progress, nextRunAt: step.until });
      case 'finish':
        return this.#save({ ...profile, progress, state: 'finished', nextRunAt: undefined });
      case 'suspend':
        return this.#suspend({ ...profile, progress }, step.because);
    }
  }

  async #orderOf({ merchantId, recurringPaymentId, progress }: RecurringProfile): Promise<ExistingOrder | undefined> {
    const clientOrderId = scheduledOrderId(recurringPaymentId, progress);
    const query = { merchantId, clientOrderId, control: undefined, idempotencyKey: undefined };
    return (await this.#parts.store.findExisting(query))[0];
  }

  async #charge(before: RecurringProfile, progress: ChargeProgress, { approved }: Charges): Promise<void> {
    const { clock, recurring } = this.#parts;
    const { card, currency } = before;
    const minor = amountOfCharge(before, undefined, approved);
    if (!card) return this.#suspend({ ...before, progress }, 'its card was deleted');
    if (minor instanceof Refusal) return this.#suspend({ ...before, progress }, minor.faults[0].message);
    // The number of the try is written down first: the same try then has the same id whenever it is repeated.
    if (!(await recurring.advance({ ...before, progress }, clock.now()))) return;
    const profile = { ...before, progress, version: before.version + 1 };
    const caller = this.#callerFor(profile);
    if (!caller) return this.#waitForPermission(profile, 'the merchant or its endpoint is disabled');
    const clientOrderId = scheduledOrderId(profile.recurringPaymentId, progress);
    const order = { clientOrderId, amount: { minor, currency }, details: profile.details, scheduled: true } as const;
    const result = await acceptOrder(this.#parts, { ...order, ...orderOf(profile.direction, card) }, caller);
    if (result instanceof Refusal) return this.#refused(profile, { card, minor }, result);
    await this.#save({ ...profile, nextRunAt: clock.now() + CHECK_PAUSE_MS });
  }

  #callerFor({ merchantId, endpointId, recurringPaymentId, progress }: RecurringPayment): Caller | undefined {
    const { clock, configuration } = this.#parts;
    const merchant = configuration.byId(merchantId);
    const endpoint = configuration.endpoint(endpointId);
    if (!merchant?.enabled || !endpoint) return undefined;
    return {
      merchant,
      endpoint,
      serialNumber: newSerialNumber(clock.now()),
      ...OWN_REQUEST,
      said: ['recurring', scheduledOrderId(recurringPaymentId, progress)],
    };
  }

  async #refused(
    profile: RecurringProfile,
    { card, minor }: { card: StoredCard; minor: bigint },
    { faults: [{ error, message }] }: Refusal,
  ): Promise<void> {
    const { clock, limits } = this.#parts;
    const { merchantId, currency } = profile;
    switch (error) {
      case 'unavailable':
        return this.#save({ ...profile, nextRunAt: clock.now() + CHECK_PAUSE_MS });
      case 'retries-used-up': {
        const forbidden = await limits.forbids({ merchantId, card, currency, amounts: [minor] });
        if (forbidden && forbidden.until === undefined) return this.#suspend(profile, message);
        return this.#save({ ...profile, nextRunAt: forbidden?.until ?? clock.now() + CHECK_PAUSE_MS });
      }
      case 'client-order-id-used':
      case 'card-not-accepted':
        return this.#suspend(profile, message);
      default:
        return this.#waitForPermission(profile, message);
    }
  }

  /** Until an operator allows it the charge is tried every hour; of missed days only the last is charged. */
  #waitForPermission(profile: RecurringProfile, detail: string): Promise<void> {
    this.#log.warn('a recurring payment cannot be charged', { merchantId: profile.merchantId, detail });
    return this.#save({ ...profile, nextRunAt: this.#parts.clock.now() + REFUSED_PAUSE_MS });
  }

  #suspend(profile: RecurringProfile, note: string): Promise<void> {
    return this.#save({ ...profile, state: 'suspended', note, nextRunAt: undefined });
  }

  /** A payment that an operator or another node changed meanwhile is left as they saved it. */
  async #save(payment: RecurringPayment): Promise<void> {
    await this.#parts.recurring.save(payment, this.#parts.clock.now());
  }
}

/** What became of the order that was made for this occurrence and try. */
function newsOf(order: Order | undefined, { isOpen }: Charges): OrderNews {
  // This try has no order yet, but another order of the recurring payment may not have ended.
  if (!order) return { order: isOpen ? 'open' : 'none' };
  const last = order.transactions.findLast(({ originalSeq }) => originalSeq === undefined);
  if (!last || !isFinal(last.stage)) return { order: 'open' };
  if (last.stage === 'approved') return { order: 'approved' };
  const code = last.answer?.word === 'declined' ? last.answer.code : undefined;
  return { order: 'failed', at: last.changedAt, code };
}

function planOf({ recurringPaymentId, schedule, endsAt, amounts }: RecurringPayment, { approved }: Charges): Plan {
  if (!schedule) throw new Error(`Recurring payment ${recurringPaymentId} is due without a schedule`);
  return {
    schedule,
    endsAt,
    chargesLeft: amounts.kind === 'sequence' ? Math.max(0, amounts.minors.length - approved) : undefined,
  };
}
