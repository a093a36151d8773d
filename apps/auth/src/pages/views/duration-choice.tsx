import type { VNode } from 'preact';

import { durations } from '@linnet/applications/grants/active-grant';
import type { Duration } from '@linnet/applications/grants/active-grant';

import { durationField } from '../http/duration-field.ts';
import { Choice } from './choice.tsx';
import type { Frame } from './frame.ts';

interface DurationChoiceProps {
  readonly frame: Frame;
  /** Preselected; undefined: keep the current expiry. */
  readonly chosen: Duration | undefined;
  /** The choice that keeps the current expiry. */
  readonly keep?: { readonly value: string; readonly label: string };
}

/** Radio buttons for the expiry of a grant. */
export function DurationChoice({ frame, chosen, keep }: DurationChoiceProps): VNode {
  const { durations: texts } = frame.messages;
  const { value, label } = keep ?? { value: '', label: texts.keep };
  return (
    <fieldset class="choices">
      <legend>{texts.legend}</legend>
      {chosen === undefined ? <Choice type="radio" name={durationField} value={value} label={label} checked /> : null}
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
