/** The field with which people choose how long a grant lasts. */
import { durations } from '@linnet/applications/grants/active-grant';
import type { Duration } from '@linnet/applications/grants/active-grant';

import { FormRefused } from './form.ts';
import type { Form } from './form.ts';

export const durationField = 'duration';

/**
 * Undefined for a form without the field.
 * @throws FormRefused if the value is not one of `durations`.
 */
export function findDuration(form: Form): Duration | undefined {
  const given = form.text(durationField);
  if (given === '') return undefined;
  const duration = durations.find((one) => one === given);
  if (duration === undefined) throw new FormRefused(400, `There is no duration ${JSON.stringify(given)}.`);
  return duration;
}
