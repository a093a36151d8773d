import { printableText } from '@linnet/ui/inert-text';
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { SignedIn } from '../../sign-in/visit/step-up.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import type { Guide } from './contents.ts';
import { GuidePage } from './guide-page.tsx';
import type { ExampleApplication } from './guide-page.tsx';
import { GuideSearchPage } from './guide-search-page.tsx';
import { loadGuides } from './guides.ts';

interface GuidesRouteOptions {
  readonly web: Web;
  /** The applications of an account. */
  readonly listApplications: (accountId: number) => Promise<readonly ExampleApplication[]>;
}

const maxQueryLength = 100;

/** `/developers`: the documentation, rendered at build time, as pages and as Markdown, and its search. */
export function guidesRoute({ web, listApplications }: GuidesRouteOptions): Koa.Middleware {
  const guides = loadGuides(web.baseUrl);
  const find = (path: string) => guides.list.find(({ slug }) => pagePaths.guide(slug) === path);

  return async (ctx, next) => {
    const guide = find(ctx.path);
    const isSearch = ctx.path === pagePaths.guideSearch;
    const text = guides.texts.get(ctx.path);
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || (guide === undefined && text === undefined && !isSearch)) {
      await next();
      return;
    }
    if (text !== undefined) {
      sendText(ctx, text);
      return;
    }
    const signedIn = await findSignedIn(web, ctx);
    if (guide === undefined) showSearch(ctx, signedIn?.frame ?? web.createFrame(ctx));
    else await showGuide(ctx, guide, signedIn);
  };

  function showSearch(ctx: Koa.Context, frame: Frame): void {
    const query = readQuery(ctx.query['q']);
    const found = query === '' ? [] : guides.search(query);
    renderPage(ctx, <GuideSearchPage {...{ frame, query, found }} guides={guides.list} />);
  }

  async function showGuide(ctx: Koa.Context, guide: Guide, signedIn: SignedIn | undefined): Promise<void> {
    const frame = signedIn?.frame ?? web.createFrame(ctx);
    const applications = signedIn === undefined ? [] : await listApplications(signedIn.session.accountId);
    const clientId = chooseApplication(applications, ctx.query['client_id'])?.clientId;
    const html = guides.htmlOf(guide.slug, clientId);
    const { baseUrl } = web;
    const page = <GuidePage {...{ frame, baseUrl, guide, html, applications, clientId }} guides={guides.list} />;
    renderPage(ctx, page, { script: copyScript(frame), fetches: pagePaths.guideMarkdown(guide.slug) });
  }
}

/** Also for pages of other origins, which may read it. */
function sendText(ctx: Koa.Context, text: string): void {
  nameRoute(ctx, ctx.path);
  ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = `text/${ctx.path.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`;
  ctx.body = text;
}

/** The requested application of this account, or its newest one. */
function chooseApplication(
  applications: readonly ExampleApplication[],
  requested: unknown,
): ExampleApplication | undefined {
  return applications.find(({ clientId }) => clientId === requested) ?? applications.at(-1);
}

function readQuery(value: unknown): string {
  return typeof value === 'string' ? printableText(value).trim().slice(0, maxQueryLength) : '';
}
