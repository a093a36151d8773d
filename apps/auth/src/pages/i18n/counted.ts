/** Plural forms of a text. */
interface CountedForms {
  /** Replaces the form for 0 where “none” is worded differently. */
  readonly zero?: string;
  readonly one: (count: string) => string;
  readonly other: (count: string) => string;
}

/**
 * Chooses the plural form for a count (`Intl.PluralRules`): French, for example, uses the singular for 0. The form
 * `many`, which French and Spanish use for millions, is the same as `other` when numbers are written in digits.
 */
export function countingIn(language: string): (count: number, forms: CountedForms) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, { zero, one, other }) => {
    if (count === 0 && zero !== undefined) return zero;
    return (rules.select(count) === 'one' ? one : other)(numbers.format(count));
  };
}

/** Hours and minutes, in symbols that all languages share. */
export function describeMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const inMinutes = `${String(rest)}\u00a0min`;
  if (hours === 0) return inMinutes;
  return rest === 0 ? `${String(hours)}\u00a0h` : `${String(hours)}\u00a0h ${inMinutes}`;
}
