import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { decisionField } from './consent-page.tsx';

export interface UnverifiedPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string };
  /** Page of the interaction, to return to afterwards. */
  readonly returnTo: string;
  /** Where to continue after the confirmation, which ended the session; `returnTo` if it works without a session. */
  readonly continueTo?: string | undefined;
  /** Hidden fields of the form that denies. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** Replaces the consent page while the account's e-mail address is not verified, if the service sends mail. */
export function UnverifiedPage(props: UnverifiedPageProps): VNode {
  const { frame, application, returnTo, continueTo = returnTo, hidden = {} } = props;
  const { email, consent } = frame.messages;
  const { required: texts, page } = email;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.text(<UserText strong text={application.name} />)}</p>
      <p>
        {texts.next} <a href={pagePaths.email}>{page.changeTitle}</a>
      </p>
      <p>
        <a class="button wide" href={continueTo}>
          {texts.continue}
        </a>
      </p>
      <PostForm frame={frame} action={pagePaths.email} hidden={{ action: 'resend', return_to: returnTo }}>
        <button class="button even wide" data-testid="resend-verification">
          {page.resend}
        </button>
      </PostForm>
      <PostForm frame={frame} hidden={hidden}>
        <button class="button quiet-button wide" name={decisionField} value="deny">
          {consent.deny}
        </button>
      </PostForm>
    </Layout>
  );
}
