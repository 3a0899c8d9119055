import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import type { Parameters } from '../operations/form.ts';
import { operations } from '../operations/index.ts';
import type { ReplyBody } from '../operations/response.ts';
import type { ExplainedSignature } from '../signing/explained-control.ts';
import { journalLine, strangerLine } from './journal-entry.ts';

const sale = operations.find(({ name }) => name === 'SALE');

const kept = (parameters: Parameters | undefined) => {
  const outcome = {
    status: 200,
    reply: {},
    parameters,
    legacy: false,
    merchantId: 1,
    errorCode: undefined,
    signed: true,
  };
  const rest = { serialNumber: 's', at: 0, operation: sale, pathId: '101', written: '{}', milliseconds: 1 };
  return journalLine({ ...rest, outcome }).request;
};

describe('the journal keeps of a request', () => {
  it('nothing, when it had no parameters', () => {
    expect(kept(undefined)).toBe('{}');
    expect(kept(new Map())).toBe('{}');
  });

  it('what its operation knows, hidden where that is secret, and the names of all else', () => {
    const parameters = new Map([
      ['client_orderid', 'inv-1'],
      ['credit_card_number', '4111 1111-1111 1111'],
      ['cvv2', '123'],
      ['cvv22', '123'],
      ['order_desc', 'She said "5\\6" – here'],
      ['a"b\\', 'x'],
    ]);
    expect(JSON.parse(kept(parameters))).toEqual({
      client_orderid: 'inv-1',
      credit_card_number: '411111******1111',
      cvv2: '***',
      cvv22: '***',
      order_desc: 'She said "5\\6" – here',
      'a"b\\': '***',
    });
  });

  it('no card number in a text or in the name of a field that nobody knows', () => {
    const parameters = new Map([
      ['order_desc', 'card 4111-1111-1111-1111\n"5555 5555 5555 4444"'],
      ['4111111111111111', 'x'],
    ]);
    expect(JSON.parse(kept(parameters))).toEqual({
      order_desc: 'card 411111******1111\n"555555******4444"',
      '411111******1111': '***',
    });
  });

  it('JSON that can be read back, also where a number in it was encoded beside control characters', () => {
    const parameters = new Map([['order_desc', '4111%011111%011111%011111 and %01 here']]);
    expect(JSON.parse(kept(parameters))).toEqual({ order_desc: '411111******1111 and   here' });
  });

  it('JSON that can be read back, whatever the names and texts', () => {
    const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 });
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.dictionary(name, text, { noNullPrototype: true }), text, (others, description) => {
        const parameters = new Map([...Object.entries(others), ['order_desc', description]]);
        const read = JSON.parse(kept(parameters));
        expect(Object.values(read)).toHaveLength(parameters.size);
        for (const [name, value] of Object.entries(read)) if (name !== 'order_desc') expect(value).toBe('***');
        expect(read.order_desc).toBe(maskCardNumbers(storableText(description)));
      }),
    );
  });
});

describe('the journal keeps of a reply', () => {
  const keptReply = (status: number, reply: ReplyBody) => {
    const outcome = {
      status,
      reply,
      parameters: undefined,
      legacy: false,
      merchantId: 1,
      errorCode: undefined,
      signed: true,
    };
    const rest = { serialNumber: 's', at: 0, operation: sale, pathId: '101', milliseconds: 1 };
    return JSON.parse(journalLine({ ...rest, written: JSON.stringify(reply), outcome }).reply);
  };

  it('no card number that stood in the merchant’s order id, and our own id as it is', () => {
    const reply = { 'merchant-order-id': 'card 4111111111111111', 'paynet-order-id': '4242424242424242' };
    expect(keptReply(200, reply)).toEqual({ ...reply, 'merchant-order-id': 'card 411111******1111' });
  });

  it('nothing else in clear either that a merchant had sent and is told', () => {
    const reply = { email: '4111-1111-1111-1111@example.com', phone: '+12025550123' };
    expect(keptReply(200, reply)).toEqual({ ...reply, email: '411111******1111@example.com' });
  });

  it('no card number within a list of orders, however it is written there', () => {
    const written = '4111\n1111\n1111\n1111';
    const reply = { count: '1', orders: [{ 'merchant-order-id': written, 'serial-number': '4242424242424242' }] };
    const orders = [{ 'merchant-order-id': '411111******1111', 'serial-number': '4242424242424242' }];
    expect(keptReply(200, reply)).toEqual({ count: '1', orders });
  });

  it('that a wrong signature was explained, and not by what: it holds all that was sent', () => {
    const reply = { 'error-code': '20', 'expected-string': 'POST&…&cvv%3D123' };
    expect(keptReply(400, reply)).toEqual({ ...reply, 'expected-string': '***' });
  });
});

/** Control characters, and halves of surrogate pairs, cannot be kept as they are. */
function storableText(text: string): string {
  return [...text].map((one) => (/^\\u/.test(JSON.stringify(one).slice(1, -1)) ? '\ufffd' : one)).join('');
}

describe('the journal keeps of a stranger’s request', () => {
  const explaining = (explain: () => ExplainedSignature) => {
    const reply = { type: 'validation-error', 'error-code': '20' };
    const outcome = { status: 400, reply, legacy: false, parameters: new Map(), merchantId: undefined };
    const rest = { serialNumber: 's', at: 0, operation: sale, pathId: '101', written: '{}', milliseconds: 1 };
    const line = strangerLine({ ...rest, outcome: { ...outcome, errorCode: 20, signed: false, explain } }, '::/64');
    return JSON.parse(line.reply).signing as ExplainedSignature;
  };

  it('what an OAuth signature covers, without secrets and without values of fields nobody knows', () => {
    const expected = [
      { name: 'verb', value: 'POST' },
      { name: 'URL', value: 'http://localhost/paynet' },
      { name: 'cvv2', value: '123' },
      { name: 'credit-card-number', value: '4111 1111 1111 1111' },
      { name: 'cvc', value: '456' },
      { name: 'oauth_nonce', value: 'n1' },
      { name: 'order_desc', value: `4111111111111111 ${'x'.repeat(100)}` },
    ];
    const mistake = '4111111111111111 is sent and left out of the base string.';
    const explained = explaining(() => {
      return { scheme: 'oauth', expected, came: 'c2ln', instead: { parts: expected, between: '', mistake } };
    });
    const kept = ['POST', 'http://localhost/paynet', '***', '411111******1111', '***', 'n1', expect.any(String)];
    expect(explained.expected.map(({ value }) => value)).toEqual(kept);
    expect(explained.instead?.parts).toEqual(explained.expected);
    expect(JSON.stringify(explained)).not.toMatch(/41111111|x{60}/);
    expect(explained.came).toBe('c2ln');
  });

  it('a bounded part of what was signed', () => {
    const expected = Array.from({ length: 300 }, (_, index) => ({ name: `n${index}`.repeat(90), value: 'v' }));
    const explained = explaining(() => ({ scheme: 'oauth', expected, came: 'c'.repeat(9_000), instead: null }));
    expect(JSON.stringify(explained).length).toBeLessThan(8_000);
  });

  const line = (parameters: Parameters) => {
    const reply = { type: 'validation-error', 'error-code': '20', 'error-message': 'x'.repeat(500), more: 'y' };
    const outcome = { status: 400, reply, legacy: false, parameters, merchantId: 7, errorCode: 20, signed: false };
    const rest = { serialNumber: 's', at: 0, operation: sale, pathId: '101', written: JSON.stringify(reply) };
    return strangerLine({ ...rest, milliseconds: 1, outcome }, '203.0.113.0/24');
  };

  it('a few hundred bytes, whatever was sent', () => {
    const anything = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', maxLength: 3_000 }), {
      maxKeys: 60,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, fc.string({ unit: 'binary', maxLength: 3_000 }), (others, text) => {
        const { request, reply, merchantId, orderId } = line(
          new Map([['order_desc', text], ...Object.entries(others)]),
        );
        expect(Buffer.byteLength(request) + Buffer.byteLength(reply)).toBeLessThan(600);
        expect(JSON.parse(request)).toBeTypeOf('object');
        expect([merchantId, orderId]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('the first fields, masked, its error and where it came from', () => {
    const { request, reply } = line(
      new Map([
        ['client_orderid', 'inv-1'],
        ['credit_card_number', '4111111111111111'],
        ['cvv2', '123'],
        ['order_desc', `${'x'.repeat(30)} 4111111111111111 paid`],
      ]),
    );
    expect(JSON.parse(request)).toMatchObject({
      client_orderid: 'inv-1',
      credit_card_number: '411111******1111',
      cvv2: '***',
    });
    expect(request).not.toMatch(/4111111/);
    expect(JSON.parse(reply)).toEqual({
      type: 'validation-error',
      'error-code': '20',
      'error-message': `${'x'.repeat(120)}…`,
      from: '203.0.113.0/24',
    });
  });
});
