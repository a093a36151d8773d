import { durations } from '@linnet/applications/grants/active-grant';
import type { Duration } from '@linnet/applications/grants/active-grant';
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { durationField } from '../form/form.ts';
import type { Frame } from '../frame/frame.ts';
import { FieldError, TypedFields, describedBy, fieldId } from './field.tsx';

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

interface ChoiceProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly label: ComponentChildren;
  readonly text?: ComponentChildren;
  readonly checked: boolean;
  /** For a single checkbox; a group shows one error for all. */
  readonly error?: string | undefined;
}

/** The element id of a choice, for links. */
export function choiceId(name: string, value: string): string {
  return `choice-${name}-${value}`;
}

/** A checkbox or radio button with its label and explanation. */
export function Choice({ type, name, value, label, text, checked, error }: ChoiceProps): VNode {
  const id = choiceId(name, value);
  const typed = useContext(TypedFields);
  const describing = [
    text === undefined ? [] : `${id}-text`,
    error === undefined ? [] : `${fieldId(name)}-error`,
  ].flat();
  return (
    <div class="choice" id={error === undefined ? undefined : fieldId(name)}>
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={typed?.all(name).includes(value) ?? checked}
        aria-describedby={describing.length === 0 ? undefined : describing.join(' ')}
        aria-invalid={error === undefined ? undefined : true}
      />
      <label for={id}>{label}</label>
      {text === undefined ? null : (
        <p class="hint" id={`${id}-text`}>
          {text}
        </p>
      )}
      <FieldError name={name} error={error} />
    </div>
  );
}

interface ChoiceGroupProps {
  readonly name: string;
  readonly legend: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}

/** A fieldset of choices. */
export function ChoiceGroup({ name, legend, hint, error, children }: ChoiceGroupProps): VNode {
  const describing = describedBy({ name, hint, error });
  return (
    <fieldset
      id={fieldId(name)}
      class={error === undefined ? 'choices' : 'choices wrong'}
      aria-describedby={describing}
    >
      <legend>{legend}</legend>
      {hint === undefined ? null : (
        <p class="hint" id={`${fieldId(name)}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldError name={name} error={error} />
    </fieldset>
  );
}
