/** Authorization errors go to the application's site only through a page of this service, while nobody is signed in. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { Client } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import type { FindOutcome, Outcome } from '../failures/provider-events.ts';
import type { ProviderPages } from '../failures/provider-pages.ts';
import { paths } from '../request/routes.ts';
import type { Sessions } from '../session/session.ts';
import { formPostMode, toFields } from './form-post.ts';

interface ErrorDestinationOptions {
  readonly issuer: string;
  readonly findOutcome: FindOutcome;
  readonly sessions: Pick<Sessions, 'current'>;
  readonly showErrorDestination: ProviderPages['showErrorDestination'];
}

/**
 * RFC 9700 §4.11.2: an error response must not make this service an open redirector. Anyone can register an
 * application, and a link to our own domain would lead to their site without another page in between. So a browser in
 * which nobody is signed in gets a page that names the application and the host, and the person continues to it, with a link or, with
 * `response_mode=form_post`, a form that no script submits.
 *
 * Not with `prompt=none`, where OpenID Connect Core §3.1.2.1 allows no page, and not for clients that are no browsers.
 */
export function showErrorDestination(options: ErrorDestinationOptions): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    const outcome = options.findOutcome(ctx);
    const failure = outcome?.failure;
    if (ctx.path !== paths.authorization || !isBrowserNavigation(ctx)) return;
    if (!(failure instanceof errors.OIDCProviderError) || outcome?.client === undefined || isSilent(outcome)) return;
    const destination = findDestination(ctx, { outcome, failure, issuer: options.issuer });
    if (destination === undefined || (await options.sessions.current(ctx)) !== undefined) return;
    ctx.remove('Location');
    options.showErrorDestination(ctx, {
      applicationName: nameOf(outcome.client),
      code: failure.error,
      description: failure.error_description,
      ...destination,
    });
  };
}

/**
 * Fetch Metadata: a script cannot change it. Safari before 16.4 does not send it, nor do browsers behind some proxies; when they
 * navigate, `Accept` names HTML, which other clients do not.
 */
function isBrowserNavigation(ctx: Koa.Context): boolean {
  const mode = ctx.get('sec-fetch-mode');
  return mode === '' ? /\btext\/html\b/.test(ctx.get('accept')) : mode === 'navigate' && ctx.accepts('html') === 'html';
}

function isSilent({ prompt }: Outcome): boolean {
  return typeof prompt === 'string' && prompt.split(' ').includes('none');
}

interface Refusal {
  readonly outcome: Outcome;
  readonly failure: errors.OIDCProviderError;
  readonly issuer: string;
}

interface Destination {
  readonly destination: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
}

/** Where the provider sends the error; undefined if it shows its error page. */
function findDestination(ctx: Koa.Context, { outcome, failure, issuer }: Refusal): Destination | undefined {
  const { location } = ctx.response.headers;
  if (typeof location === 'string') return { destination: location, fields: undefined };
  const { responseMode, redirectUri, state } = outcome;
  if (responseMode !== formPostMode || typeof redirectUri !== 'string' || !failure.allow_redirect) return undefined;
  const { error, error_description: description } = failure;
  return { destination: redirectUri, fields: toFields({ error, error_description: description, state, iss: issuer }) };
}

function nameOf(client: Client): string {
  return registrationOf(client).name;
}
