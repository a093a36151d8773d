import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { AccountLayout } from './account-layout.tsx';

/** Values of the buttons, in the field `action`. */
export const usernameActions = { check: 'check', change: 'change' } as const;

export interface UsernamePageProps {
  readonly frame: Frame;
  readonly username: string;
  /** Address of the public profile. */
  readonly address: string;
  /** As typed. */
  readonly wanted?: string;
  readonly error?: string | undefined;
  /** `wanted` was checked and is available. */
  readonly isFree?: boolean;
  readonly isChanged?: boolean;
  /** A new username ends it. */
  readonly isVerified?: boolean;
}

export function UsernamePage(props: UsernamePageProps): VNode {
  const {
    frame,
    username,
    address,
    wanted = username,
    error,
    isFree = false,
    isChanged = false,
    isVerified = false,
  } = props;
  const { username: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="username" title={texts.title}>
      <p class="lead">{texts.intro(<UserText strong text={`@${username}`} />)}</p>
      {isChanged ? <Notice kind="done">{texts.changed}</Notice> : null}
      {isFree ? <Notice kind="done">{texts.free(<UserText strong text={wanted} />)}</Notice> : null}
      <ErrorSummary frame={frame} errors={{ username: error }} />
      <PostForm frame={frame} class="panel">
        {isVerified ? <p data-testid="verified-notice">{frame.messages.names.changeEndsVerification}</p> : null}
        <TextField
          name="username"
          label={texts.field}
          value={wanted}
          hint={texts.hint}
          error={error}
          autocomplete="username"
        />
        <div class="actions">
          <button class="button" name="action" value={usernameActions.change} data-testid="change-username">
            {texts.submit}
          </button>
          <button class="button quiet-button" name="action" value={usernameActions.check} data-testid="check-username">
            {texts.check}
          </button>
        </div>
      </PostForm>
      <section>
        <h2>{texts.consequences}</h2>
        <ul class="plain">
          <li>{texts.oldAddress(<code>{address}</code>)}</li>
          <li>{texts.oldName}</li>
          <li>{texts.limit}</li>
          <li>{texts.mentions}</li>
        </ul>
      </section>
    </AccountLayout>
  );
}
