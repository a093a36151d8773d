import type { ComponentChildren, VNode } from 'preact';

interface NoticeProps {
  /** `problem` is announced and receives focus, so that Tab continues at the field to correct. */
  readonly kind: 'done' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

const roles = { done: 'status', warning: 'note', problem: 'alert' } as const;

/** Screen readers often skip alerts that are present at page load, but never the focused element. */
const withFocus = { tabIndex: -1, autofocus: true } as const;

export function Notice({ kind, children }: NoticeProps): VNode {
  return (
    <div class={`notice ${kind}`} role={roles[kind]} {...(kind === 'problem' ? withFocus : {})}>
      {children}
    </div>
  );
}
