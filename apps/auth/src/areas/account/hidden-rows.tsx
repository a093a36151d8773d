import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { PostForm } from '../../pages/views/field.tsx';

/** Values of the hidden field `action`. */
export const hiddenActions = {
  addFilter: 'add-filter',
  /** With the field `id`, as the others that undo. */
  removeFilter: 'remove-filter',
  mute: 'mute',
  unmute: 'unmute',
  block: 'block',
  unblock: 'unblock',
} as const;

type Undo = 'removeFilter' | 'unmute' | 'unblock';

interface RowsProps {
  readonly frame: Frame;
  readonly action: Undo;
  readonly children: ComponentChildren;
}

/** A list of `Row`. One form for all rows: each button sends the id of its row. */
export function Rows({ frame, action, children }: RowsProps): VNode {
  return (
    <PostForm frame={frame} hidden={{ action: hiddenActions[action] }}>
      <ul class="rows">{children}</ul>
    </PostForm>
  );
}

interface RowProps {
  readonly frame: Frame;
  readonly action: Undo;
  readonly id: number;
  /** Contains an element with the id `<action>-<id>`. */
  readonly children: VNode;
}

export function Row({ frame, action, id, children }: RowProps): VNode {
  const { actions } = frame.messages.hidden;
  return (
    <li class="row with-action">
      {children}
      <button
        class="button quiet-button"
        name="id"
        value={id}
        data-testid={hiddenActions[action]}
        aria-describedby={`${action}-${String(id)}`}
      >
        {actions[action]}
      </button>
    </li>
  );
}
