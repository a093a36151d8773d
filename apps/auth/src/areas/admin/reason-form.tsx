/** The form of an act: what it does, and the reason that the audit log keeps. */
import type { VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import { TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';

const maxReason = 200;

export type ReasonProblem = 'missing' | 'too-long' | 'personal';

/** The reason, trimmed, or what is wrong with it. */
export function readReason(form: Form, action: string): { readonly reason: string; readonly problem?: ReasonProblem } {
  const reason = form.text(reasonField(action)).trim().replaceAll(/\s+/g, ' ');
  if (reason === '') return { reason, problem: 'missing' };
  if (reason.length > maxReason) return { reason, problem: 'too-long' };
  return reason.includes('@') ? { reason, problem: 'personal' } : { reason };
}

/** One name per form of a page, because ids of fields are unique. */
export function reasonField(action: string): string {
  return `reason_${action}`;
}

/** A form that was refused. */
export interface RefusedReason {
  readonly action: string;
  readonly reason: string;
  readonly problem: ReasonProblem;
}

/** They take nothing away from anybody. */
const gentleActs: ReadonlySet<string> = new Set(['restore', 'verify', 'resend-confirmation', 'dismissed']);

interface ReasonFormProps {
  readonly frame: Frame;
  readonly action: string;
  /** What the field is named after, if a page has several forms with the action. */
  readonly field?: string;
  /** Further hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly texts: { readonly label: string; readonly text: string; readonly submit: string };
  readonly refused?: RefusedReason | undefined;
}

export function ReasonForm({ frame, action, field = action, hidden, texts, refused }: ReasonFormProps): VNode {
  const { reason } = frame.messages.admin;
  const own = refused?.action === field ? refused : undefined;
  return (
    <details open={own !== undefined}>
      <summary>{texts.label}</summary>
      <PostForm frame={frame} hidden={{ action, ...hidden }} testId={`act-${action}`}>
        <p>{texts.text}</p>
        <TextField
          name={reasonField(field)}
          label={reason.label}
          hint={reason.hint}
          value={own?.reason}
          error={own === undefined ? undefined : reason.errors[own.problem]}
          autocomplete="off"
        />
        <button class={gentleActs.has(action) ? 'button' : 'button danger-button'}>{texts.submit}</button>
      </PostForm>
    </details>
  );
}
