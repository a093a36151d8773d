import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PostForm } from '../../pages/views/field.tsx';

/** Form field: `keep` or `leave`. */
export const restorationField = 'restoration';

export interface RestorationPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly deletedAt: Date;
  readonly erasedAt: Date;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Asks the owner of a deleted account, who has just signed in, whether to keep it. */
export function RestorationPage(props: RestorationPageProps): VNode {
  const { frame, username, deletedAt, erasedAt, isStep = false } = props;
  const { messages } = frame;
  const { restoration: texts } = messages.signIn;
  const name = <UserText strong text={`@${username}`} />;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <p>{texts.deleted(name, messages.formatMinute(deletedAt))}</p>
      <p>{texts.erased(messages.formatMinute(erasedAt))}</p>
      <p>{texts.keepText}</p>
      <PostForm frame={frame} class="actions">
        <button class="button" name={restorationField} value="keep" data-testid="keep-account">
          {texts.keep}
        </button>
        <button class="button quiet-button" name={restorationField} value="leave" data-testid="leave-deleted">
          {texts.leave}
        </button>
      </PostForm>
    </Layout>
  );
}
