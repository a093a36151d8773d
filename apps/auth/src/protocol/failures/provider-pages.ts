/** The pages that the provider asks for: errors that cannot be sent to a redirect URI, and `response_mode=form_post`. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import { clientEndpoints, paths } from '../request/routes.ts';

interface AuthorizationError {
  /** The OAuth error code. */
  readonly code: string;
  readonly description: string | undefined;
  /** The application that the request is of, if it is known. */
  readonly application?: { readonly clientId: string; readonly name: string; readonly isMine: boolean } | undefined;
  /** The interaction or session expired, or was started in another browser. */
  readonly isInteractionEnded: boolean;
}

/** An error that the person takes to the application. */
interface DeliverableError {
  readonly applicationName: string;
  readonly code: string;
  readonly description: string | undefined;
  /** The redirect URI; without `fields`, it contains the error. */
  readonly destination: string;
  /** Set if the error is posted (`response_mode=form_post`). */
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** An authorization response that the browser posts to the redirect URI. */
interface FormResponse {
  readonly applicationName: string;
  /** With http or https. */
  readonly redirectUri: string;
  readonly fields: Readonly<Record<string, string>>;
  /** `ui_locales` of the authorization request. */
  readonly uiLocales: string | undefined;
}

/** Renders what the provider leaves to us. */
export interface ProviderPages {
  readonly showError: (ctx: Koa.Context, error: AuthorizationError) => void;
  readonly showErrorDestination: (ctx: Koa.Context, error: DeliverableError) => void;
  readonly showResponse: (ctx: Koa.Context, response: FormResponse) => void;
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
      const application = findApplication(ctx);
      pages.showError(ctx, { code: out.error, description: out.error_description, application, isInteractionEnded });
    },
  };
}

function findApplication({ oidc }: KoaContextWithOIDC): AuthorizationError['application'] {
  const { client, session } = oidc;
  if (client === undefined) return undefined;
  const { clientId, name, ownerId } = registrationOf(client);
  return { clientId, name, isMine: ownerId !== null && String(ownerId) === session?.accountId };
}
