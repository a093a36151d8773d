/** The form of an act on one of several rows of a page. */
import { hash } from 'node:crypto';

import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { ReasonForm } from './reason-form.tsx';
import type { RefusedReason } from './reason-form.tsx';

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
