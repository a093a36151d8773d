import type { RequestState } from '@linnet/service/http/request-log';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { Assets } from '@linnet/ui/assets';
import { postStyles } from '@linnet/ui/stylesheet';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context } from 'koa';

import type { Csrf } from '../form/csrf.ts';
import type { Frame, Viewer } from './frame.ts';
import type { Languages } from './language.ts';

interface FrameFactoryOptions {
  /** A slug; pages show it capitalized. */
  readonly serviceName: string;
  readonly assets: Pick<Assets, 'addresses'>;
  readonly siteLinks: SiteLinks;
  readonly hasClient: boolean;
  readonly mayInvite: boolean;
  readonly csrf: Pick<Csrf, 'csrfToken'>;
  readonly languages: Pick<Languages, 'messagesFor' | 'linksFor'>;
}

interface FrameOptions {
  readonly viewer?: Viewer | undefined;
  /** Of the viewer, who alone may send the forms of the page. */
  readonly accountId?: number;
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
  hasClient,
  mayInvite,
  csrf,
  languages,
}: FrameFactoryOptions): CreateFrame {
  const shownName = formatServiceName(serviceName);
  return (ctx, { viewer, accountId, uiLocales, here } = {}) => ({
    messages: languages.messagesFor(ctx, uiLocales),
    languageLinks: languages.linksFor(ctx, here),
    serviceName: shownName,
    assets: assets.addresses,
    siteLinks,
    hasClient,
    mayInvite,
    csrfToken: () => csrf.csrfToken(ctx, accountId),
    requestId: requestIdOf(ctx),
    viewer,
  });
}

function requestIdOf({ state }: Pick<Context, 'state'>): string | undefined {
  const { requestId }: Partial<RequestState> = state;
  return requestId;
}

const folder = new URL('../assets/', import.meta.url);

/** Stylesheets of the auth pages, in addition to those in packages/ui. */
export const pageStyles: readonly URL[] = ['forms', 'content', 'applications', 'front'].map(
  (name) => new URL(`style/${name}.css`, folder),
);

/** Stylesheets of single pages. */
export const extraStyles: readonly URL[] = [new URL('style/guides.css', folder), postStyles];

/** Scripts of the auth pages. */
export const pageScripts: readonly URL[] = [
  ...['copy', 'passkeys', 'progress', 'proof'].map((name) => new URL(`script/${name}.js`, folder)),
  new URL('../../generated/script/pbkdf2.js', import.meta.url),
];

/** Files that browsers and search engines request without a link. */
export const rootFiles: readonly URL[] = ['favicon.ico', 'apple-touch-icon.png'].map(
  (name) => new URL(`root/${name}`, folder),
);
