import type { ComponentChildren, VNode } from 'preact';

interface NoticeProps {
  /** `problem` is read out at once. */
  readonly kind: 'done' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

const roles = { done: 'status', warning: 'note', problem: 'alert' } as const;

export function Notice({ kind, children }: NoticeProps): VNode {
  return (
    <div class={`notice ${kind}`} role={roles[kind]}>
      {children}
    </div>
  );
}
