// Settings as columns: each has one of its own, whose type follows from its kind.

import type { Setting, SettingKind, SettingsOf } from '../domain/merchant/setting.ts';
import { columnOf } from '../domain/merchant/setting-spelling.ts';
import type { Row } from './database.ts';

type Sort = SettingKind<unknown>['sort'];

/** How a value is written and read where the driver has another type for it. */
const OTHERWISE: Partial<Record<Sort, { write(value: unknown): unknown; read(value: unknown): unknown }>> = {
  amount: {
    write: (minor) => (minor as bigint | undefined)?.toString() ?? null,
    read: (text) => (text === null ? undefined : BigInt(text as string)),
  },
};

/** In the order of the list. */
export function settingValues<const List extends readonly Setting[]>(list: List, values: SettingsOf<List>): unknown[] {
  const all = values as Readonly<Record<string, unknown>>;
  return list.map(({ name, kind }) => OTHERWISE[kind.sort]?.write(all[name]) ?? all[name] ?? null);
}

export function settingsFrom<const List extends readonly Setting[]>(list: List, row: Row): SettingsOf<List> {
  const read = list.map((one): [string, unknown] => {
    const value = row[columnOf(one)];
    const from = OTHERWISE[one.kind.sort]?.read;
    return [one.name, from ? from(value) : (value ?? undefined)];
  });
  return Object.fromEntries(read) as SettingsOf<List>;
}

/** One row, its values in the order of the columns. */
export function insertInto(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
}

/** The row of these keys; their values come first. */
export function update(table: string, keys: readonly string[], columns: readonly string[]): string {
  const equals = (list: readonly string[], first: number) => list.map((name, index) => `${name} = $${first + index}`);
  return `update ${table} set ${equals(columns, keys.length + 1).join(', ')} where ${equals(keys, 1).join(' and ')}`;
}
