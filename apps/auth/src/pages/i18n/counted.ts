/** The forms of a text that depends on a count; the count is written as the language writes numbers. */
interface CountedForms {
  /** In place of the count 0, where “none” is said in another way. */
  readonly zero?: string;
  readonly one: (count: string) => string;
  readonly other: (count: string) => string;
}

/**
 * Chooses the form that a count asks for in the language (`Intl.PluralRules`): French, for one, takes the
 * singular for 0. The `many` of millions, which French and Spanish know, is written as `other` where
 * numbers are written in digits.
 */
export function countingIn(language: string): (count: number, forms: CountedForms) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, { zero, one, other }) => {
    if (count === 0 && zero !== undefined) return zero;
    return (rules.select(count) === 'one' ? one : other)(numbers.format(count));
  };
}
