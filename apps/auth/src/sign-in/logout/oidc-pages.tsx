import type Koa from 'koa';

import { LogoutPage, SignedOutPage } from './logout-page.tsx';
import { registrationOf } from '../../protocol/client/client.ts';
import { clientEndpoints, paths } from '../../protocol/routes.ts';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { Viewer } from '../../pages/views/frame.ts';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { renderPage } from '../../pages/http/render.tsx';

interface OidcPagesOptions {
  readonly createFrame: CreateFrame;
  readonly findViewer: (accountId: number) => Promise<Viewer | undefined>;
}

interface OAuthError {
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** The part of oidc-provider's context that these pages need. */
interface ProviderContext extends Koa.Context {
  readonly oidc: {
    readonly session?:
      | { readonly accountId?: string | undefined; readonly state?: { readonly secret?: unknown } | undefined }
      | undefined;
    readonly client?: Parameters<typeof registrationOf>[0] | undefined;
  };
}

/** The pages that oidc-provider renders itself: errors without a redirect, and sign-out. */
export function createOidcRenderers({ createFrame, findViewer }: OidcPagesOptions) {
  return {
    /** Endpoints for applications always respond with JSON, the others with a page. */
    renderError: (ctx: Koa.Context, out: OAuthError, error: Error) => {
      if (clientEndpoints.has(ctx.path) || ctx.path === paths.jwks) {
        ctx.body = out;
        return;
      }
      const code = String(out.error);
      const isEnded = error.name === 'SessionNotFound';
      renderPage(
        ctx,
        <ErrorPage
          frame={createFrame(ctx)}
          kind={isEnded ? 'ended-interaction' : 'bad-authorization'}
          oauthError={{
            code,
            ...(typeof out.error_description === 'string' ? { description: out.error_description } : {}),
          }}
        />,
        { status: ctx.status < 400 ? 400 : ctx.status },
      );
    },
    logoutSource: async (ctx: ProviderContext) => {
      const { client, session } = ctx.oidc;
      const viewer = await findViewer(Number(session?.accountId));
      // The provider compares this value with the field `xsrf` of the form.
      const xsrf = session?.state?.secret;
      if (viewer === undefined || typeof xsrf !== 'string') throw new Error('the session to sign out of is incomplete');
      renderPage(
        ctx,
        <LogoutPage
          frame={createFrame(ctx, { viewer })}
          username={viewer.username}
          application={client === undefined ? undefined : { name: registrationOf(client).name }}
          form={{ action: paths.endSessionConfirm, hidden: { xsrf, logout: 'yes' } }}
        />,
      );
    },
    logoutSuccess: (ctx: Koa.Context) => {
      renderPage(ctx, <SignedOutPage frame={createFrame(ctx)} />);
    },
  };
}
