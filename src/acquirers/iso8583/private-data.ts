// Private data: entries of a tag of two digits, two digits of length and a value, in one field of text.

import type { Circumstances } from '../acquirer.ts';
import { type Dialect, type IsoFields, MessageFault, type PlannedInstruction, type PrivateDatum } from './dialect.ts';

const LONGEST = 99;

/** Where it is and the tag of each value, alike in every dialect. */
export const PRIVATE_DATA: Dialect['privateData'] = {
  field: 48,
  tags: {
    securityCode: '92',
    eci: '42',
    authenticationValue: '43',
    dsTransactionId: '66',
    authenticationVersion: '67',
    networkTransactionId: '63',
    addressCheck: '83',
    securityCodeCheck: '87',
  },
};

type PrivateValues = Partial<Record<PrivateDatum, string | undefined>>;

export function privateDataOf(dialect: Dialect, instruction: PlannedInstruction, around: Circumstances) {
  if (!('card' in instruction)) return undefined;
  const { authentication, card } = instruction;
  return writePrivateData(dialect, {
    securityCode: card.cvv?.reveal(),
    eci: authentication?.eci,
    authenticationValue: authentication?.cavv?.reveal(),
    dsTransactionId: authentication?.dsTransactionId ?? authentication?.xid,
    authenticationVersion: authentication?.version,
    networkTransactionId: around.firstNetworkTransactionId,
  });
}

export function writePrivateData({ privateData }: Dialect, values: PrivateValues): string {
  const tags = Object.entries(privateData.tags) as [PrivateDatum, string][];
  return tags
    .flatMap(([datum, tag]) => {
      const value = values[datum];
      if (value === undefined || value === '') return [];
      if (value.length > LONGEST) throw new MessageFault(`${datum} is longer than ${LONGEST} characters`);
      return [`${tag}${String(value.length).padStart(2, '0')}${value}`];
    })
    .join('');
}

/** What an answer says in private data. Entries that are cut off, and all behind them, are left out. */
export function readPrivateData({ privateData }: Dialect, fields: IsoFields): PrivateValues {
  const text = fields[privateData.field] ?? '';
  const names = new Map(Object.entries(privateData.tags).map(([datum, tag]) => [tag, datum as PrivateDatum]));
  const values: PrivateValues = {};
  for (let at = 0; at + 4 <= text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    if (!Number.isInteger(length) || at + 4 + length > text.length) break;
    const datum = names.get(text.slice(at, at + 2));
    if (datum !== undefined) values[datum] = text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return values;
}
