// Settings as columns: each has one of its own, whose type follows from the setting's kind.

import type { Spelling } from '../domain/input-kinds.ts';
import type { Setting, SettingsOf } from '../domain/merchant/setting.ts';
import { columnOf } from '../domain/merchant/setting-spelling.ts';
import { column, type TypedColumn } from './tables/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a list holds settings of every type
const COLUMN_OF: Partial<Record<Spelling, (name: string) => TypedColumn<any, any>>> = {
  amount: column.bigint,
  flag: column.boolean,
  id: column.id,
  list: column.texts,
  moment: column.moment,
  number: column.int,
  state: column.boolean,
  text: column.text,
  word: column.text,
};

type SettingColumns<List extends readonly Setting[]> = {
  readonly [Name in keyof SettingsOf<List>]: TypedColumn<SettingsOf<List>[Name]>;
};

export function settingColumns<const List extends readonly Setting[]>(settings: List): SettingColumns<List> {
  const columns = settings.map((one) => {
    const { name, kind } = one;
    const own = COLUMN_OF[kind.spelling]?.(columnOf(one));
    if (!own) throw new Error(`no column can keep ${name}`);
    const isOptional = kind.none !== undefined && kind.none.value === undefined;
    return [name, isOptional ? own.optional() : own];
  });
  // Object.fromEntries has lost which names they are.
  return Object.fromEntries(columns) as SettingColumns<List>;
}
