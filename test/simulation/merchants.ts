// Merchants: they ask, wait for an answer for a while, and ask again where that is safe. What they were told they
// remember, and so they can tell when the gateway breaks its word.

import { Refusal } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { CallbackClient, Called } from '../../src/notifications/client.ts';
import type { OpenedForm } from '../../src/processing/checkout/open-form.ts';
import { PayerLinks } from '../../src/processing/checkout/payer-links.ts';
import { payerToken } from '../../src/processing/checkout/payer-pages.ts';
import type { Accepted } from '../../src/processing/orders/order-request.ts';
import type { Caller } from '../../src/processing/requests/caller.ts';
import { CURRENCY, MERCHANTS } from './house.ts';
import type { Doors, Node, World } from './node.ts';
import { Payers } from './payers.ts';
import type { Operation, Payer } from './plan.ts';
import type { Process } from './scheduler.ts';

const MAX_TRIES = 5;
const CALLBACK_LIMIT_MS = 12_000;

const PAYER = { number: new Secret('4111111111111111'), expireMonth: 12, expireYear: 2031, holder: 'Ann Example' };
/** What a payer is told from others by, where it is counted. */
const NUMBERS = [PAYER.number, new Secret('5555555555554444')] as const;
const ADDRESSES = ['198.51.100.7', '203.0.113.7'] as const;
const PAYEE = { number: new Secret('5555555555554444') };
/** It cannot receive money. */
const PREPAID = { number: new Secret('5105105105105100') };

const BROWSER = {
  ...{ browserAcceptHeader: '*/*', browserUserAgent: 'Simulated', browserLanguage: 'en', browserTimeZone: '0' },
  ...{ browserJavascriptEnabled: 'true', browserJavaEnabled: 'false', browserColorDepth: '24' },
  ...{ browserScreenHeight: '900', browserScreenWidth: '1400' },
};

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;
type Request = (doors: Doors, caller: Caller) => Promise<unknown>;

type Surroundings = Pick<World, 'scheduler' | 'disturbances' | 'configuration' | 'vault' | 'networks'>;

/** What a merchant may rely on. */
export type Promised = { readonly operation: Operation; readonly orderId: number; readonly serialNumber: string };

export class Merchants {
  readonly promises: Promised[] = [];
  readonly complaints: string[] = [];
  readonly payers: Payers;
  /** Ids of callbacks that arrived, with the status each told. */
  readonly heard = new Map<string, Set<string>>();
  readonly #world: Surroundings;
  readonly #nodes: readonly Node[];
  readonly #operations: ReadonlyMap<number, Operation>;
  readonly #readings = new Map<string, string>();
  readonly #nonces = new Set<string>();
  readonly #links: PayerLinks;
  #serials = 0;

  constructor(world: Surroundings, nodes: readonly Node[], operations: readonly Operation[]) {
    this.#world = world;
    this.#nodes = nodes;
    this.payers = new Payers(world, nodes);
    this.#links = new PayerLinks(world.vault);
    this.#operations = new Map(operations.map((one) => [one.id, one]));
  }

  begin(): void {
    for (const operation of this.#operations.values()) {
      const name = `merchant: ${operation.kind} ${operation.id}`;
      this.#world.scheduler.after(operation.at, undefined, name, () => this.#ask(operation, 1));
    }
  }

  orderOf(id: number): number | undefined {
    return this.promises.find(({ operation }) => operation.id === id)?.orderId;
  }

  #ask(operation: Operation, tries: number): void {
    const asked = this.#requestOf(operation);
    if (!asked) return;
    const { scheduler } = this.#world;
    const { request, caller, isRepeatable } = asked;
    const node = this.#nodes[scheduler.between(0, this.#nodes.length - 1)] as Node;
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      if (isRepeatable && tries < MAX_TRIES) this.#ask(operation, tries + 1);
    };
    scheduler.after(scheduler.between(1_000, 70_000), undefined, `merchant waits no longer for ${operation.id}`, again);
    if (!node.isUp) return;
    scheduler.after(scheduler.between(1, 30), node.process, `takes ${operation.kind} ${operation.id}`, () => {
      request(node.doors as Doors, caller).then(
        (answer) =>
          scheduler.after(scheduler.between(1, 30), undefined, `merchant hears of ${operation.id}`, () => {
            // An answer that comes after the merchant gave up is a promise all the same.
            isOver = true;
            this.#hear(operation, caller, answer);
          }),
        (error) => scheduler.say(`${node.process.name} fails ${operation.id}: ${error.message}`),
      );
    });
  }

  #requestOf(operation: Operation): { request: Request; caller: Caller; isRepeatable: boolean } | undefined {
    const target = 'of' in operation ? this.#operations.get(operation.of) : undefined;
    if (operation.kind === 'repeat') return target && this.#requestOf(target);
    const orderId = target && this.orderOf(target.id);
    if ('of' in operation && orderId === undefined) return undefined;
    const merchant =
      'merchant' in operation ? operation.merchant : target && 'merchant' in target ? target.merchant : 0;
    const caller = this.#callerOf(operation, merchant);
    const orderName = clientOrderId(target?.id ?? operation.id);
    const isKeyed = !('keyed' in operation) || operation.keyed;
    const isFollowUp = 'percent' in operation;
    const request = requestOf(operation, { clientOrderId: orderName, orderId: orderId ?? 0, target });
    return { request, caller, isRepeatable: !isFollowUp || isKeyed };
  }

  #callerOf(operation: Operation, index: number): Caller {
    const { merchantId, endpointId } = MERCHANTS[index] as (typeof MERCHANTS)[number];
    const { configuration } = this.#world;
    const merchant = configuration.byId(merchantId);
    if (!merchant) throw new Error(`There is no merchant ${merchantId}`);
    const { at: _, ...said } = operation;
    const text = JSON.stringify(said);
    const control = 'control' in operation ? operation.control : undefined;
    const reading = Buffer.from(operation.kind === 'status' ? `status of ${operation.of}` : text);
    return {
      merchant,
      endpoint: configuration.endpoint(endpointId),
      serialNumber: serialOf(++this.#serials),
      notation: 'major',
      address: undefined,
      signed: true,
      strict: undefined,
      control:
        control === undefined
          ? undefined
          : { digest: Buffer.from(`${operation.kind === 'status'} ${control}`), reading },
      idempotencyKey: 'keyed' in operation && operation.keyed ? `key-${operation.id}` : undefined,
      // No two returns here have the same bytes.
      isKeyOfBody: false,
      said: [text],
    };
  }

  #hear(operation: Operation, caller: Caller, answer: unknown): void {
    if (answer instanceof Refusal) {
      this.#world.scheduler.say(`refused ${operation.id}: ${answer.faults[0].error}`);
    } else if (operation.kind === 'nonce') {
      this.#hearNonce(operation, answer as boolean);
    } else if (operation.kind === 'status') {
      this.#hearReading(caller);
    } else if (operation.kind !== 'recurring') {
      const { order, serialNumber } = answer as Accepted;
      const original = this.#original(operation);
      const isFirst = this.orderOf(original.id) === undefined;
      this.promises.push({ operation: original, orderId: order.orderId, serialNumber });
      if (original.kind === 'form') this.payers.send((answer as OpenedForm).url, original);
      else if ('issuer' in original && isFirst)
        this.payers.authenticate(payerToken(order, this.#links), original.issuer);
    }
  }

  #original(operation: Operation): Operation {
    return (operation.kind === 'repeat' && this.#operations.get(operation.of)) || operation;
  }

  /** A nonce is good once, on all nodes together. */
  #hearNonce({ merchant, nonce }: Of<'nonce'>, isFree: boolean): void {
    if (!isFree) return;
    const mark = `${merchant} ${nonce}`;
    if (this.#nonces.has(mark)) this.complaints.push(`the nonce ${mark} was accepted twice`);
    this.#nonces.add(mark);
  }

  /** A control stands for what it was accepted for first, on all nodes together. */
  #hearReading({ merchant, control }: Caller): void {
    if (!control) return;
    const mark = `${merchant.merchantId} ${control.digest.toString()}`;
    const reading = control.reading.toString();
    const first = this.#readings.get(mark) ?? reading;
    if (first !== reading) this.complaints.push(`a control was accepted for "${first}" and for "${reading}"`);
    this.#readings.set(mark, first);
  }

  /** Where callbacks arrive: a merchant that hangs, fails or refuses now takes them later. */
  clientOf(process: Process): CallbackClient {
    const { scheduler, disturbances } = this.#world;
    const called = (status: number | undefined): Called => ({
      address: undefined,
      status,
      answer: undefined,
      fault: status === undefined ? 'silence' : undefined,
    });
    const get = ({ url, headers }: { url: URL; headers: Readonly<Record<string, string>> }) =>
      new Promise<Called>((resolve) => {
        const fate = disturbances.ofCallback();
        const id = headers['webhook-id'] ?? '';
        const answer = (status: number | undefined, ms: number) =>
          scheduler.after(ms, process, `callback ${id} answered ${status}`, () => resolve(called(status)));
        scheduler.after(scheduler.between(1, 50), undefined, `callback ${id} (${fate})`, () => {
          if (fate === 'fails') return answer(500, 10);
          if (fate === 'refuses') return answer(404, 10);
          if (fate === 'hangs') return answer(undefined, CALLBACK_LIMIT_MS);
          this.#told(id, url.searchParams.get('status') ?? '');
          return fate === 'taken' ? answer(200, 10) : answer(undefined, CALLBACK_LIMIT_MS);
        });
      });
    return { longestMs: CALLBACK_LIMIT_MS, get } as unknown as CallbackClient;
  }

  #told(id: string, status: string): void {
    const statuses = this.heard.get(id) ?? new Set();
    this.heard.set(id, statuses.add(status));
  }
}

/** How a merchant names the order an operation makes. */
export function clientOrderId(id: number): string {
  return `order-${id}`;
}

/** Shaped as the database wants it. */
function serialOf(count: number): string {
  return `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`;
}

type Context = { readonly clientOrderId: string; readonly orderId: number; readonly target: Operation | undefined };

function requestOf(operation: Exclude<Operation, Of<'repeat'>>, context: Context): Request {
  const { clientOrderId, orderId, target } = context;
  const money = (minor: number) => ({ minor: BigInt(minor), currency: CURRENCY });
  switch (operation.kind) {
    case 'sale':
    case 'preauth': {
      const { kind, amount, cvv, alternatives, payer } = operation;
      const number = NUMBERS[payer?.card ?? 0] as Secret<string>;
      const request = {
        operation: kind,
        type: kind,
        clientOrderId,
        amount: money(amount),
        alternatives: alternatives.map(BigInt),
        card: { typed: { ...PAYER, number, cvv: new Secret(cvv) } },
        details: { ...addressesOf(operation), ...toldOf(payer), ...browserOf(operation) },
      } as const;
      return ({ gateway }, caller) => gateway.acceptOrder(request, caller);
    }
    case 'form': {
      const { type: purpose, amount } = operation;
      const request = { purpose, form: 'pays', clientOrderId, amount: money(amount) } as const;
      return ({ gateway }, caller) => gateway.openForm({ ...request, details: addressesOf(operation) }, caller);
    }
    case 'capture':
    case 'return':
    case 'void': {
      const { kind, percent } = operation;
      const whole = target && 'amount' in target ? target.amount : 0;
      const amounts = kind === 'void' ? [] : [money(Math.floor((whole * percent) / 100))];
      const request = { kind, clientOrderId, orderId, amounts, comment: undefined };
      return ({ gateway }, caller) => gateway.followUp(request, caller);
    }
    case 'payout': {
      const { amount, waits: awaitsConfirmation } = operation;
      const request = { clientOrderId, amount: money(amount), details: {}, to: { typed: PAYEE }, awaitsConfirmation };
      return ({ gateway }, caller) => gateway.payOut(request, caller);
    }
    case 'confirm':
      return ({ gateway }, caller) => gateway.confirmPayout({ clientOrderId, orderId }, caller);
    case 'transfer': {
      const to = { typed: operation.receives ? PAYEE : PREPAID };
      const from = { typed: { ...PAYER, cvv: new Secret('123') } };
      const request = { clientOrderId, amount: money(operation.amount), details: {}, from, to };
      return ({ gateway }, caller) => gateway.transfer(request, caller);
    }
    case 'recurring': {
      const request = {
        clientOrderId,
        direction: 'from-card',
        card: PAYER,
        currency: CURRENCY,
        amounts: { kind: 'sequence', minors: Array.from({ length: operation.days }, () => BigInt(operation.amount)) },
        rhythm: { unit: 'day', interval: 1 },
        startDate: undefined,
        finishDate: undefined,
        details: {},
      } as const;
      return ({ gateway }, caller) => gateway.createRecurringPayment(request, caller);
    }
    case 'status':
      return ({ gateway }, caller) => gateway.findStatus({ clientOrderId, orderId, bySerial: undefined }, caller);
    case 'nonce': {
      const nonce = { saidAt: 0, nonce: String(operation.nonce) };
      return ({ nonces }, { merchant: { merchantId } }) => nonces.take({ merchantId, ...nonce });
    }
  }
}

function browserOf({ issuer }: Of<'sale' | 'preauth'>) {
  return issuer?.isBrowserTold ? { browser: BROWSER } : {};
}

function toldOf(payer: Payer | undefined) {
  return payer ? { email: `payer-${payer.email}@example.com`, ipAddress: ADDRESSES[payer.address] } : {};
}

function addressesOf({ told, id }: Of<'sale' | 'preauth' | 'form'>) {
  const at = (path: string) => `https://merchant-${id % 2}.example/${path}`;
  return {
    ...(told === 'server' || told === 'both' ? { serverCallbackUrl: at('server') } : {}),
    ...(told === 'notify' || told === 'both' ? { notifyUrl: at('notify') } : {}),
  };
}
