import { de } from './de/de.ts';
import { en } from './en/en.ts';
import type { Messages } from './en/en.ts';
import { es } from './es/es.ts';
import { fr } from './fr/fr.ts';

export type { Messages } from './en/en.ts';

/** English comes first: it is taken when nothing else fits. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

/** Every text that a person reads. */
export const catalogues: Readonly<Record<Language, Messages>> = { en, de, fr, es };

/** The language a tag such as `de-AT` asks for (RFC 4647 §3.4, by the primary subtag). */
export function findLanguage(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return languages.find((language) => language === primary);
}
