// Chooses the payer's language: the one that was switched to, else the browser's first one that we have.

import { LANGUAGES, type Language } from '../../domain/merchant/look.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en, type TextName, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ru } from './texts/ru.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, ru, ar };

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(['ar']);

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

export function chooseLanguage(switched: string | null, acceptLanguage: string | undefined): Language {
  return knownLanguage(switched ?? '') ?? preferred(acceptLanguage ?? '') ?? 'en';
}

export function knownLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split('-', 1)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** The header names languages with weights: `de-CH, fr;q=0.8, *;q=0.1`. */
function preferred(header: string): Language | undefined {
  const weighted = header.split(',', 20).map((entry) => {
    const [tag = '', ...parameters] = entry.split(';');
    const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters[0] ?? '')?.[1];
    return { language: knownLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const readable = weighted.filter(({ language, weight }) => language !== undefined && weight > 0);
  return readable.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** Says a text in one language. */
export type Say = (name: TextName, words?: Readonly<Record<string, string>>) => string;

export function sayIn(language: Language): Say {
  const texts = TEXTS[language];
  // A name that somebody else wrote keeps its own direction and does not change that of the sentence.
  const isolated = (word: string) => (directionOf(language) === 'rtl' ? `\u2068${word}\u2069` : word);
  return (name, words = {}) => texts[name].replace(/\{(\w+)\}/g, (_, word: string) => isolated(words[word] ?? ''));
}
