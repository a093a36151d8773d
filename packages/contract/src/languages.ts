/** The languages of pages and problem titles. English comes first and is the default (decisions D59). */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

/** The language that a tag such as `de-AT` selects (RFC 4647 §3.4, by the primary subtag). */
export function findLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split(/[-_]/);
  return languages.find((language) => language === primary);
}

/** The part of a Koa context that reads Accept-Language. */
interface LanguageRequest {
  acceptsLanguages(...supported: string[]): string | false;
}

/** The language that Accept-Language prefers, English when it accepts none of them. */
export function negotiateLanguage(request: LanguageRequest): Language {
  const accepted = request.acceptsLanguages(...languages);
  return languages.find((language) => language === accepted) ?? 'en';
}
