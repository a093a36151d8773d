import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { ErrorKind } from '../../pages/views/error-page.tsx';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { ProviderPages } from '../../protocol/provider-pages.ts';
import { destinationOf } from '../consent/destination.ts';
import { ErrorDestinationPage } from './error-destination-page.tsx';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
}

/** The pages that the protocol responds with itself: errors that go to no redirect URI, or not at once. */
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
    showErrorDestination: (ctx, { applicationName, destination, ...error }) =>
      renderPage(
        ctx,
        <ErrorDestinationPage
          frame={createFrame(ctx)}
          application={{ name: applicationName }}
          host={destinationOf(destination)}
          href={destination}
          {...error}
        />,
        { status: 400 },
      ),
  };
}

function findKind(status: number, isInteractionEnded: boolean): ErrorKind {
  if (status === 429) return 'too-many-attempts';
  return isInteractionEnded ? 'ended-interaction' : 'bad-authorization';
}
