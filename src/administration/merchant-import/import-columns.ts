// The columns of a file of merchants: the login, the endpoint's currency and id, and every setting under its own name.

import { Misread, type Spelling } from '../../domain/input-kinds.ts';
import { endpointSettings } from '../../domain/merchant/endpoint-settings.ts';
import { merchantSettings } from '../../domain/merchant/merchant-settings.ts';
import { InvalidSettings, readSettings, type Setting, type SettingContext } from '../../domain/merchant/setting.ts';
import { columnOf } from '../../domain/merchant/setting-spelling.ts';
import { shown } from '../../domain/text.ts';

export const LOGIN = 'login';
export const CURRENCY = 'currency';
export const ENDPOINT_ID = 'endpoint_id';

/** `merchant_name`, `endpoint_minimum` and so on. */
const merchantColumns = new Map<string, Setting>(merchantSettings.map((one) => [`merchant_${columnOf(one)}`, one]));
const endpointColumns = new Map<string, Setting>(endpointSettings.map((one) => [`endpoint_${columnOf(one)}`, one]));

export const importColumns: readonly string[] = [
  LOGIN,
  ...merchantColumns.keys(),
  CURRENCY,
  ENDPOINT_ID,
  ...endpointColumns.keys(),
];

export const EXAMPLE = { [LOGIN]: 'shop', merchant_name: 'Shop Ltd', [CURRENCY]: 'EUR', endpoint_name: 'Shop in EUR' };

/** A cell by the column it stands in. */
export type ImportRow = Readonly<Record<string, string>>;

/** A row of the file, and the line that it begins on. */
export type NumberedRow = { readonly line: number; readonly row: ImportRow };

type ReadCells = { readonly values: Record<string, unknown>; readonly faults: string[] };

export function merchantCells(row: ImportRow, context: SettingContext): ReadCells {
  return readCells(merchantColumns, row, context);
}

export function endpointCells(row: ImportRow, context: SettingContext): ReadCells {
  return readCells(endpointColumns, row, context);
}

/** An empty cell says nothing. */
function readCells(columns: ReadonlyMap<string, Setting>, row: ImportRow, context: SettingContext): ReadCells {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [column, setting] of columns) {
    const text = row[column]?.trim() ?? '';
    if (text === '') continue;
    const { name, kind } = setting;
    const given = text === kind.none?.word ? text : fromText(kind.spelling, text);
    const read = given instanceof Misread ? given : readSettings([setting], { [name]: given }, context);
    if (read instanceof Misread) faults.push(`column ${column}: ${read.says}`);
    else if (read instanceof InvalidSettings) faults.push(...read.faults.map((one) => `column ${column}: ${one}`));
    else Object.assign(values, read);
  }
  return { values, faults };
}

function fromText(spelling: Spelling, text: string): unknown {
  switch (spelling) {
    case 'flag':
    case 'state':
      return text === 'on' || text === 'off' ? text === 'on' : new Misread(`on or off is needed, not ${shown(text)}`);
    case 'number':
    case 'id':
      return /^\d{1,15}$/.test(text) ? Number(text) : new Misread(`a whole number is needed, not ${shown(text)}`);
    case 'list':
      return text
        .split(/[,;]/)
        .map((one) => one.trim())
        .filter((one) => one !== '');
    default:
      return text;
  }
}
