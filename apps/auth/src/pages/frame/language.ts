import { findLanguage, languages, negotiateLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type Koa from 'koa';

import { catalogues } from '../i18n/messages.ts';
import type { Messages } from '../i18n/en/en.ts';
import type { LanguageLink } from './frame.ts';
import { createBrowserCookie } from '../form/csrf.ts';

/** The parameter of the links that switch the language. */
const languageParameter = 'lang';
const oneYearSeconds = 365 * 24 * 60 * 60;

export interface Languages {
  /**
   * The texts in the reader's language: `?lang=`, then `ui_locales` of the authorization request, then the
   * cookie, then Accept-Language, then English (decisions D59).
   */
  messagesFor(ctx: Koa.Context, uiLocales?: string): Messages;
  /** Links to this page in each language. `here`: the page's path, if it differs from the request's. */
  linksFor(ctx: Koa.Context, here?: string): readonly LanguageLink[];
  /** Stores the language of `?lang=` in the cookie. */
  readonly rememberLanguage: Koa.Middleware;
}

export function createLanguages(baseUrl: string): Languages {
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_language', maxAgeSeconds: oneYearSeconds });
  // Set once per request, so that a later error page has the same language.
  const uiLocalesOf = new WeakMap<Koa.Context, string>();
  return {
    messagesFor: (ctx, uiLocales) => {
      if (uiLocales !== undefined) uiLocalesOf.set(ctx, uiLocales);
      const language =
        readParameter(ctx) ??
        firstOf(uiLocalesOf.get(ctx)?.split(' ') ?? []) ??
        findLanguage(cookie.read(ctx) ?? '') ??
        negotiateLanguage(ctx);
      return catalogues[language];
    },
    linksFor: (ctx, here = '') =>
      languages.map((language) => ({
        language,
        name: catalogues[language].languageName,
        href: `${here}?${withLanguage(here === '' ? ctx.querystring : '', language)}`,
      })),
    rememberLanguage: async (ctx, next) => {
      const language = ctx.method === 'GET' ? readParameter(ctx) : undefined;
      if (language !== undefined) cookie.write(ctx, language);
      await next();
    },
  };
}

function readParameter(ctx: Koa.Context): Language | undefined {
  const value = ctx.query[languageParameter];
  return typeof value === 'string' ? findLanguage(value) : undefined;
}

function firstOf(tags: readonly string[]): Language | undefined {
  return tags.map(findLanguage).find((language) => language !== undefined);
}

function withLanguage(querystring: string, language: Language): string {
  const parameters = new URLSearchParams(querystring);
  parameters.set(languageParameter, language);
  return parameters.toString();
}
