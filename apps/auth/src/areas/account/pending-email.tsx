import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { PostForm } from '../../pages/views/field.tsx';

/** A new address that has not been verified yet. */
export interface PendingEmail {
  readonly id: number;
  readonly email: string;
  /** When the last link expires. */
  readonly expiresAt: Date;
}

interface PendingEmailPanelProps {
  readonly frame: Frame;
  readonly pending: PendingEmail;
}

export function PendingEmailPanel({ frame, pending }: PendingEmailPanelProps): VNode {
  const { messages } = frame;
  const { page: texts } = messages.email;
  const { email, expiresAt } = pending;
  const change = String(pending.id);
  return (
    <section class="panel" data-testid="pending-email">
      <h2>{texts.pendingTitle}</h2>
      <p>{texts.pendingText}</p>
      <dl class="facts">
        <div>
          <dt>{texts.next}</dt>
          <dd>
            <UserText text={email} />
          </dd>
        </div>
        <div>
          <dt>{texts.pendingUntil}</dt>
          <dd>
            <time datetime={expiresAt.toISOString()}>{messages.formatMinute(expiresAt)}</time>
          </dd>
        </div>
      </dl>
      <div class="actions">
        <PostForm frame={frame} hidden={{ action: 'resend-change', change }}>
          <button class="button quiet-button" data-testid="resend-email-change">
            {texts.resendChange}
          </button>
        </PostForm>
        <PostForm frame={frame} hidden={{ action: 'cancel-change', change }}>
          <button class="button quiet-button" data-testid="cancel-email-change">
            {texts.cancelChange}
          </button>
        </PostForm>
      </div>
    </section>
  );
}
