import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { ProviderPages } from '../../protocol/provider-pages.ts';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
}

/** The page that the protocol responds with itself: errors that no redirect URI can receive. */
export function createProviderPages({ createFrame }: ProviderPagesOptions): ProviderPages {
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
  };
}
