import type { ComponentChildren, VNode } from 'preact';

import { fieldId } from './field.tsx';
import type { FieldErrors, Frame } from './frame.ts';
import { Notice } from './notice.tsx';

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
