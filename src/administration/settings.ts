// Changes of settings, as an administrator gives them.

import {
  InvalidSettings,
  readSettings,
  type Setting,
  type SettingContext,
  type SettingsOf,
} from '../domain/merchant/setting.ts';
import { type Given, Unfit } from './given.ts';

/** Throws `Unfit` when one of them cannot be made. */
export function changesIn<const List extends readonly Setting[]>(
  settings: List,
  given: Given,
  context: SettingContext,
): Partial<SettingsOf<List>> {
  const read = readSettings(settings, given, context);
  if (read instanceof InvalidSettings) throw new Unfit(...read.faults);
  return read;
}
