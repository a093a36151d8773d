import { en } from './en.ts';
import type { Texts } from './en.ts';

export const languages = ['en', 'de', 'es', 'fr'] as const;
export type Language = (typeof languages)[number];

/** Each language in its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
};

const key = 'linnet-client-language';

/** The language that the person chose here, otherwise the first of the browser that the client speaks. */
export function chooseLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (
    wanted.map((tag) => languages.find((language) => language === tag)).find((found) => found !== undefined) ?? 'en'
  );
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language);
}

/** Loads the texts of a language. English is part of the first file; the others are loaded on demand. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return en;
    case 'de':
      return (await import('./de.ts')).de;
    case 'es':
      return (await import('./es.ts')).es;
    case 'fr':
      return (await import('./fr.ts')).fr;
  }
}
