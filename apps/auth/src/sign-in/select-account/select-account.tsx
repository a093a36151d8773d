import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame, Viewer } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { Logo } from '../../pages/views/application-facts.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { InteractionEnded } from '../../protocol/authorize/interaction.ts';
import type { InteractionStep } from '../flow/sign-in-flow.ts';
import type { Web } from '../visit/web.ts';

/** Form field: `keep` or `other`. */
export const accountField = 'account';

export interface SelectAccountPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string; readonly logo?: string | undefined };
  /** Who is signed in. */
  readonly account: Viewer;
}

/** Asks with which account to continue to the application (`prompt=select_account`). */
export function SelectAccountPage({ frame, application, account }: SelectAccountPageProps): VNode {
  const texts = frame.messages.signIn.selectAccount;
  const username = <UserText strong text={`@${account.username}`} />;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep>
      <Logo name={application.logo} />
      <h1>{texts.title}</h1>
      <p class="lead">{frame.messages.signIn.continueTo(<UserText strong text={application.name} />)}</p>
      <p>
        {frame.messages.consent.signedInAs(
          <>
            {username} (<UserText text={account.displayName} />)
          </>,
        )}
      </p>
      <PostForm frame={frame} class="actions">
        <button class="button wide" name={accountField} value="keep">
          {texts.keep(<UserText text={`@${account.username}`} />)}
        </button>
        <button class="button quiet-button wide" name={accountField} value="other">
          {texts.other}
        </button>
      </PostForm>
    </Layout>
  );
}

/** Serves the prompt `select_account`: the person continues with the current account, or signs in with another. */
export function createSelectAccountStep(web: Web): InteractionStep {
  return {
    show: async ({ ctx, pending }) => {
      const { application, accountId, uiLocales } = pending;
      const account = accountId === undefined ? undefined : await web.findViewer(accountId);
      if (account === undefined) throw new InteractionEnded('the account does not exist');
      const frame = web.createFrame(ctx, { viewer: account, uiLocales });
      renderPage(ctx, <SelectAccountPage {...{ frame, application, account }} />, {
        // With an earlier consent, the form redirects straight to the application.
        leadsOut: true,
      });
    },
    submit: async ({ ctx, path }, form) => {
      const choice = form.text(accountField);
      if (choice === 'keep') redirectTo(ctx, await web.interactions.keepAccount(ctx));
      else {
        if (choice === 'other') await web.interactions.chooseOtherAccount(ctx);
        redirectTo(ctx, path);
      }
    },
  };
}
