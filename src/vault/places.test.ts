import { expect, it } from 'vitest';
import { accountPlace, cardPlace, controlKeyPlace, cvvPlace, proofPlace } from './places.ts';

it('every sealed value has a place of its own', () => {
  const numbers = [1, 2];
  const places = numbers.flatMap((merchantId) =>
    numbers.flatMap((id) => [
      cardPlace({ merchantId, cardId: id }),
      cvvPlace({ merchantId, orderId: id }),
      accountPlace({ merchantId, orderId: id }),
      controlKeyPlace({ merchantId, keyId: String(id) }),
      ...numbers.map((seq) => proofPlace({ merchantId, orderId: id, seq })),
    ]),
  );
  expect(new Set(places).size).toBe(places.length);
});
