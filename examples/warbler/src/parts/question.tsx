import type { VNode } from 'preact';

import { useWarbler } from '../warbler.ts';
import { Modal } from './modal.tsx';

interface QuestionProps {
  readonly title: string;
  readonly hint: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something that cannot be undone. */
export function Question({ title, hint, confirm, onConfirm, onCancel }: QuestionProps): VNode {
  const { texts } = useWarbler();
  return (
    <Modal title={title} closeLabel={texts.post.cancel} kind="question" onClose={onCancel}>
      <p>{hint}</p>
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={onCancel}>
          {texts.post.cancel}
        </button>
        <button type="button" class="danger" onClick={onConfirm}>
          {confirm}
        </button>
      </p>
    </Modal>
  );
}
