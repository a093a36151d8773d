import { hash } from 'node:crypto';

import { parseReason } from '@linnet/accounts/operators/operator-act';
import type { ReasonProblem as ActProblem } from '@linnet/accounts/operators/operator-act';
import { maxSuspensionReason } from '@linnet/accounts/suspension-store';
import { isPrintable } from '@linnet/contract/name-text';
import type { Context } from 'koa';
import type { ComponentChildren, VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { Options, PostForm, TextField, fieldId, findTyped } from '../../pages/views/field.tsx';

/** Parameters of pages that find something. Malformed ones count as absent. */
const maxText = 300;

export function readText(ctx: Pick<Context, 'query'>, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' && value.length <= maxText && !value.includes('\0') ? value.trim() : '';
}

/** A positive id. */
export function readNumber(ctx: Pick<Context, 'query'>, name: string): number | undefined {
  return parseId(readText(ctx, name));
}

/** Undefined if the text is no id. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

interface SelectProps<Option extends string> {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly options: readonly Option[];
  readonly texts: Readonly<Record<Option, string>>;
}

/** One of several options. */
export function Select<Option extends string>({ name, label, chosen, options, texts }: SelectProps<Option>): VNode {
  const id = fieldId(name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Options {...{ id, name, chosen }} options={options.map((option) => [option, texts[option]])} />
    </div>
  );
}

/** An address with the parameters that are not empty. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

type ReasonProblem = ActProblem | 'shown-too-long';

interface ReadReason {
  readonly reason: string;
  /** What the person is shown. */
  readonly shownReason?: string | undefined;
  readonly problem?: ReasonProblem | undefined;
}

/** The reasons, trimmed, or what is wrong with one. */
export function readReason(form: Form, action: string): ReadReason {
  const shown = form.text(shownReasonField).trim().replaceAll(/\s+/g, ' ');
  const read = { ...parseReason(form.text(reasonField(action))), shownReason: shown === '' ? undefined : shown };
  if (read.problem !== undefined) return read;
  if ([...shown].length > maxSuspensionReason) return { ...read, problem: 'shown-too-long' };
  return shown === '' || isPrintable(shown) ? read : { ...read, problem: 'unprintable' };
}

/** The field of a suspension for what the person is shown. */
const shownReasonField = 'shown_reason';

/** One name per form of a page, because ids of fields are unique. */
export function reasonField(action: string): string {
  return `reason_${action}`;
}

/** A form that was refused. */
export interface RefusedReason extends ReadReason {
  readonly action: string;
  readonly problem: ReasonProblem;
}

/** They take nothing away from anybody. */
const gentleActs: ReadonlySet<string> = new Set(['restore', 'unlimit', 'verify', 'resend-confirmation', 'dismissed']);

export function isGentle(action: string): boolean {
  return gentleActs.has(action);
}

interface ReasonFormProps {
  readonly frame: Frame;
  readonly action: string;
  /** What the field is named after, if a page has several forms with the action. */
  readonly field?: string;
  /** Further hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly texts: { readonly label: string; readonly text: string; readonly submit: string };
  readonly refused?: RefusedReason | undefined;
  /** Whether the person can be shown a reason. */
  readonly isShown?: boolean;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** The form of an act: what it does, and the reason that the audit log keeps. */
export function ReasonForm(props: ReasonFormProps): VNode {
  const { frame, action, field = action, hidden, texts, refused, isShown = false, children } = props;
  const own = refused?.action === field ? refused : undefined;
  const fields = { action, ...hidden };
  return (
    <details open={own !== undefined || findTyped(frame, fields) !== undefined}>
      <summary>{texts.label}</summary>
      <PostForm frame={frame} hidden={fields} testId={`act-${action}`}>
        <p>{texts.text}</p>
        <ReasonFields {...{ frame, field, refused: own, isShown }} />
        {children}
        <button class={isGentle(action) ? 'button' : 'button danger-button'}>{texts.submit}</button>
      </PostForm>
    </details>
  );
}

interface ReasonFieldsProps extends Pick<ReasonFormProps, 'frame' | 'refused' | 'isShown'> {
  readonly field: string;
}

/** The reason that the audit log keeps, and what the person is shown. */
export function ReasonFields({ frame, field, refused, isShown = false }: ReasonFieldsProps): VNode {
  const { reason } = frame.messages.admin;
  return (
    <>
      <TextField
        name={reasonField(field)}
        label={reason.label}
        hint={reason.hint}
        value={refused?.reason}
        error={
          refused === undefined || refused.problem === 'shown-too-long' ? undefined : reason.errors[refused.problem]
        }
        autocomplete="off"
      />
      {isShown ? <ShownReason frame={frame} refused={refused} /> : null}
    </>
  );
}

/** The error of a refused reason, by the name of its field. */
export function reasonErrors(frame: Frame, refused: RefusedReason | undefined): Readonly<Record<string, string>> {
  if (refused === undefined) return {};
  const field = refused.problem === 'shown-too-long' ? shownReasonField : reasonField(refused.action);
  return { [field]: frame.messages.admin.reason.errors[refused.problem] };
}

function ShownReason({ frame, refused }: Pick<ReasonFormProps, 'frame' | 'refused'>): VNode {
  const { reason, shownReason } = frame.messages.admin;
  return (
    <TextField
      name={shownReasonField}
      label={shownReason.label}
      hint={shownReason.hint}
      value={refused?.shownReason}
      error={refused?.problem === 'shown-too-long' ? reason.errors[refused.problem] : undefined}
      optional={frame.messages.form.optional}
      autocomplete="off"
    />
  );
}

/** The form of an act on one of several rows of a page. */

/** The hidden field with what the act is about. */
export const targetField = 'target';

/** Distinguishes the form from those of other rows. Any text may be a target, so it is no part of an element id. */
export function rowKey(action: string, target: string): string {
  return `${action}-${hash('sha256', target).slice(0, 12)}`;
}

interface TargetFormProps {
  readonly frame: Frame;
  readonly action: string;
  readonly target: string;
  readonly texts: { readonly label: string; readonly text: string; readonly submit: string };
  readonly refused?: RefusedReason | undefined;
}

export function TargetForm({ frame, action, target, texts, refused }: TargetFormProps): VNode {
  const field = rowKey(action, target);
  return <ReasonForm {...{ frame, action, texts, refused, field }} hidden={{ [targetField]: target }} />;
}
