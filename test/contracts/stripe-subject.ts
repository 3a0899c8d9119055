// The connector to Stripe with the server that behaves like Stripe's, for the contract of every connector.

import type { Instruction } from '../../src/acquirers/acquirer.ts';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Asked, Booked, ConnectorSubject } from './connector-subject.ts';
import { httpAnswerLength, MisbehavingLine } from './misbehaving-line.ts';
import { CARDS, type StripeBooks } from './stripe-books.ts';
import { SECRET_KEY, StripeHost } from './stripe-host.ts';

const WEBHOOK_SECRET = 'whsec_of_the_contract';

const html = '<html>Bad gateway</html>';
const GARBAGE = [
  `HTTP/1.1 200 OK\r\nContent-Length: ${html.length}\r\n\r\n${html}`,
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  `HTTP/1.1 502 Bad Gateway\r\nContent-Length: ${html.length}\r\n\r\n${html}`,
  'hello\n',
];

/** A card and an intent move no money until the intent is confirmed. */
const PREPARES = /^POST \/v1\/(payment_methods|payment_intents|setup_intents) HTTP/;

export const stripeSubject: ConnectorSubject = {
  name: 'to Stripe',
  connector: stripe,
  // The rest of a hold is free once a part was captured.
  capturesOften: false,
  // Whether the money was captured decides what a void is.
  asksFirst: ['void'],
  cvv: '987',
  keys: [SECRET_KEY, WEBHOOK_SECRET],
  open: async () => {
    const host = await new StripeHost().start();
    const line = await MisbehavingLine.open({
      to: Number(new URL(host.url).port),
      answerLength: httpAnswerLength,
      garbage: GARBAGE,
      spares: (request) => PREPARES.test(request.toString('latin1')),
    });
    return {
      connect: ({ clock, answerMs }) => {
        const keys = { secretKey: new Secret(SECRET_KEY), webhookSecret: new Secret(WEBHOOK_SECRET) };
        const settings = { ...keys, baseUrl: `http://127.0.0.1:${line.port}`, answerMs, networkTransactionIds: false };
        const noticeUrl = 'https://gateway.example/bank/stripe';
        return stripe.open(settings as never, { clock, terminal: 'stripe', noticeUrl });
      },
      declining: (asked) => declining(host.books, asked),
      misbehave: (mishap) => line.misbehave(mishap),
      booked: async (asked) => booked(host.books, asked),
      close: async () => {
        await line.close();
        await host.stop();
      },
    };
  },
};

function intentOf(books: StripeBooks, { around }: Asked) {
  const intent = books.intents.get(around.origin?.processorTxId ?? '');
  if (!intent?.charge) throw new Error('there is no such payment');
  return { intent, charge: intent.charge };
}

/** Charges are declined by their card; follow-ups because the payment is no longer what it was. */
function declining<I extends Instruction>(books: StripeBooks, asked: Asked<I>): Asked<I> {
  const { instruction } = asked;
  if ('card' in instruction) {
    const card = { ...instruction.card, number: new Secret(CARDS.poor) };
    return { ...asked, instruction: { ...instruction, card } };
  }
  const { intent, charge } = intentOf(books, asked);
  if (instruction.kind === 'capture') intent.status = 'canceled';
  else if (instruction.kind === 'cancel') books.capture(intent, {});
  else charge.refunded = charge.captured;
  return asked;
}

function booked(books: StripeBooks, asked: Asked): Booked {
  const { kind, reference } = asked.instruction;
  switch (kind) {
    case 'capture': {
      const { captured } = intentOf(books, asked).charge;
      return { times: captured > 0 ? 1 : 0, net: BigInt(captured) };
    }
    case 'cancel': {
      const { intent } = intentOf(books, asked);
      return intent.status === 'canceled' ? { times: 1, net: BigInt(intent.amount) } : { times: 0, net: 0n };
    }
    case 'void':
    case 'refund': {
      const { intent } = intentOf(books, asked);
      const refunds = books.refunds.filter((one) => one.payment_intent === intent.id);
      const own = refunds.filter(({ metadata }) => metadata.reference === reference);
      return { times: own.length, net: own.reduce((sum, { amount }) => sum + BigInt(amount), 0n) };
    }
    default: {
      const charges = [...books.intents.values()]
        .filter(({ metadata }) => metadata.reference === reference)
        .flatMap(({ charge }) => (charge?.approved ? [charge] : []));
      const left = charges.map((one) => (one.held ? one.amount : one.captured - one.refunded));
      return { times: charges.length, net: left.reduce((sum, amount) => sum + BigInt(amount), 0n) };
    }
  }
}
