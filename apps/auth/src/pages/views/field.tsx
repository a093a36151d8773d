import { createContext } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { unkeptFields } from '../form/form.ts';
import type { Form } from '../form/form.ts';
import type { FieldErrors, Frame } from '../frame/frame.ts';
import { Notice } from './notice.tsx';

/** What was typed into this form, which could not be accepted; undefined for all others. */
export const TypedFields = createContext<Form | undefined>(undefined);

/** The element id of that form. */
export const typedFormId = 'typed';

/** The value of a field: what was typed, if the form is shown again after the session had ended. */
export function useTyped(name: string, value: string | undefined): string | undefined {
  const typed = useContext(TypedFields);
  return typed === undefined ? value : typed.all(name)[0];
}

interface FoldProps {
  readonly open: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A collapsed part of a form. */
export function Fold({ open, ...rest }: FoldProps): VNode {
  const isTyped = useContext(TypedFields) !== undefined;
  return <details open={open || isTyped} {...rest} />;
}

/** The form with these hidden fields, if it is the one that could not be accepted. */
export function findTyped({ returned }: Frame, hidden: Readonly<Record<string, string>>): Form | undefined {
  const typed = returned?.typed;
  const kept = Object.entries({ action: '', ...hidden }).filter(([name]) => !unkeptFields.has(name));
  const isSame = kept.every(([name, value]) => (typed?.all(name)[0] ?? '') === value);
  return isSame ? typed : undefined;
}

interface ErrorSummaryProps {
  readonly frame: Frame;
  readonly errors: FieldErrors<string>;
  /** A problem with the form as a whole. */
  readonly problem?: ComponentChildren;
}

/** The list of problems at the top of a rejected form, each linked to its field. Null if there are none. */
export function ErrorSummary({ frame, errors, problem }: ErrorSummaryProps): VNode | null {
  const entries = Object.entries(errors).filter(([, text]) => text !== undefined);
  const count = entries.length + (problem === undefined ? 0 : 1);
  if (count === 0) return null;
  if (entries.length === 0) return <Notice kind="problem">{problem}</Notice>;
  return (
    <Notice kind="problem">
      <p>{frame.messages.form.problems(count)}</p>
      <ul>
        {problem === undefined ? null : <li>{problem}</li>}
        {entries.map(([field, text]) => (
          <li key={field}>
            <a href={`#${fieldId(field)}`}>{text}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: ComponentChildren;
  /** What was entered; never a password. */
  readonly value?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** The label of an optional field; all others are required. */
  readonly optional?: string;
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'date';
  /** `one-time-code`: digits. */
  readonly autocomplete: string;
  /** Another field can be filled in instead. */
  readonly isAlternative?: boolean;
}

interface TextAreaProps extends FieldProps {
  readonly rows: number;
  /** Prose rather than machine-readable text. */
  readonly isProse?: boolean;
}

/** The element id of a field, for labels and links. */
export function fieldId(name: string): string {
  return `field-${name}`;
}

export function TextField(props: TextFieldProps): VNode {
  return (
    <FieldFrame {...props}>
      <Input {...props} />
    </FieldFrame>
  );
}

function Input({ type = 'text', autocomplete, isAlternative = false, ...field }: TextFieldProps): VNode {
  const required = field.optional === undefined && !isAlternative;
  const attributes = { ...attributesOf(field), autocomplete, required };
  const value = useTyped(field.name, field.value);
  if (type === 'password') return <input type="password" {...attributes} />;
  if (type === 'date') return <input type="date" value={value} {...attributes} />;
  if (type === 'email') return <input type="email" value={value} {...attributes} />;
  // No auto-correction of usernames.
  const exact = autocomplete.startsWith('username') ? ({ autocapitalize: 'none', spellcheck: false } as const) : {};
  const inputmode = autocomplete === 'one-time-code' ? 'numeric' : undefined;
  return <input type="text" value={value} inputmode={inputmode} {...exact} {...attributes} />;
}

/** A multi-line field for machine-readable text, one entry per line, or for prose. */
export function TextArea({ rows, isProse = false, ...field }: TextAreaProps): VNode {
  const exact = isProse ? {} : ({ class: 'code', spellcheck: false, autocapitalize: 'none' } as const);
  return (
    <FieldFrame {...field}>
      <textarea {...attributesOf(field)} {...exact} rows={rows} value={useTyped(field.name, field.value)} />
    </FieldFrame>
  );
}

interface OptionsProps {
  readonly id?: string;
  readonly name: string;
  readonly chosen: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A `select` element, whose label the caller adds. */
export function Options({ id, name, chosen, options }: OptionsProps): VNode {
  const value = useTyped(name, chosen);
  return (
    <select id={id} name={name}>
      {options.map(([option, label]) => (
        <option key={option} value={option} selected={option === value}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface FileFieldProps extends FieldProps {
  /** Media types. */
  readonly accept: string;
}

export function FileField({ accept, ...field }: FileFieldProps): VNode {
  return (
    <FieldFrame {...field}>
      <input type="file" accept={accept} {...attributesOf(field)} />
    </FieldFrame>
  );
}

function FieldFrame({
  name,
  label,
  hint,
  error,
  optional,
  children,
}: FieldProps & { readonly children: VNode }): VNode {
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={fieldId(name)}>
        {label}
        {optional === undefined ? null : <span class="quiet"> ({optional})</span>}
      </label>
      {hint === undefined ? null : (
        <p class="hint" id={`${fieldId(name)}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldError name={name} error={error} />
    </div>
  );
}

/** The error of a field. */
export function FieldError({ name, error }: Pick<FieldProps, 'name' | 'error'>): VNode | null {
  if (error === undefined) return null;
  return (
    <p class="error" id={`${fieldId(name)}-error`}>
      {error}
    </p>
  );
}

/** The value of a field's `aria-describedby`. */
export function describedBy({ name, hint, error }: Pick<FieldProps, 'name' | 'hint' | 'error'>): string | undefined {
  const ids = [
    ...(hint === undefined ? [] : [`${fieldId(name)}-hint`]),
    ...(error === undefined ? [] : [`${fieldId(name)}-error`]),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

function attributesOf(field: FieldProps) {
  return {
    id: fieldId(field.name),
    name: field.name,
    'aria-describedby': describedBy(field),
    'aria-invalid': field.error === undefined ? undefined : true,
  } as const;
}

interface PostFormProps {
  readonly frame: Frame;
  /** Defaults to the page's own URL. */
  readonly action?: string | undefined;
  /** Hidden fields: which of the page's forms this is, and what it is about. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Of the account whose password the form asks for. Password managers save it with the password, and find that of this account. */
  readonly username?: string | undefined;
  readonly class?: string;
  readonly testId?: string;
  /** Has a file field. */
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes something. `noValidate`, because the server's messages are in the reader's language. */
export function PostForm(props: PostFormProps): VNode {
  const { frame, action, hidden = {}, username, class: className, testId, hasFile = false, children } = props;
  const typed = findTyped(frame, hidden);
  return (
    <form
      id={typed === undefined ? undefined : typedFormId}
      method="post"
      enctype={hasFile ? 'multipart/form-data' : undefined}
      action={action}
      class={className}
      data-testid={testId}
      novalidate
    >
      <input type="hidden" name="csrf" value={frame.csrfToken()} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {username === undefined ? null : (
        <input
          type="text"
          value={username}
          autocomplete="username"
          aria-label={frame.messages.signIn.login.login}
          readonly
          hidden
        />
      )}
      <TypedFields.Provider value={typed}>{children}</TypedFields.Provider>
    </form>
  );
}
