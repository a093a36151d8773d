import { useRef, useState } from 'preact/hooks';

import type { Toast } from '../parts/toasts.tsx';
import type { ToastAction } from '../client.ts';

/** Long enough to read two sentences. */
const shownMs = 7000;
/** More would cover the page. */
const maxShown = 2;

interface ShownToasts {
  readonly toasts: readonly Toast[];
  readonly notify: (text: string, action?: ToastAction) => void;
  readonly dismiss: (id: number) => void;
}

export function useToasts(): ShownToasts {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const dismiss = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id));
  return {
    toasts,
    dismiss,
    notify: (text, action) => {
      last.current += 1;
      const id = last.current;
      // A message that is shown already is not shown twice.
      const added = { id, text, action };
      setToasts((shown) => [...shown.filter((toast) => toast.text !== text), added].slice(-maxShown));
      setTimeout(() => dismiss(id), shownMs);
    },
  };
}
