import type { VNode } from 'preact';

import { useClient } from '../client.ts';
import { Modal } from './modal.tsx';

interface QuestionProps extends ConfirmationProps {
  readonly title: string;
}

interface ConfirmationProps {
  readonly hint: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something that cannot be undone. */
export function Question({ title, ...confirmation }: QuestionProps): VNode {
  const { texts } = useClient();
  return (
    <Modal title={title} closeLabel={texts.post.cancel} kind="question" onClose={confirmation.onCancel}>
      <Confirmation {...confirmation} />
    </Modal>
  );
}

/** The same within a dialog that is open. */
export function Confirmation({ hint, confirm, onConfirm, onCancel }: ConfirmationProps): VNode {
  const { texts } = useClient();
  return (
    <>
      <p>{hint}</p>
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={onCancel}>
          {texts.post.cancel}
        </button>
        <button type="button" class="danger" onClick={onConfirm}>
          {confirm}
        </button>
      </p>
    </>
  );
}
