import type { ComponentChildren, VNode } from 'preact';

import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import { TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { allCalls, isPermitted } from './calls.ts';
import type { Call, Parameter } from './calls.ts';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const playgroundActions = {
  begin: 'begin',
  token: 'token',
  call: 'call',
  refresh: 'refresh',
  revoke: 'revoke',
} as const;

/** Query parameter: the id of the endpoint whose form is shown. */
export const callParameter = 'call';

export interface CallFormProps {
  readonly frame: Frame;
  readonly call: Call;
  /** As typed, by the name of the parameter. */
  readonly typed: Readonly<Record<string, string>>;
  /** By field name, see `fieldOf`. */
  readonly errors?: FieldErrors<string>;
  /** Scopes of the token. */
  readonly granted: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The prefix keeps parameters apart from the other fields of the page. */
export function fieldOf(parameter: string): string {
  return `p_${parameter}`;
}

/** A request to the API with the token of the run. */
export function CallForm({ frame, call, typed, errors = {}, granted, hidden }: CallFormProps): VNode {
  const texts = frame.messages.developer.playground;
  const { route, method, parameters } = call;
  return (
    <section id="call">
      <h2>{texts.callTitle}</h2>
      <p>{texts.callIntro}</p>
      <p>
        <code>
          {method} /api/v2.0{route.path}
        </code>{' '}
        <span lang="en">{route.summary}.</span>
      </p>
      {isPermitted(call, granted) ? null : <p class="hint">{texts.scopeMissing(<code>{route.scope}</code>)}</p>}
      <PostForm frame={frame} hidden={{ ...hidden, action: playgroundActions.call, call: route.id }} class="panel">
        {parameters.length === 0 ? <p>{texts.noParameters}</p> : null}
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            {...{ frame, parameter }}
            typed={typed[parameter.name] ?? ''}
            error={errors[fieldOf(parameter.name)]}
          />
        ))}
        <button class="button" data-testid="playground-call">
          {texts.sendCall}
        </button>
      </PostForm>
      <CallList frame={frame} granted={granted} />
    </section>
  );
}

interface ParameterFieldProps {
  readonly frame: Frame;
  readonly parameter: Parameter;
  readonly typed: string;
  readonly error: string | undefined;
}

function ParameterField({ frame, parameter, typed, error }: ParameterFieldProps): VNode {
  const { name, description, isRequired, kind, choices } = parameter;
  const { optional } = frame.messages.form;
  // Code would make the page heavier.
  const hint = <span lang="en">{description.replaceAll('`', '')}</span>;
  const values = kind === 'flag' ? ['true', 'false'] : choices;
  if (values.length > 0) return <Options {...{ frame, parameter, typed, error, hint, values }} />;
  return (
    <TextField
      name={fieldOf(name)}
      label={<code>{name}</code>}
      hint={hint}
      value={typed}
      error={error}
      autocomplete="off"
      {...(isRequired ? {} : { optional })}
    />
  );
}

interface OptionsProps extends ParameterFieldProps {
  readonly hint: ComponentChildren;
  readonly values: readonly string[];
}

function Options({ frame, parameter: { name }, typed, error, hint, values }: OptionsProps): VNode {
  const choices = [
    ['', frame.messages.developer.playground.leftOut],
    ...values.map((value) => [value, <code key={value}>{value}</code>] as const),
  ] as const;
  return (
    <ChoiceGroup name={fieldOf(name)} legend={<code>{name}</code>} hint={hint} error={error}>
      {choices.map(([value, label]) => (
        <Choice
          key={value}
          type="radio"
          name={fieldOf(name)}
          value={value}
          label={label}
          checked={typed === value || (value === '' && !values.includes(typed))}
        />
      ))}
    </ChoiceGroup>
  );
}

/** All endpoints; those that the token's scopes allow come first. */
function CallList({ frame, granted }: Pick<CallFormProps, 'frame' | 'granted'>): VNode {
  const texts = frame.messages.developer.playground;
  const permitted = allCalls().filter((call) => isPermitted(call, granted));
  const others = allCalls().filter((call) => !isPermitted(call, granted));
  return (
    <details>
      <summary>{texts.others}</summary>
      <Links calls={permitted} />
      {others.length === 0 ? null : <p>{texts.notPermitted}</p>}
      <Links calls={others} />
      <p class="hint">{texts.leftAway}</p>
    </details>
  );
}

function Links({ calls }: { readonly calls: readonly Call[] }): VNode | null {
  if (calls.length === 0) return null;
  return (
    <ul class="plain">
      {calls.map(({ route, method }) => (
        <li key={route.id}>
          <a href={`?${callParameter}=${route.id}#call`}>
            <code>
              {method} {route.path}
            </code>
          </a>
        </li>
      ))}
    </ul>
  );
}
