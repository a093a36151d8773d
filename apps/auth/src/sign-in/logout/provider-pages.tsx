import type { Context } from 'koa';

import { sendsNoCookies } from '../../pages/form/csrf.ts';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { ErrorKind } from '../../pages/views/error-page.tsx';
import type { CreateFrame } from '../../pages/frame/page-frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ProviderPages } from '../../protocol/failures/provider-pages.ts';
import { hashSource } from '../../pages/frame/security-headers.ts';
import { destinationOf } from '../consent/destination.ts';
import { ReturningPage, returningScript } from '../consent/returning-page.tsx';
import { ErrorDestinationPage } from './error-destination-page.tsx';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
}

/** The pages that the protocol responds with itself: errors that go to no redirect URI, or not at once, and forms. */
export function createProviderPages({ createFrame }: ProviderPagesOptions): ProviderPages {
  return {
    showError: (ctx, { code, description, application, isInteractionEnded }) => {
      const frame = createFrame(ctx);
      renderPage(
        ctx,
        <ErrorPage
          frame={frame}
          kind={findKind(ctx, isInteractionEnded)}
          application={application && { name: application.name, explanation: findExplanation(frame, application) }}
          oauthError={{ code, ...(description === undefined ? {} : { description }) }}
        />,
        { status: ctx.status < 400 ? 400 : ctx.status },
      );
    },
    showErrorDestination: (ctx, { applicationName, destination, fields, ...error }) =>
      renderPage(
        ctx,
        <ErrorDestinationPage
          frame={createFrame(ctx)}
          application={{ name: applicationName }}
          host={destinationOf(destination)}
          href={destination}
          fields={fields}
          {...error}
        />,
        { status: 400, leadsOut: fields !== undefined },
      ),
    showResponse: (ctx, { applicationName, redirectUri, fields, uiLocales }) =>
      renderPage(
        ctx,
        <ReturningPage
          frame={createFrame(ctx, { uiLocales })}
          application={{ name: applicationName }}
          host={destinationOf(redirectUri)}
          redirectUri={redirectUri}
          fields={fields}
        />,
        { leadsOut: true, scriptHash: hashSource(returningScript) },
      ),
  };
}

/** The entry of this request in the list of failed requests, for the owner of the application. */
function findExplanation(
  { requestId = '' }: Frame,
  { clientId, isMine }: { readonly clientId: string; readonly isMine: boolean },
): string | undefined {
  return isMine ? `${pagePaths.applicationActivity(clientId)}?request=${requestId}` : undefined;
}

function findKind(ctx: Context, isInteractionEnded: boolean): ErrorKind {
  if (ctx.status === 429) return 'too-many-attempts';
  if (!isInteractionEnded) return 'bad-authorization';
  return sendsNoCookies(ctx) ? 'no-cookies' : 'ended-interaction';
}
