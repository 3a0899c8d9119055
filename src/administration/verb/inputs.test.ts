import { expect, it } from 'vitest';
import { flag, id, instant, line, listed, word } from '../../domain/input-kinds.ts';
import { mayGive, mustGive, readInputs } from './inputs.ts';
import { InvalidInput } from './invalid-input.ts';

const inputs = {
  orderId: mustGive(id, 'the order', { what: 'the id of an order' }),
  note: mayGive(line(5), 'why'),
  state: mayGive(word(['open', 'done']), 'which'),
  at: mayGive(instant, 'when'),
  ids: mayGive(listed(id), 'some'),
  all: mayGive(flag, 'everything'),
};

it('gives every value its type', () => {
  const given = { orderId: 7, note: ' why ', state: 'open', at: '1970-01-01T00:00:01Z', ids: [3, 3, 4], all: false };
  expect(readInputs(inputs, given)).toEqual({ ...given, note: 'why', at: 1000, ids: [3, 4] });
});

it('names every fault at once, and every name that is not taken', () => {
  const given = { note: 'a\nb', state: 'shut', at: 'soon', ids: [0], all: 'yes', order: 4, __proto: 1 };
  const faults = [
    '"order" is not taken here; what is taken: orderId, note, state, at, ids, all',
    '"__proto" is not taken here; what is taken: orderId, note, state, at, ids, all',
    'orderId is missing: the id of an order is needed',
    'note: 1 to 5 characters on one line are needed',
    'state: one of open, done is needed, not "shut"',
    'at: a moment such as 2027-01-31T00:00:00Z is needed',
    'ids: a whole number above 0 is needed, not "0"',
    'all: true or false is needed',
  ];
  expect(() => readInputs(inputs, given)).toThrow(new InvalidInput(...faults));
});

it('never repeats a card number', () => {
  expect(() => readInputs(inputs, { orderId: 1, state: '4111111111111111' })).toThrow(/^(?!.*4111111111111111)/);
});

it.each(['__proto__', 'constructor', 'toString'])('does not take %s for an input', (name) => {
  const given = JSON.parse(`{ "orderId": 1, "${name}": 2 }`);
  expect(() => readInputs(inputs, given)).toThrow(`"${name}" is not taken here`);
});

it.each([
  ['a text', { orderId: 1, note: 'a\0' }, 'note'],
  ['a word', { orderId: 1, state: '\0open' }, 'state'],
  ['a moment', { orderId: 1, at: '2027-01-31T00:00:00Z\0' }, 'at'],
  ['a list', { orderId: 1, ids: [3, '4\0'] }, 'ids'],
  ['an object', { orderId: { id: [{ 'a\0': 1 }] } }, 'orderId'],
])('names the input whose value holds a NUL: %s', (_kind, given, name) => {
  expect(() => readInputs(inputs, given)).toThrow(new InvalidInput(`${name}: the character NUL (U+0000) is not taken`));
});
