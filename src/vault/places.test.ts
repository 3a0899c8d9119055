import { expect, it } from 'vitest';
import {
  accountPlace,
  cardPlace,
  controlKeyPlace,
  cvvPlace,
  networkKeyPlace,
  proofPlace,
  totpPlace,
} from './places.ts';

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
  places.push(networkKeyPlace({ brand: 'VISA' }), networkKeyPlace({ brand: 'MASTERCARD' }));
  places.push(totpPlace({ name: 'ann' }), totpPlace({ name: 'bob' }));
  expect(new Set(places).size).toBe(places.length);
});
