import type { VNode } from 'preact';

import type { ToastAction } from '../client.ts';
import { Icon } from './icons.tsx';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: ToastAction | undefined;
}

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly dismissLabel: string;
  readonly dismiss: (id: number) => void;
}

/** Short messages at the edge of the screen. Screen readers read them. */
export function Toasts({ toasts, dismissLabel, dismiss }: ToastsProps): VNode {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, action }) => (
        <div key={id} class="toast">
          <p>{text}</p>
          {action !== undefined && (
            <button
              type="button"
              class="link"
              onClick={() => {
                dismiss(id);
                action.act();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="round" aria-label={dismissLabel} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
