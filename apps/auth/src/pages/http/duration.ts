/** How long access lasts, as people choose it. */
import { FormRefused } from './form.ts';
import type { Form } from './form.ts';

/** In the order of the page. */
export const durations = ['hour', 'month', 'until_stopped'] as const;

export type Duration = (typeof durations)[number];

export const durationField = 'duration';

/** Undefined: without an end. */
export const durationSeconds: Readonly<Record<Duration, number | undefined>> = {
  hour: 3600,
  month: 30 * 86_400,
  until_stopped: undefined,
};

/**
 * What was chosen; a form that does not say means until it is stopped.
 * @throws FormRefused for a word that no page of ours offers.
 */
export function readDuration(form: Form): Duration {
  return findDuration(form) ?? 'until_stopped';
}

/**
 * Undefined when the form says nothing.
 * @throws FormRefused as above.
 */
export function findDuration(form: Form): Duration | undefined {
  const given = form.text(durationField);
  if (given === '') return undefined;
  const duration = durations.find((one) => one === given);
  if (duration === undefined) throw new FormRefused(400, `There is no duration ${JSON.stringify(given)}.`);
  return duration;
}
