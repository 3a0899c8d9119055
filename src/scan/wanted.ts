// What a scan looks for: given card numbers and security codes, each in every spelling. A code of three digits is found
// everywhere, so codes are looked for only behind the names that programs give them.

import { isCardNumber, maskCardNumber, normaliseCardNumber } from '../domain/card/card.ts';
import { ENCODINGS, inBase64 } from './encodings.ts';

export type Wanted = { readonly numbers: readonly string[]; readonly codes: readonly string[] };

/** Bytes to find. `shown` names what was found without telling it. */
export type Pattern = { readonly bytes: Buffer; readonly encoding: string; readonly shown: string };

/** More of them would need too much memory at once. */
export const MOST_WANTED = 200;

/** Lines that are neither number nor code are counted, and never repeated. */
export function readWanted(text: string): Wanted & { readonly unreadable: number } {
  const lines = text
    .split(/\r?\n/)
    .map((line) => normaliseCardNumber(line.replace(/#.*$/, '')))
    .filter((line) => line !== '');
  const numbers = [...new Set(lines.filter(isCardNumber))];
  const codes = [...new Set(lines.filter((line) => /^\d{3,4}$/.test(line)))];
  const unreadable = lines.filter((line) => !isCardNumber(line) && !/^\d{3,4}$/.test(line)).length;
  return { numbers, codes, unreadable };
}

export function patternsFor({ numbers, codes }: Wanted): Pattern[] {
  return [...numbers.flatMap(ofNumber), ...codes.flatMap(ofCode)];
}

function ofNumber(digits: string): Pattern[] {
  const shown = maskCardNumber(digits);
  return ENCODINGS.flatMap(({ name, spell }) => spell(digits).map((bytes) => ({ bytes, encoding: name, shown })));
}

const CODE_NAMES = ['cvv2', 'cvv', 'cvc2', 'cvc', 'csc', 'cid', 'securityCode', 'security_code', '[cvc]', 'cardCvv'];
const JOINTS = ['=', ':', '":"', '": "', "': '", '%3D', '%5D=', ']=', ' '];

function ofCode(code: string): Pattern[] {
  const shown = 'a security code';
  return CODE_NAMES.flatMap((name) =>
    JOINTS.flatMap((joint) => {
      const text = `${name}${joint}${code}`;
      const plain = Buffer.from(text);
      return [
        { bytes: plain, encoding: 'plain', shown },
        { bytes: Buffer.from(text, 'utf16le'), encoding: 'UTF-16LE', shown },
        { bytes: Buffer.from(plain.toString('hex')), encoding: 'hex', shown },
        ...inBase64(plain).map((bytes) => ({ bytes, encoding: 'base64', shown })),
      ];
    }),
  );
}
