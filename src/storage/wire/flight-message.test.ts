import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { flightMessage, type Leg } from './flight-message.ts';

type Message = { readonly type?: 'P' | 'S'; readonly name?: string; readonly text?: string };

type Connection = {
  close(message: Message): void;
  parse(message: Message): void;
  bind(message: { statement: string; values: Leg['values'] }): void;
  describe(message: Message): void;
  execute(message: object): void;
  sync(): void;
};

/** The same legs as the messages `pg` makes of them. */
function messagesOfPg(legs: readonly Leg[]): Buffer {
  const sent: Buffer[] = [];
  const stream = {
    on: () => {},
    once: () => {},
    writable: true,
    write: (bytes: Buffer) => sent.push(Buffer.from(bytes)),
  };
  const connection = new pg.Connection({ stream } as never) as unknown as Connection;
  for (const { name, values, parse, replaces, describe } of legs) {
    if (parse !== undefined && replaces) connection.close({ type: 'S', name });
    if (parse !== undefined) connection.parse({ name, text: parse });
    connection.bind({ statement: name, values });
    if (describe) connection.describe({ type: 'P', name: '' });
    connection.execute({});
  }
  connection.sync();
  return Buffer.concat(sent);
}

const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((value) => !value.includes('\0'));
const bytes = fc.uint8Array({ maxLength: 9000 }).map((value) => Buffer.from(value));

const leg: fc.Arbitrary<Leg> = fc.record({
  name: fc.constantFrom('orders-insert', 'orders-move', 'größe'),
  values: fc.array(fc.oneof(fc.constant(null), text, bytes), { maxLength: 40 }),
  parse: fc.option(text, { nil: undefined }),
  replaces: fc.boolean(),
  describe: fc.boolean(),
});

test('a flight is, byte for byte, the messages `pg` would send one by one', () => {
  fc.assert(
    fc.property(fc.array(leg, { maxLength: 5 }), (legs) => {
      expect(flightMessage(legs).equals(messagesOfPg(legs))).toBe(true);
    }),
  );
});

test('a flight without statements is a Sync alone', () => {
  expect(flightMessage([]).toString('latin1')).toBe('S\0\0\0\x04');
});
