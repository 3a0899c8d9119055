// A card as stores keep it. No store opens what is sealed, so any bytes will do.

import { randomBytes } from 'node:crypto';
import type { StoredCard } from '../../src/storage/store.ts';

export function storedCard(cardId: number): StoredCard {
  return {
    cardId,
    sealed: { bytes: randomBytes(60), dataKeyId: 1 },
    fingerprint: randomBytes(32),
    bin: '411111',
    issuerDigits: '41111111',
    lastFour: '1111',
    brand: 'VISA',
    expireMonth: 12,
    expireYear: 2031,
    holder: 'ANN EXAMPLE',
  };
}
