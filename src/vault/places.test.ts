import { expect, it } from 'vitest';
import { accountPlace, cardPlace, controlKeyPlace, cvvPlace, proofPlace } from './places.ts';

it('every sealed value has a place of its own', () => {
  const numbers = [1, 2];
  const places = numbers.flatMap((merchantId) =>
    numbers.flatMap((id) => [
      cardPlace(merchantId, id),
      cvvPlace(merchantId, id),
      accountPlace(merchantId, id),
      controlKeyPlace(merchantId, String(id)),
      ...numbers.map((seq) => proofPlace(merchantId, id, seq)),
    ]),
  );
  expect(new Set(places).size).toBe(places.length);
});
