import { createHash } from 'node:crypto';

import { languages, negotiateLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type { Account } from '@linnet/contract/objects';
import { printableText } from '@linnet/ui/inert-text';
import { postStyles } from '@linnet/ui/stylesheet';
import { LinkedText, Time } from '@linnet/ui/post.tsx';
import type { ShownPart } from '@linnet/ui/post.tsx';
import type { Context } from 'koa';
import { renderToString } from 'preact-render-to-string';
import type { VNode } from 'preact';

import { PageLayout } from './page-layout.tsx';
import type { PageFrame } from './page-layout.tsx';
import { pageTexts } from './page-texts.ts';

/** A text of the post, and when it was written. */
interface ShownVersion {
  readonly id: number;
  readonly created_at: string;
  readonly parts: readonly ShownPart[];
}

interface HistoryPageProps {
  readonly frame: PageFrame;
  readonly post: { readonly link: string; readonly user: Pick<Account, 'displayName'> };
  /** Newest first; the first one is the current text. */
  readonly versions: readonly ShownVersion[];
}

/** `/p/{id}/history`. Search engines do not list it. */
export function HistoryPage({ frame, post, versions }: HistoryPageProps): VNode {
  const { texts } = frame;
  const title = texts.versionsOf(printableText(post.user.displayName));
  return (
    <PageLayout frame={frame} title={title} kind="area">
      <h1>{title}</h1>
      <p>
        <a href={post.link}>{texts.showPost}</a>
      </p>
      <ol class="rows">
        {versions.map(({ id, created_at: writtenAt, parts }, index) => (
          <li key={id} class="row">
            <p class="quiet small">
              <Time at={writtenAt} texts={texts} />
              {index === 0 ? ` · ${texts.currentVersion}` : null}
            </p>
            <p class="text" dir="auto">
              <LinkedText parts={parts} />
            </p>
          </li>
        ))}
      </ol>
    </PageLayout>
  );
}

/** One page for unknown, deleted and hidden content, so that it reveals nothing. */
export function NotFoundPage({ frame }: { readonly frame: PageFrame }): VNode {
  const { texts } = frame;
  return (
    <PageLayout frame={frame} title={texts.notFoundTitle} kind="card">
      <h1>{texts.notFoundTitle}</h1>
      <p>{texts.notFoundText}</p>
      <p>
        <a class="button quiet-button" href="/">
          {texts.toHome}
        </a>
      </p>
    </PageLayout>
  );
}

/** How public pages are sent. */

/** Sends a page, with the status 200 if none is given. */
export type SendPage = (ctx: Context, page: VNode, status?: 200 | 404) => void;

/** `imageSources`: origins of images besides our own. `clientOrigin`: where the web client is, if there is one. */
export function createPageSender(imageSources: readonly string[], clientOrigin: string | undefined): SendPage {
  const images = ["img-src 'self'", ...imageSources].join(' ');
  const policy = `default-src 'none'; ${scriptPolicy(clientOrigin)}style-src 'self'; ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return (ctx, page, status = 200) => {
    ctx.set('Content-Security-Policy', policy);
    sendHtml(ctx, page, status);
  };
}

/** The script of the pages, and the client, which talks to the API and refreshes its tokens. */
function scriptPolicy(origin: string | undefined): string {
  if (origin === undefined) return '';
  const connections = ['api/', 'oauth/token', '.well-known/'].map((path) => `${origin}/${path}`);
  return `script-src ${origin}${assetsPath}/ ${origin}/home/; connect-src ${connections.join(' ')}; `;
}

function sendHtml(ctx: Context, page: VNode, status: 200 | 404): void {
  const html = `<!DOCTYPE html>\n${renderToString(page)}\n`;
  if (status === 200) {
    sendRevalidated(ctx, 'html', html);
    return;
  }
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = html;
}

/**
 * Clients ask again on every visit, and get 304 while nothing has changed. There is no Last-Modified: when a post is deleted or
 * hidden, the date of what is left is older.
 */
export function sendRevalidated(ctx: Context, type: string, text: string): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.set('Cache-Control', 'no-cache');
  ctx.etag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
}

/** Where the files of the public pages are served. */
export const assetsPath = '/p/assets';

/** The script of the public pages: it loads the web client for people who are signed in to it. */
export const pageScripts: readonly URL[] = [new URL('assets/script/signed-in.js', import.meta.url)];

/** The stylesheets of the public pages, in addition to those of every page. */
export const pageStyles: readonly URL[] = [postStyles];

/** What every page needs, in the language of the request. */
export function createFrame(ctx: Context, shared: Pick<PageFrame, 'assets' | 'serviceName' | 'siteLinks'>): PageFrame {
  const language = chooseLanguage(ctx);
  return {
    ...shared,
    texts: pageTexts[language],
    languageLinks: languages.map((one) => ({
      language: one,
      name: pageTexts[one].languageName,
      href: `?${withLanguage(ctx.querystring, one)}`,
    })),
  };
}

/** `?lang=` comes before Accept-Language; the default is English (decisions D59). */
function chooseLanguage(ctx: Context): Language {
  const requested = ctx.query['lang'];
  return languages.find((language) => language === requested) ?? negotiateLanguage(ctx);
}

function withLanguage(querystring: string, language: string): string {
  const parameters = new URLSearchParams(querystring);
  parameters.set('lang', language);
  return parameters.toString();
}
