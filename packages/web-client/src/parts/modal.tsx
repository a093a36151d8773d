import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { Icon } from './icons.tsx';

interface ModalProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly kind: 'compose' | 'crop' | 'keys' | 'menu' | 'question' | 'versions';
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page. The browser keeps the focus in it, and Escape closes it. */
export function Modal({ title, closeLabel, kind, onClose, children }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key arrives, so that fast typing does not reach the page.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector('textarea')?.focus();
    return () => {
      // Until the dialog is gone, the rest of the page cannot have the focus.
      if (opener instanceof HTMLElement) queueMicrotask(() => opener.focus());
    };
  }, []);
  // Another step of the dialog: the control that led there is gone, and the focus with it.
  useLayoutEffect(() => {
    if (dialog.current?.contains(document.activeElement) === true) return;
    dialog.current?.querySelector<HTMLElement>('textarea, select, .modal-actions button')?.focus();
  }, [title]);
  return (
    <dialog ref={dialog} class={`modal ${kind}`} aria-labelledby={id} onClose={onClose}>
      <header class="modal-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="round" aria-label={closeLabel} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
