import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { applicationActions } from './application-actions.ts';

/** Field of the form: its person has seen the warning about the last secret. */
export const lastSecretField = 'last';

interface RetireSecretProps {
  readonly frame: Frame;
  readonly secret: OwnedSecret;
  /** The application has no other lasting secret. */
  readonly isLast: boolean;
  readonly isOpen: boolean;
}

/** Collapsed, so that retiring takes two steps: the second one shows what it does. */
export function RetireSecret({ frame, secret: { id }, isLast, isOpen }: RetireSecretProps): VNode {
  const { secrets: texts } = frame.messages.developer;
  const hidden = {
    action: applicationActions.retireSecret,
    secret: id,
    ...(isLast ? { [lastSecretField]: 'yes' } : {}),
  };
  return (
    <details open={isOpen}>
      <summary>{texts.retire}</summary>
      <PostForm frame={frame} hidden={hidden}>
        {isLast ? <Notice kind="warning">{texts.last}</Notice> : null}
        <p class="small">{texts.retireText}</p>
        <button class="button danger-button" data-testid="retire-secret" aria-describedby={`secret-${id}`}>
          {texts.retireNow}
        </button>
      </PostForm>
    </details>
  );
}
