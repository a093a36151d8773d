import type { VNode } from 'preact';

import { durations } from '@linnet/applications/grant-duration';
import type { Duration } from '@linnet/applications/grant-duration';

import { durationField } from '../http/duration-field.ts';
import { Choice } from './choice.tsx';
import type { Frame } from './frame.ts';

interface DurationChoiceProps {
  readonly frame: Frame;
  /** Preselected; undefined: keep the current expiry. */
  readonly chosen: Duration | undefined;
}

/** Radio buttons for the expiry of a grant. */
export function DurationChoice({ frame, chosen }: DurationChoiceProps): VNode {
  const { durations: texts } = frame.messages;
  return (
    <fieldset class="choices">
      <legend>{texts.legend}</legend>
      {chosen === undefined ? <Choice type="radio" name={durationField} value="" label={texts.keep} checked /> : null}
      {durations.map((duration) => (
        <Choice
          key={duration}
          type="radio"
          name={durationField}
          value={duration}
          checked={duration === chosen}
          {...texts.choices[duration]}
        />
      ))}
    </fieldset>
  );
}
