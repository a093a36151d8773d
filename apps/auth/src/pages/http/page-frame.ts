import type { RequestState } from '@linnet/service/http/request-log';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { Assets } from '@linnet/ui/assets';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context } from 'koa';

import type { Frame, Viewer } from '../views/frame.ts';
import type { Csrf } from './csrf.ts';
import type { Languages } from './language.ts';

interface FrameFactoryOptions {
  /** A slug; pages show it capitalized. */
  readonly serviceName: string;
  readonly assets: Pick<Assets, 'addresses'>;
  readonly siteLinks: SiteLinks;
  readonly csrf: Pick<Csrf, 'csrfToken'>;
  readonly languages: Pick<Languages, 'messagesFor' | 'linksFor'>;
}

interface FrameOptions {
  readonly viewer?: Viewer | undefined;
  /** `ui_locales` of the authorization request. */
  readonly uiLocales?: string | undefined;
  /** The page's path, if it differs from the request's. */
  readonly here?: string;
}

export type CreateFrame = (ctx: Context, options?: FrameOptions) => Frame;

/** Creates the properties that every page has in common. */
export function createFrameFactory({
  serviceName,
  assets,
  siteLinks,
  csrf,
  languages,
}: FrameFactoryOptions): CreateFrame {
  const shownName = formatServiceName(serviceName);
  return (ctx, { viewer, uiLocales, here } = {}) => ({
    messages: languages.messagesFor(ctx, uiLocales),
    languageLinks: languages.linksFor(ctx, here),
    serviceName: shownName,
    assets: assets.addresses,
    siteLinks,
    csrfToken: () => csrf.csrfToken(ctx),
    requestId: requestIdOf(ctx),
    viewer,
  });
}

function requestIdOf({ state }: Pick<Context, 'state'>): string | undefined {
  const { requestId }: Partial<RequestState> = state;
  return requestId;
}
