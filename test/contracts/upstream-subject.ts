// The connector to another gateway with a provider that checks signatures by its own code, for the contract of every
// connector.

import { upstream } from '../../src/acquirers/upstream/upstream.ts';
import { Secret } from '../../src/domain/secret.ts';
import { testKeys } from '../test-keys.ts';
import type { Asked, Booked, ConnectorSubject } from './connector-subject.ts';
import { httpAnswerLength, MisbehavingLine } from './misbehaving-line.ts';
import { CONTROL_KEY, ENDPOINT, LOGIN, UpstreamHost } from './upstream-host.ts';

const { privateKey, publicKey } = testKeys('merchants');

const html = '<html>Bad gateway</html>';
const GARBAGE = [
  'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"type":"async-resp\u0000',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  `HTTP/1.1 502 Bad Gateway\r\nContent-Length: ${html.length}\r\n\r\n${html}`,
  'hello\n',
];

/** The provider's words for what follow-ups do. */
const DEEDS = { capture: 'capture', cancel: 'cancel', void: 'void', refund: 'reversal' } as const;

export const upstreamSubject: ConnectorSubject = {
  name: 'to another gateway',
  connector: upstream,
  cvv: '987',
  keys: [CONTROL_KEY, privateKey],
  open: async () => {
    const host = await UpstreamHost.open({ publicKey });
    const line = await MisbehavingLine.open({
      to: Number(new URL(host.baseUrl).port),
      answerLength: httpAnswerLength,
      garbage: GARBAGE,
    });
    const baseUrl = `http://127.0.0.1:${line.port}/paynet`;
    // Requests are signed for the address they are sent to.
    Object.defineProperty(host, 'baseUrl', { value: baseUrl });
    const declined = new Set<string>();
    host.outcomes.shift = () => (declined.has(lastName(host)) ? { status: 'declined', code: '116' } : undefined);
    return {
      connect: ({ clock, answerMs }) => {
        const keys = { controlKey: new Secret(CONTROL_KEY), privateKey: new Secret(privateKey) };
        const limits = { answerMs, statusMs: answerMs };
        const settings = { baseUrl, endpointId: Number(ENDPOINT), login: LOGIN, ...keys, ...limits };
        const noticeUrl = 'http://localhost:8080/paynet/bank/far';
        return upstream.open({ ...settings, strictSigning: false } as never, { clock, terminal: 'far', noticeUrl });
      },
      declining: (asked) => {
        declined.add(asked.instruction.reference);
        return asked;
      },
      misbehave: (mishap) => line.misbehave(mishap),
      booked: async (asked) => booked(host, asked),
      close: async () => {
        await line.close();
        await host.close();
      },
    };
  },
};

/** Our reference of the request that the provider is carrying out. */
function lastName(host: UpstreamHost): string {
  const last = host.requests.at(-1);
  const key = last?.headers['idempotency-key'];
  return typeof key === 'string' ? key : (last?.fields.client_orderid ?? last?.fields['client-order-id'] ?? '');
}

function booked(host: UpstreamHost, { instruction, around }: Asked): Booked {
  const { kind, reference } = instruction;
  if (kind === 'capture' || kind === 'cancel' || kind === 'void' || kind === 'refund') {
    // What was captured is named by its order.
    const [orderId] = (around.origin?.processorTxId ?? '').split('/');
    const order = [...host.orders.values()].find((one) => one.orderId === orderId);
    const deeds = approvedDeeds(host, order?.clientOrderId ?? '').filter(
      ({ type, minor }) => type === DEEDS[kind] && BigInt(minor) === instruction.amount.minor,
    );
    return { times: deeds.length, net: deeds.reduce((sum, { minor }) => sum + BigInt(minor), 0n) };
  }
  const [first, ...more] = approvedDeeds(host, reference);
  const { held, taken, paidOut } = host.money(reference);
  return {
    times: first ? 1 + more.filter(({ type }) => type === first.type).length : 0,
    net: BigInt(held + taken + paidOut),
  };
}

const approvedDeeds = (host: UpstreamHost, reference: string) =>
  (host.orders.get(reference)?.deeds ?? []).filter(({ status }) => status === 'approved');
