import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { AccountLayout } from './account-layout.tsx';
import { PendingEmailPanel } from './pending-email.tsx';
import type { PendingEmail } from './pending-email.tsx';

export type EmailField = 'email' | 'current_password';

/** Values of the parameter `done`. */
export const emailDone = ['sent', 'resent', 'change-cancelled'] as const;
type EmailDone = (typeof emailDone)[number];

const doneTexts = { sent: 'sent', resent: 'resent', 'change-cancelled': 'changeCancelled' } as const;

export interface EmailPageProps {
  readonly frame: Frame;
  readonly present: string;
  readonly isVerified: boolean;
  /** A new address that has not been verified yet. */
  readonly pending?: PendingEmail | undefined;
  /** As typed. */
  readonly next?: string;
  readonly errors?: FieldErrors<EmailField>;
  readonly problem?: string | undefined;
  readonly done?: EmailDone | undefined;
}

export function EmailPage(props: EmailPageProps): VNode {
  const { frame, present, isVerified, pending, next, errors = {}, problem, done } = props;
  const { page: texts } = frame.messages.email;
  return (
    <AccountLayout frame={frame} page="email" title={texts.title}>
      {done === undefined ? null : <Notice kind="done">{texts[doneTexts[done]]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <dl class="facts panel">
        <div>
          <dt>{texts.present}</dt>
          <dd>
            <UserText text={present} /> <span class="quiet">({isVerified ? texts.verified : texts.unverified})</span>
          </dd>
        </div>
      </dl>
      {isVerified ? null : <ResendForm frame={frame} />}
      {pending === undefined ? null : <PendingEmailPanel frame={frame} pending={pending} />}
      <h2>{texts.changeTitle}</h2>
      <p>{texts.changeText}</p>
      <PostForm frame={frame} class="panel" hidden={{ action: 'change' }}>
        <TextField
          name="email"
          type="email"
          label={texts.next}
          value={next}
          error={errors.email}
          autocomplete="email"
        />
        <TextField
          name="current_password"
          type="password"
          label={texts.password}
          error={errors.current_password}
          autocomplete="current-password"
        />
        <button class="button" data-testid="change-email">
          {texts.submit}
        </button>
      </PostForm>
    </AccountLayout>
  );
}

function ResendForm({ frame }: { readonly frame: Frame }): VNode {
  const { page: texts } = frame.messages.email;
  return (
    <PostForm frame={frame} class="panel" hidden={{ action: 'resend' }}>
      <p>{texts.unverifiedText}</p>
      <button class="button quiet-button" data-testid="resend-verification">
        {texts.resend}
      </button>
    </PostForm>
  );
}
