import type { ComponentChildren, VNode } from 'preact';

import { describedBy, FieldError, fieldId } from './field.tsx';

interface ChoiceProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly label: ComponentChildren;
  readonly text?: ComponentChildren;
  readonly checked: boolean;
}

/** A checkbox or radio button whose whole card can be pressed. */
export function Choice({ type, name, value, label, text, checked }: ChoiceProps): VNode {
  const id = `choice-${name}-${value}`;
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
      />
      <label for={id}>{label}</label>
      {text === undefined ? null : (
        <p class="hint" id={`${id}-text`}>
          {text}
        </p>
      )}
    </div>
  );
}

interface ChoiceGroupProps {
  readonly name: string;
  readonly legend: ComponentChildren;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}

/** Choices that belong together under one question. */
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
