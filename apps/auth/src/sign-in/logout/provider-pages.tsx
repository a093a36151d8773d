import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { ErrorKind } from '../../pages/views/error-page.tsx';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { ProviderPages } from '../../protocol/provider-pages.ts';
import { formActionSource, hashSource } from '../../pages/http/security-headers.ts';
import { destinationOf } from '../consent/destination.ts';
import { ReturningPage, returningScript } from '../consent/returning-page.tsx';
import { ErrorDestinationPage } from './error-destination-page.tsx';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
}

/** The pages that the protocol responds with itself: errors that go to no redirect URI, or not at once, and forms. */
export function createProviderPages({ createFrame }: ProviderPagesOptions): ProviderPages {
  return {
    showError: (ctx, { code, description, isInteractionEnded }) =>
      renderPage(
        ctx,
        <ErrorPage
          frame={createFrame(ctx)}
          kind={findKind(ctx.status, isInteractionEnded)}
          oauthError={{ code, ...(description === undefined ? {} : { description }) }}
        />,
        { status: ctx.status < 400 ? 400 : ctx.status },
      ),
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
        { status: 400, onlyFormAction: fields === undefined ? undefined : formActionSource(destination) },
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
        { onlyFormAction: formActionSource(redirectUri), scriptHash: hashSource(returningScript) },
      ),
  };
}

function findKind(status: number, isInteractionEnded: boolean): ErrorKind {
  if (status === 429) return 'too-many-attempts';
  return isInteractionEnded ? 'ended-interaction' : 'bad-authorization';
}
