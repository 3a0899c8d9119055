// What failed tries to sign in are counted under. A name that cannot be anybody's is counted with all others like it.

import { addressKey } from '../../domain/people/lock-out.ts';
import { PERSON_NAME } from '../../domain/people/person.ts';

export function failureKeyOf(name: string): string {
  return `name ${PERSON_NAME.test(name) ? name : '?'}`;
}

export function failureKeyOfAddress(address: string): string {
  return `address ${addressKey(address)}`;
}
