import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { Viewer } from '../../pages/views/frame.ts';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { ProviderPages } from '../../protocol/provider-pages.ts';
import { LogoutPage, SignedOutPage } from './logout-page.tsx';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
  readonly findViewer: (accountId: number) => Promise<Viewer | undefined>;
}

/** The pages that the protocol responds with itself: errors that no redirect URI can receive, and signing out. */
export function createProviderPages({ createFrame, findViewer }: ProviderPagesOptions): ProviderPages {
  return {
    showError: (ctx, { code, description, isInteractionEnded }) =>
      renderPage(
        ctx,
        <ErrorPage
          frame={createFrame(ctx)}
          kind={isInteractionEnded ? 'ended-interaction' : 'bad-authorization'}
          oauthError={{ code, ...(description === undefined ? {} : { description }) }}
        />,
        { status: ctx.status < 400 ? 400 : ctx.status },
      ),
    askToSignOut: async (ctx, { accountId, applicationName, action, fields }) => {
      const viewer = await findViewer(accountId);
      if (viewer === undefined) throw new Error('the account of the session does not exist');
      renderPage(
        ctx,
        <LogoutPage
          frame={createFrame(ctx, { viewer })}
          username={viewer.username}
          application={applicationName === undefined ? undefined : { name: applicationName }}
          form={{ action, hidden: fields }}
        />,
      );
    },
    showSignedOut: (ctx) => renderPage(ctx, <SignedOutPage frame={createFrame(ctx)} />),
  };
}
