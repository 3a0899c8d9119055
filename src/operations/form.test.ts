import { describe, expect, test } from 'vitest';
import { field, text } from './field-kinds.ts';
import { canonicalName, form, onlyGiven, optional, otherSpellings, readForm } from './form.ts';

describe('spellings', () => {
  test.each([
    ['client_orderid', 'client_orderid'],
    ['client-orderid', 'client_orderid'],
    ['client-order-id', 'client_orderid'],
    ['client_order_id', 'client_orderid'],
    ['cres', 'cRes'],
    ['pares', 'paRes'],
    ['destination', 'destination_card_no'],
    ['destination-card-no', 'destination_card_no'],
    ['email', 'email'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ])('%s is %s', (spelling, name) => {
    expect(canonicalName(spelling)).toBe(name);
  });

  test('the others of a field are known', () => {
    expect(otherSpellings('client_orderid')).toEqual(['client-orderid', 'client_order_id', 'client-order-id']);
    expect(otherSpellings('first_name')).toEqual(['first-name']);
    expect(otherSpellings('email')).toEqual([]);
  });
});

describe('reading a form', () => {
  const shape = form({
    name: field('full_name', text(3), 'A name.'),
    city: optional(field('city', text(3), 'A city.')),
  });
  const context = { now: 0 };

  test('an absent optional field is no fault, unless the endpoint demands it', () => {
    const parameters = new Map([['full_name', 'Ann']]);
    const { values, faults, sent } = readForm(shape, parameters, context);
    expect([values, faults]).toEqual([{ name: 'Ann', city: undefined }, []]);
    expect(sent.map(({ property, text }) => [property, text])).toEqual([['name', 'Ann']]);
    expect(onlyGiven(values)).toStrictEqual({ name: 'Ann' });
    expect(readForm(shape, parameters, context, ['city']).faults).toMatchObject([
      { error: 'parameter-required', field: 'city' },
    ]);
  });

  test('length counts characters, not their encoding', () => {
    expect(readForm(shape, new Map([['full_name', '👩👩👩']]), context).faults).toEqual([]);
    expect(readForm(shape, new Map([['full_name', 'Anna']]), context).faults).toMatchObject([
      { error: 'parameter-too-long', message: 'Parameter full_name is too long: at most 3 characters' },
    ]);
  });
});
