// Deliberately broken gateways: each protection is switched off in turn, and the simulation must notice within a
// bounded number of histories. What it does not notice, it does not guard.

import { describe, expect, it } from 'vitest';
import { simulateWithout, type Variant } from './broken-variant.ts';
import type { Plan } from './plan.ts';
import regressions from './regressions.json' with { type: 'json' };

const SEED = 1;
const MOST_HISTORIES = 6_000;
const LIMIT_MS = 5 * 60_000;

/**
 * A history that notices soon is named where it would be long in coming from the first seed on; the search goes on from
 * there.
 */
const variants: readonly (Variant & { readonly seed?: number })[] = [
  {
    without: 'the look at the lease before sending',
    seed: 355,
    file: 'src/processing/orders/work.ts',
    text: 'if (!terminal || !instruction || clock.now() >= (transaction.dueAt ?? 0)) return;',
    instead: 'if (!terminal || !instruction) return;',
  },
  {
    without: 'hearing from an asker who lost the transaction only what the bank has',
    seed: 5387,
    file: 'src/domain/order/decide.ts',
    text: 'return command.leaseUntil !== undefined && command.leaseUntil !== dueAt;',
    instead: 'return false;',
  },
  {
    without: 'stopping when somebody else moved the order',
    file: 'src/processing/orders/work.ts',
    text: 'if (!moved) return;',
    instead: '',
  },
  {
    without: 'letting only the last of those who move a transaction together go on with it',
    file: 'src/processing/orders/decide-together.ts',
    text: 'verdicts: verdicts.map(movedLast) };',
    instead: 'verdicts };',
  },
  {
    without: 'stopping when somebody else took over what was written down late',
    seed: 4983,
    file: 'src/processing/orders/work.ts',
    text: 'return dueAt === leasedAt + this.#parts.leaseMs;',
    instead: 'return true;',
  },
  {
    without: 'telling the next try of an order from what others asked of it',
    file: 'src/processing/orders/work.ts',
    text: 'if (transaction.originalSeq === undefined && !isPassedOn) await this.#sendNext(after, seq, materials);',
    instead: `const next = after.transactions[order.transactions.length];
    if (next?.stage === 'sending') await this.#send(after, next.seq, materials);`,
  },
  {
    without: 'the inquiry before sending again',
    file: 'src/processing/orders/work.ts',
    text: "case 'send':\n",
    instead: `case 'send': {
        const materials = await this.#parts.materials.open(order, due.seq);
        if (materials) await this.#send(order, due.seq, materials);
        return;
      }\n`,
  },
  {
    without: 'the cap on follow-ups',
    seed: 15,
    file: 'src/domain/order/follow-up.ts',
    text: 'wanted.amount > 0n && wanted.amount <= cap',
    instead: 'wanted.amount > 0n',
  },
  {
    without: 'counting what is under way against the cap',
    seed: 54,
    file: 'src/domain/order/follow-up.ts',
    text: 'types.includes(type) && !isFinal(stage)',
    instead: 'types.includes(type) && false',
  },
  {
    without: 'the memory of controls',
    file: 'src/processing/requests/control-readings.ts',
    text: 'return known.equals(reading);',
    instead: 'return true;',
  },
  {
    without: 'the memory of controls that all nodes share',
    seed: 33,
    file: 'src/processing/requests/control-readings.ts',
    text: '(readings) => memory.remember(readings)',
    instead: 'async (readings) => (await memory.remember(readings), readings.map(({ reading }) => reading))',
  },
  {
    without: 'the memory of nonces',
    file: 'src/processing/requests/nonces.ts',
    text: '(nonces) => store.take(nonces)',
    instead: 'async (nonces) => (await store.take(nonces)).map(() => true)',
  },
  {
    without: 'the version check of a group commit',
    file: 'test/simulation/memory-orders.ts',
    text: 'return this.orders.get(before.orderId)?.version === before.version;',
    instead: 'return this.orders.has(before.orderId);',
  },
  {
    without: 'finding out that a repeated follow-up was written already',
    file: 'src/domain/order/decide.ts',
    text: 'if (order.transactions.some((one) => one.requestSerial === command.requestSerial)) return [];',
    instead: '',
  },
  {
    without: 'the doubt after silence',
    file: 'src/domain/order/transitions.ts',
    text: "'no-answer': 'asking',\n    'not-found': 'sending',\n    'not-found-for-good': 'undoing',\n    'tries-used-up': 'undoing',\n    unsent",
    instead:
      "'no-answer': 'declined',\n    'not-found': 'sending',\n    'not-found-for-good': 'undoing',\n    'tries-used-up': 'undoing',\n    unsent",
  },
  {
    without: 'waiting for a certain answer before another bank is asked',
    file: 'src/domain/order/decide.ts',
    text: "case 'unknown':\n      return triesUsedUp",
    instead:
      "case 'unknown':\n      if (command.type === 'sent' && nextTerminal(order, transaction) !== undefined) return 'unsent';\n      return triesUsedUp",
  },
  {
    without: 'taking an order back before another bank is asked',
    seed: 192,
    file: 'src/domain/order/decide.ts',
    text: "if (nextTerminal(order, transaction) !== undefined) return 'not-found-for-good';",
    instead: "if (nextTerminal(order, transaction) !== undefined) return 'unsent';",
  },
  {
    without: 'the balance that covers a payout',
    file: 'test/simulation/memory-orders.ts',
    text: 'return spent > available ? { available } : undefined;',
    instead: 'return undefined;',
  },
  {
    without: 'callbacks that are told until they are taken',
    seed: 16,
    file: 'src/notifications/deliveries.ts',
    text: 'const isTaken = called.status === TAKEN;',
    instead: 'const isTaken = true;',
  },
  {
    without: 'the limits of an endpoint',
    file: 'src/processing/orders/accept-order.ts',
    text: 'const limits = isCounted ? parts.screening.limitsOn(record, rules, request) : [];',
    instead: 'const limits: never[] = [];',
  },
  {
    without: 'the mark an order leaves for the next to be counted',
    file: 'test/simulation/memory-orders.ts',
    text: "if (purposeOf(order).stage !== 'filtered') this.marks.add(order, at, limits);",
    instead: '',
  },
  {
    without: 'counting and writing a screened order in one transaction',
    seed: 3103,
    file: 'test/simulation/storage-line.ts',
    text: "commitAlone: (conditional) => write('commit alone', () => orders.commitAlone(conditional)),",
    instead: `commitAlone: async (conditional) => {
        const { order, at, limits } = conditional;
        const counted = await read('tally', () => orders.marks.count({ ...order, at }, limits));
        const decide = () => conditional.decide(counted);
        return write('commit alone', () => orders.commitAlone({ ...conditional, decide }));
      },`,
  },
  {
    without: 'keeping the marks of limits for orders that are written late',
    seed: 130,
    file: 'src/processing/screening/screening.ts',
    text: 'keptMs: LATEST_MS,',
    instead: 'keptMs: 0,',
  },
  {
    without: 'going on with an order as it was written, filtered or not',
    file: 'src/processing/orders/conditional-writes.ts',
    text: "return 'written' in outcome ? { started: true, order: outcome.written } : outcome;",
    instead: "return 'written' in outcome ? { started: true, order: record.order } : outcome;",
  },
  {
    without: 'the version check of a card that is entered on a form',
    seed: 294,
    file: 'test/simulation/memory-orders.ts',
    text: ": !this.#isCurrent(write.change)) return 'conflict';",
    instead: ": !write.card && !this.#isCurrent(write.change)) return 'conflict';",
  },
  {
    without: 'telling for which try of a form a card was entered',
    seed: 39,
    file: 'src/domain/order/decide.ts',
    text: 'if (seq !== transaction.seq || moment.now >= payableUntil(order)) return [];',
    instead: 'if (moment.now >= payableUntil(order)) return [];',
  },
  {
    without: 'the end of a form',
    seed: 1423,
    file: 'src/domain/order/decide.ts',
    text: 'if (seq !== transaction.seq || moment.now >= payableUntil(order)) return [];',
    instead: 'if (seq !== transaction.seq) return [];',
  },
  {
    without: 'the lock after the last card',
    seed: 439,
    file: 'src/domain/order/hosted-form.ts',
    text: "return order.form === 'pays' && failedCards(order) + 1 < triesOf(order) && now < payableUntil(order);",
    instead: "return order.form === 'pays' && now < payableUntil(order);",
  },
  {
    without: 'letting a payer leave a form only while it asks for a card',
    seed: 4833,
    file: 'src/domain/order/transitions.ts',
    text: "sending: {\n    approved: 'approved',",
    instead: "sending: {\n    'given-up': 'given-up',\n    approved: 'approved',",
  },
  {
    without: 'looking after forms nobody comes to',
    file: 'src/processing/orders/work.ts',
    text: "await this.#parts.door.change(order, { type: 'waiting-ended' });",
    instead: '',
  },
  {
    without: 'forgetting the security code when a card was answered',
    file: 'test/simulation/memory-orders.ts',
    text: 'if (isFinal(transaction.stage) || transaction.leg > 1) this.#cvvs',
    instead: 'if (transaction.leg > 1) this.#cvvs',
  },
  {
    without: 'the look whether an endpoint requires 3-D Secure',
    seed: 61,
    file: 'src/processing/orders/order-record.ts',
    text: 'needsAuthentication: needsAuthentication(endpoint, request.operation, request.card),',
    instead: 'needsAuthentication: false,',
  },
  {
    without: 'the same look for a card that is entered on a form',
    seed: 115,
    file: 'src/processing/checkout/form-cards.ts',
    text: 'needsAuthentication: authenticates,',
    instead: 'needsAuthentication: authenticates && false,',
  },
  {
    without: "the issuer's proof in what is sent",
    seed: 74,
    file: 'src/processing/orders/materials.ts',
    text: 'authentication: stored.card && (await this.#authentication(order, seq, stored.card)),',
    instead: 'authentication: undefined,',
  },
  {
    without: 'the gate for payers nobody could authenticate',
    seed: 61,
    file: 'src/domain/three-d-secure/authentication.ts',
    text: "const passes = unauthenticated === 'by-gate' ? threeDSecure !== 'required' : unauthenticated === 'pass';",
    instead: 'const passes = true;',
  },
  {
    without: 'doubt about what a browser brings from a challenge',
    seed: 74,
    file: 'src/threeds/flow.ts',
    text: 'return browserSaid && { to: { ...step, browserSaid } };',
    instead: "return over(step, event.said === 'Y' ? 'Y' : 'N', { reason: undefined });",
  },
  {
    without: 'the version check of an authentication',
    seed: 976,
    file: 'test/simulation/memory-authentications.ts',
    text: 'if (row?.version !== record.version - 1) return false;',
    instead: 'if (!row) return false;',
  },
  {
    without: 'ending an authentication nobody completes',
    seed: 92,
    file: 'src/processing/three-d-secure/authentications.ts',
    text: 'handle: (record) => this.#continue(record),',
    instead: 'handle: async () => {},',
  },
];

describe('the simulation notices a gateway', { timeout: LIMIT_MS }, () => {
  it.each(variants)('without $without', async (variant) => {
    const { seed = SEED } = variant;
    const first = seed === SEED ? (regressions as unknown as Plan[]) : [];
    const wanted = { first, seed, histories: MOST_HISTORIES, isShrunk: false };
    const { totals, failure } = await simulateWithout(variant, wanted);
    expect(failure, `${totals.histories} histories and nothing noticed`).toBeDefined();
    process.stdout.write(
      `without ${variant.without}: ${totals.histories} histories, seed ${failure?.seed}: ${failure?.outcome.breaches[0]}\n`,
    );
  });
});
