/** A text that depends on a number, in languages with the plural forms `one` and `other`. */
export type Counted = (count: number, language: string) => string;

/** `one` for 1, otherwise `other` with the number in the notation of the language. */
export function counted(one: string, other: (count: string) => string): Counted {
  return (count, language) => {
    const form = new Intl.PluralRules(language).select(count);
    // French says 0 in the singular, so the singular of a number other than 1 keeps the number.
    if (form === 'one' && count === 1) return one;
    return other(new Intl.NumberFormat(language).format(count));
  };
}
