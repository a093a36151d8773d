import type { Form } from '../../pages/form/form.ts';

const day = 86_400_000;
const lengths = { never: undefined, day, week: 7 * day, month: 30 * day } as const;

/** When a filter or a mute ends by itself. */
export type Ends = keyof typeof lengths;

export const allEnds: readonly Ends[] = ['never', 'day', 'week', 'month'];

/** The choice in the field `ends`; `never` if it is malformed. */
export function readEnds(form: Form): Ends {
  const given = form.text('ends');
  return allEnds.find((ends) => ends === given) ?? 'never';
}

/** Counted from `now`; undefined: it has no end. */
export function toEnd(ends: Ends, now: Date): Date | undefined {
  const length = lengths[ends];
  return length === undefined ? undefined : new Date(now.getTime() + length);
}
