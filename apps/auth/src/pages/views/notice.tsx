import type { ComponentChildren, VNode } from 'preact';

interface NoticeProps {
  /** `problem` is read out at once, and has the focus: Tab goes on from there, to what has to be mended. */
  readonly kind: 'done' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

const roles = { done: 'status', warning: 'note', problem: 'alert' } as const;

/** Screen readers often pass over alerts that a page begins with; none passes over what has the focus. */
const withFocus = { tabIndex: -1, autofocus: true } as const;

export function Notice({ kind, children }: NoticeProps): VNode {
  return (
    <div class={`notice ${kind}`} role={roles[kind]} {...(kind === 'problem' ? withFocus : {})}>
      {children}
    </div>
  );
}
