/** The scopes of an application: registered or not, required or optional, and the reason for each. */
import { scopes as apiScopes } from '@linnet/contract/scopes';
import type { VNode } from 'preact';

import { canBeOptional, isOptionalByDefault } from '@linnet/applications/settings/scope-settings';
import type { Form } from '../../../pages/form/form.ts';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { Options, fieldId, useTyped } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { scopeText } from '../../../pages/views/scope-list.tsx';

const offeredScopes = [...apiScopes, 'openid'];

const choiceField = (scope: string) => `use_${scope}`;
const reasonField = (scope: string) => `reason_${scope}`;

/** As typed. */
export interface ScopeValues {
  readonly scopes: readonly string[];
  /** By scope; includes scopes that are not ticked. */
  readonly optionalScopes: readonly string[];
  readonly scopeReasons: Readonly<Record<string, string>>;
}

/** Initial values for a new application. */
export const newScopeValues: ScopeValues = {
  scopes: ['users', 'posts'],
  optionalScopes: offeredScopes.filter(isOptionalByDefault),
  scopeReasons: {},
};

/** The form as typed, for showing it again. */
export function readScopeValues(form: Form): ScopeValues {
  const scopes = form.all('scope');
  const known = [...new Set([...offeredScopes, ...scopes])];
  return {
    scopes,
    optionalScopes: known.filter((scope) => {
      const use = form.text(choiceField(scope));
      return use === '' ? isOptionalByDefault(scope) : use === 'optional';
    }),
    scopeReasons: Object.fromEntries(known.map((scope) => [scope, form.text(reasonField(scope))])),
  };
}

/** A form without the fields for optional scopes and reasons leaves both unset. */
export function readScopeSettings(form: Form) {
  const { scopes, optionalScopes, scopeReasons } = readScopeValues(form);
  const isSaid = offeredScopes.some((scope) => form.all(choiceField(scope)).length > 0);
  const areReasonsSaid = offeredScopes.some((scope) => form.all(reasonField(scope)).length > 0);
  return {
    scopes,
    optionalScopes: isSaid ? optionalScopes : undefined,
    scopeReasons: areReasonsSaid ? scopeReasons : undefined,
  };
}

interface ScopeFieldsProps {
  readonly frame: Frame;
  readonly values: ScopeValues;
  readonly error: string | undefined;
}

export function ScopeFields({ frame, values, error }: ScopeFieldsProps): VNode {
  const { form } = frame.messages.developer;
  return (
    <ChoiceGroup name="scope" legend={form.scope} hint={form.scopeHint} error={error}>
      {offeredScopes.map((scope) => (
        <ScopeField key={scope} frame={frame} scope={scope} values={values} />
      ))}
    </ChoiceGroup>
  );
}

interface ScopeFieldProps extends Omit<ScopeFieldsProps, 'error'> {
  readonly scope: string;
}

function ScopeField({ frame, scope, values }: ScopeFieldProps): VNode {
  const { label, text } = scopeText(frame.messages, scope);
  const named = (
    <>
      {label} <code>{scope}</code>
    </>
  );
  return (
    <div class="scope-field">
      <Choice
        type="checkbox"
        name="scope"
        value={scope}
        label={named}
        text={text}
        checked={values.scopes.includes(scope)}
      />
      <Terms frame={frame} scope={scope} values={values} />
    </div>
  );
}

/** Required or optional, and the reason. The style sheet shows this for ticked scopes only. */
function Terms({ frame, scope, values }: ScopeFieldProps): VNode {
  const { form } = frame.messages.developer;
  return (
    <div class="scope-terms">
      {canBeOptional(scope) ? (
        <label>
          <span>{form.scopeUse}</span>
          <Options
            name={choiceField(scope)}
            chosen={values.optionalScopes.includes(scope) ? 'optional' : 'required'}
            options={[
              ['required', form.scopeRequired],
              ['optional', form.scopeOptional],
            ]}
          />
        </label>
      ) : null}
      <label for={fieldId(reasonField(scope))}>
        <span>{form.scopeReason}</span>
        <input
          type="text"
          id={fieldId(reasonField(scope))}
          name={reasonField(scope)}
          value={useTyped(reasonField(scope), values.scopeReasons[scope] ?? '')}
          autocomplete="off"
        />
      </label>
    </div>
  );
}
