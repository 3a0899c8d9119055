// Settings as columns of a table: each has one of its own, whose type follows from its kind.

import type { Setting, SettingsOf } from '../domain/merchant/setting.ts';
import { columnOf } from '../domain/merchant/setting-spelling.ts';
import { column, type TypedColumn } from './tables/column.ts';

const COLUMNS = {
  flag: column.boolean,
  state: column.boolean,
  word: column.text,
  text: column.text,
  amount: column.bigint,
  list: column.texts,
} as const;

type SettingColumns<List extends readonly Setting[]> = {
  readonly [Name in keyof SettingsOf<List>]: TypedColumn<SettingsOf<List>[Name]>;
};

export function settingColumns<const List extends readonly Setting[]>(settings: List): SettingColumns<List> {
  const columns = settings.map((one) => {
    const { name, kind } = one;
    const own = COLUMNS[kind.sort](columnOf(one));
    const isOptional = kind.none !== undefined && kind.none.value === undefined;
    return [name, isOptional ? own.optional() : own];
  });
  return Object.fromEntries(columns) as SettingColumns<List>;
}
