import { findLanguage, languages, negotiateLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type Koa from 'koa';

import { catalogues } from '../i18n/messages.ts';
import type { Messages } from '../i18n/messages.ts';
import type { LanguageLink } from '../views/frame.ts';
import { createBrowserCookie } from './browser-cookie.ts';

/** The parameter of the links that switch the language. */
const languageParameter = 'lang';
const oneYearSeconds = 365 * 24 * 60 * 60;

export interface Languages {
  /**
   * The texts for who reads the answer: what `?lang=` of this very request asks for, then `ui_locales`
   * of the authorization request where one is handed in, then the cookie, then Accept-Language;
   * English otherwise (decisions D59).
   */
  messagesFor(ctx: Koa.Context, uiLocales?: string): Messages;
  /** Links to this page in each language; `here` where the page cannot be fetched at the address of the request. */
  linksFor(ctx: Koa.Context, here?: string): readonly LanguageLink[];
  /** Keeps what a language link chose for later pages. */
  readonly rememberLanguage: Koa.Middleware;
}

export function createLanguages(baseUrl: string): Languages {
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_language', maxAgeSeconds: oneYearSeconds });
  // Handed in once per request; an error page that comes later is in the same language.
  const handedIn = new WeakMap<Koa.Context, string>();
  return {
    messagesFor: (ctx, uiLocales) => {
      if (uiLocales !== undefined) handedIn.set(ctx, uiLocales);
      const language =
        askedFor(ctx) ??
        firstOf(handedIn.get(ctx)?.split(' ') ?? []) ??
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
      const language = ctx.method === 'GET' ? askedFor(ctx) : undefined;
      if (language !== undefined) cookie.write(ctx, language);
      await next();
    },
  };
}

function askedFor(ctx: Koa.Context): Language | undefined {
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
