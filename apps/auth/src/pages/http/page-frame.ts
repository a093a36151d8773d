import type { Assets } from '@linnet/ui/assets';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context } from 'koa';

import type { Frame, Viewer } from '../views/frame.ts';
import type { Csrf } from './csrf.ts';
import type { Languages } from './language.ts';

interface FrameFactoryOptions {
  /** A slug; pages show it as a name. */
  readonly serviceName: string;
  readonly assets: Pick<Assets, 'addresses'>;
  readonly csrf: Pick<Csrf, 'csrfToken'>;
  readonly languages: Pick<Languages, 'messagesFor' | 'linksFor'>;
}

interface FrameOptions {
  readonly viewer?: Viewer | undefined;
  /** `ui_locales` of the authorization request. */
  readonly uiLocales?: string | undefined;
  /** Where the page can be fetched when that is not the address of the request. */
  readonly here?: string;
}

export type CreateFrame = (ctx: Context, options?: FrameOptions) => Frame;

/** Makes what every page needs besides its own properties. */
export function createFrameFactory({ serviceName, assets, csrf, languages }: FrameFactoryOptions): CreateFrame {
  const shownName = formatServiceName(serviceName);
  return (ctx, { viewer, uiLocales, here } = {}) => ({
    messages: languages.messagesFor(ctx, uiLocales),
    languageLinks: languages.linksFor(ctx, here),
    serviceName: shownName,
    assets: assets.addresses,
    // Asked for by the first form: a page without one, such as the refusal of a cross-site request, marks no browser.
    get csrf() {
      return csrf.csrfToken(ctx);
    },
    viewer,
  });
}
