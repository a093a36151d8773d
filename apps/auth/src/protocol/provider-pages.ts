/** The pages that the provider asks for: errors that cannot be sent to a redirect URI, and signing out. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from './client/client.ts';
import { clientEndpoints, paths } from './routes.ts';

interface AuthorizationError {
  /** The OAuth error code. */
  readonly code: string;
  readonly description: string | undefined;
  /** The interaction or session expired, or was started in another browser. */
  readonly isInteractionEnded: boolean;
}

interface SignOutQuestion {
  readonly accountId: number;
  /** The application that asks to sign the person out. */
  readonly applicationName: string | undefined;
  /** Address and fields of the form that confirms. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Renders what the provider leaves to us. */
export interface ProviderPages {
  readonly showError: (ctx: Koa.Context, error: AuthorizationError) => void;
  readonly askToSignOut: (ctx: Koa.Context, question: SignOutQuestion) => Promise<void>;
  readonly showSignedOut: (ctx: Koa.Context) => void;
}

/** The pages as settings of the provider. */
export function createRenderers(pages: ProviderPages) {
  return {
    /** Endpoints for applications respond with JSON whatever `Accept` says; people get a page. */
    renderError: (ctx: KoaContextWithOIDC, out: ErrorOut, error: Error) => {
      if (clientEndpoints.has(ctx.path) || ctx.path === paths.jwks) {
        ctx.body = out;
        return;
      }
      const isInteractionEnded = error instanceof errors.SessionNotFound;
      pages.showError(ctx, { code: out.error, description: out.error_description, isInteractionEnded });
    },
    logoutSource: async (ctx: KoaContextWithOIDC) => {
      const { session, client } = ctx.oidc;
      // The provider compares this value with the field `xsrf` of the form.
      const xsrf = session?.state?.['secret'];
      if (typeof xsrf !== 'string') throw new TypeError('the session has no secret for the sign-out form');
      await pages.askToSignOut(ctx, {
        accountId: Number(session?.accountId),
        applicationName: client === undefined ? undefined : registrationOf(client).name,
        action: paths.endSessionConfirm,
        fields: { xsrf, logout: 'yes' },
      });
    },
    postLogoutSuccessSource: (ctx: KoaContextWithOIDC) => pages.showSignedOut(ctx),
  };
}
