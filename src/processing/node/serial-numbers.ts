// Serial numbers of requests: UUIDs of version 7, in the order of time.

import { randomFillSync } from 'node:crypto';
import { present } from '../../domain/present.ts';

const TIME_BYTES = 6;
const RANDOM_BYTES = 10;
const UUID_VERSION = 0x70;
const UUID_VARIANT = 0x80;

const entropy = Buffer.alloc(RANDOM_BYTES * 256);
let used = entropy.length;
const serial = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);

export function newSerialNumber(now: number): string {
  if (used === entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  serial.writeUIntBE(now, 0, TIME_BYTES);
  entropy.copy(serial, TIME_BYTES, used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  serial[6] = UUID_VERSION | (present(serial[6]) & 0x0f);
  serial[8] = UUID_VARIANT | (present(serial[8]) & 0x3f);
  const hex = serial.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
