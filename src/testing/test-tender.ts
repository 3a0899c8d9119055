// A sandbox in this process, on a free port, with its database in memory and its files in a folder that is removed.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TenderClient, TenderError } from '../client/index.ts';
import { DEMO_MERCHANT, type RunningGateway, startGateway } from '../compose/index.ts';
import { errors } from '../domain/errors.ts';
import { SPAN_HELP, spanMs } from '../domain/time/time-span.ts';
import { createLog } from '../telemetry/log.ts';
import { type TestBank, testBank } from './test-bank.ts';
import { type CallbacksAsked, type ReceivedCallback, TestCallbacks } from './test-callbacks.ts';
import { type PaidForm, type PayerCard, payForm } from './test-payer.ts';

export type TestTenderOptions = {
  /** The endpoint of `client`: 101 in USD, 102 in EUR with 3-D Secure, 104 in yen; 101 unless given. */
  readonly endpoint?: number;
  /** How long the gateway waits for the bank; half a second unless given. */
  readonly bankTimeoutMs?: number;
  /** Takes each line of the gateway's log; nobody reads it unless given. */
  readonly log?: (line: string) => void;
};

export type TestTender = {
  /** Where merchants post to. */
  readonly baseUrl: string;
  readonly endpoint: number;
  readonly login: string;
  readonly controlKey: string;
  /** In PEM. */
  readonly privateKey: string;
  /** The demo merchant's client. */
  readonly client: TenderClient;
  /** The same on another endpoint. */
  clientAt(endpoint: number | string): TenderClient;
  readonly clock: {
    /** Milliseconds since 1970, as the gateway has it. */
    now(): number;
    /** Lets `30d`, `12h` or `1y` pass: whatever comes due meanwhile is done, in order, before it resolves. */
    advance(span: string): Promise<void>;
  };
  readonly bank: TestBank;
  /** Give it as `server_callback_url` or `notify_url`. */
  readonly callbackUrl: string;
  /** What came there, once as many are there as asked for. */
  callbacks(asked?: CallbacksAsked): Promise<readonly ReceivedCallback[]>;
  /** Pays on a hosted form, whose `redirect-url` is given, as a payer would. */
  payForm(redirectUrl: string, card?: PayerCard): Promise<PaidForm>;
  /** Ends all of it and removes its files. */
  close(): Promise<void>;
};

const ENDPOINT = 101;
const BANK_TIMEOUT_MS = 500;
/** A lease must be longer than the bank's time-out. */
const LEASE_MORE_MS = 5_000;

export async function startTestTender(options: TestTenderOptions = {}): Promise<TestTender> {
  const { bankTimeoutMs = BANK_TIMEOUT_MS, log = () => {} } = options;
  const dataFolder = await mkdtemp(join(tmpdir(), 'tender-testing-'));
  const removed = () => rm(dataFolder, { recursive: true, force: true });
  try {
    const gateway = await startGateway(
      {
        ...{ mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, inMemory: true },
        ...{ acquirerTimeoutMs: bankTimeoutMs, leaseMs: bankTimeoutMs + LEASE_MORE_MS },
        codeKeyFolder: join(dataFolder, 'code-keys'),
      },
      { log: createLog(log) },
    );
    return await opened(gateway, { ...options, dataFolder, removed });
  } catch (error) {
    await removed();
    throw error;
  }
}

type OpenedOptions = TestTenderOptions & { readonly dataFolder: string; removed(): Promise<void> };

async function opened(gateway: RunningGateway, options: OpenedOptions): Promise<TestTender> {
  const { endpoint = ENDPOINT, dataFolder, removed } = options;
  const { baseUrl, sandboxClock, bank } = gateway;
  if (!sandboxClock) throw new Error('this sandbox has no clock that can be moved');
  const { login, controlKey } = DEMO_MERCHANT;
  const privateKey = await readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8');
  const now = () => sandboxClock.now();
  const received = await TestCallbacks.open(controlKey, now);
  const clientAt = (at: number | string) =>
    new TenderClient({ baseUrl, endpoint: at, login, controlKey, privateKey, now });
  return {
    ...{ baseUrl, endpoint, login, controlKey, privateKey, clientAt, payForm },
    client: clientAt(endpoint),
    clock: {
      now,
      advance: async (span) => {
        const ms = spanMs(span, now());
        if (ms === undefined || ms <= 0) throw new RangeError(`clock.advance takes ${SPAN_HELP}`);
        await sandboxClock.move(ms);
      },
    },
    bank: testBank({
      set: (faults) => bank.faults(faults),
      books: () => bank.books(),
      orderIdOf: (clientOrderId) => orderIdOf(clientAt(endpoint), clientOrderId),
    }),
    callbackUrl: received.url,
    callbacks: (asked) => received.received(asked),
    close: async () => {
      await gateway.close();
      await received.close();
      await removed();
    },
  };
}

async function orderIdOf(client: TenderClient, client_orderid: string): Promise<string | undefined> {
  try {
    return (await client.status({ client_orderid }))['paynet-order-id'];
  } catch (error) {
    if (error instanceof TenderError && error.code === String(errors['order-not-found'].code)) return undefined;
    throw error;
  }
}
