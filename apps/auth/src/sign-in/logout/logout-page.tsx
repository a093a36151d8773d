import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

export interface LogoutPageProps {
  readonly frame: Frame;
  readonly username: string;
  /** The application that requested it (OpenID Connect RP-Initiated Logout). */
  readonly application?: { readonly name: string } | undefined;
  /** Target and hidden fields of the form, if it is not sent to the page itself. */
  readonly form?: { readonly action: string; readonly hidden: Readonly<Record<string, string>> } | undefined;
  /** Whether the person is sent back to the application, signed out or not. */
  readonly canReturn?: boolean;
}

/** Form field: `stay`, or `sign-out`. */
export const logoutField = 'choice';

/** Asks for confirmation. */
export function LogoutPage(props: LogoutPageProps): VNode {
  const { frame, username, application, form, canReturn = false } = props;
  const texts = frame.messages.signIn.logout;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={application !== undefined}>
      <h1>{texts.title}</h1>
      {application === undefined ? null : <p>{texts.asked(<UserText strong text={application.name} />)}</p>}
      <p>{texts.text(<UserText strong text={username} />, frame.serviceName)}</p>
      <p class="quiet">{texts.applicationsStay}</p>
      <PostForm frame={frame} action={form?.action} hidden={form?.hidden ?? {}} class="actions">
        <button class="button" name={logoutField} value="sign-out" data-testid="sign-out">
          {texts.submit}
        </button>
        {canReturn ? (
          <button class="button quiet-button" name={logoutField} value="stay">
            {texts.stay}
          </button>
        ) : (
          <a class="button quiet-button" href={pagePaths.applications}>
            {texts.stay}
          </a>
        )}
      </PostForm>
    </Layout>
  );
}

export interface SignedOutPageProps {
  readonly frame: Frame;
  /** The account was deleted just now, which revoked the session. */
  readonly isDeleted?: boolean;
}

/** Also for visitors who were not signed in. */
export function SignedOutPage({ frame, isDeleted = false }: SignedOutPageProps): VNode {
  const texts = frame.messages.signIn.logout;
  if (isDeleted) return <DeletedPage frame={frame} />;
  return (
    <Layout frame={frame} title={texts.doneTitle} kind="card">
      <h1>{texts.doneTitle}</h1>
      <p>{texts.doneText}</p>
      <p class="actions">
        <a class="button" href={pagePaths.login}>
          {texts.signInAgain}
        </a>
      </p>
    </Layout>
  );
}

function DeletedPage({ frame }: Pick<SignedOutPageProps, 'frame'>): VNode {
  const texts = frame.messages.account.deletion;
  return (
    <Layout frame={frame} title={texts.doneTitle} kind="card">
      <h1>{texts.doneTitle}</h1>
      <p>{texts.doneText}</p>
      <p class="quiet">{texts.regretText}</p>
    </Layout>
  );
}
