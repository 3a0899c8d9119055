// How a setting is spelled: its column, its option with its help, and the line that shows it.

import type { Spelling } from '../input-kinds.ts';
import { CLEARED, type Setting } from './setting.ts';

const TAKES: Partial<Record<Spelling, string>> = { flag: 'on|off' };

const spelled = (name: string, gap: string) => name.replace(/[A-Z]/g, (letter) => gap + letter.toLowerCase());

/** `signed_forms` for `signedForms`. */
export function columnOf({ name }: Setting): string {
  return spelled(name, '_');
}

/** `--signed-forms <on|off>` for `signedForms`, `--enable` for a state; undefined where no option changes it. */
export function optionOf({ name, kind, option = spelled(name, '-'), takes }: Setting): string | undefined {
  if (option === false) return undefined;
  return kind.spelling === 'state' ? '--enable' : `--${option} <${takes ?? TAKES[kind.spelling] ?? kind.spelling}>`;
}

/** What the setting does, and the word that clears it. Of a list that lets in, `none` lets in everybody: it says so. */
export function helpOf({ says, kind }: Setting): string {
  if (!kind.none) return says;
  const { word } = kind.none;
  return `${says}, or ${word}${word === CLEARED ? '' : `; none means ${word}`}`;
}

/** A setting's value in words for people; `told` is the value as views have it. */
export function settingText({ kind, unset = kind.none?.word ?? '' }: Setting, told: unknown): string {
  if (typeof told === 'boolean')
    return kind.spelling === 'state' ? (told ? 'enabled' : 'disabled') : told ? 'on' : 'off';
  if (Array.isArray(told)) return told.join(', ') || unset;
  return told === null || told === undefined ? unset : String(told);
}

/** `Signed forms` for `signedForms`. */
export function titleOf({ name, title = spelled(name, ' ') }: Setting): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}
