import type { Queryable } from '@linnet/db/statement/transaction';
import { findLatestPosts } from '@linnet/social/pages/public-lists-store';
import { toShownPost } from '@linnet/social/pages/page-view';
import type { ViewContext } from '@linnet/social/view-context';
import { PostList } from '@linnet/ui/post.tsx';
import type { ShownPost } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { Frame, Viewer } from '../../pages/frame/frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { CopyScript, CopyableBlock, copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { postTextsOf } from '../account/people/posts.tsx';

interface FrontRouteOptions {
  readonly web: Web;
  readonly db: Queryable;
  readonly viewContext: ViewContext;
  /** Origins of images besides our own, as CSP sources. */
  readonly imageSources: readonly string[];
}

/** `/`: the home page of the person who is signed in, or what the service is, with its latest posts. */
export function frontRoute({ web, db, viewContext, imageSources }: FrontRouteOptions): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== pagePaths.home || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next();
      return;
    }
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      const frame = web.createFrame(ctx);
      const posts = (await findLatestPosts(db)).map((post) => toShownPost(post, viewContext));
      const page = <LandingPage frame={frame} baseUrl={web.baseUrl} posts={posts} />;
      renderPage(ctx, page, { script: copyScript(frame), images: imageSources });
    } else {
      renderPage(ctx, <HomePage frame={signedIn.frame} viewer={signedIn.viewer} />);
    }
  };
}

interface HomePageProps {
  readonly frame: Frame;
  readonly viewer: Viewer;
}

/** Where people start who are signed in. */
export function HomePage({ frame, viewer }: HomePageProps): VNode {
  const { front, layout } = frame.messages;
  return (
    <Layout frame={frame} title={layout.home} kind="area" section="home">
      <h1>{front.home.title(<UserText text={viewer.displayName} />)}</h1>
      {frame.hasClient && (
        <p class="actions">
          <a class="button" href={pagePaths.client}>
            {front.home.client}
          </a>
        </p>
      )}
      <div class="two-columns">
        <OwnPages frame={frame} viewer={viewer} />
        <DeveloperPages frame={frame} />
      </div>
    </Layout>
  );
}

function OwnPages({ frame, viewer }: HomePageProps): VNode {
  const { account, factors, front, layout, notifications } = frame.messages;
  const { profileTitle, texts, yours } = front.home;
  return (
    <section>
      <h2>{yours}</h2>
      <ul class="rows">
        <PageLink href={`/@${viewer.username}`} label={profileTitle} text={texts.profile} />
        <PageLink href={pagePaths.account} label={layout.account} text={texts.account} />
        <PageLink href={pagePaths.connectedApplications} label={account.applications.title} text={texts.connected} />
        <PageLink href={pagePaths.followers} label={account.followers.title} text={texts.followers} />
        <PageLink href={pagePaths.notifications} label={notifications.title} text={texts.notifications} />
        <PageLink href={pagePaths.security} label={factors.security.title} text={texts.security} />
        {(viewer.operatorSince ?? null) === null ? null : (
          <PageLink href={pagePaths.admin} label={layout.admin} text={texts.admin} />
        )}
      </ul>
    </section>
  );
}

function DeveloperPages({ frame }: Pick<HomePageProps, 'frame'>): VNode {
  const { developer, front, guides, layout } = frame.messages;
  const { texts } = front.home;
  return (
    <section>
      <h2>{front.landing.build.title}</h2>
      <ul class="rows">
        <PageLink href={pagePaths.applications} label={layout.applications} text={texts.developers}>
          <a class="small" href={pagePaths.createApplication}>
            {developer.list.create}
          </a>
        </PageLink>
        <PageLink href={pagePaths.guides} label={guides.title} text={texts.guides} />
        <PageLink href={pagePaths.reference} label={layout.reference} text={texts.reference} />
      </ul>
    </section>
  );
}

interface LandingPageProps {
  readonly frame: Frame;
  /** The public origin, for the commands. */
  readonly baseUrl: string;
  /** The latest posts, newest first. */
  readonly posts: readonly ShownPost[];
}

/** What the service is, for visitors. */
export function LandingPage({ frame, baseUrl, posts }: LandingPageProps): VNode {
  const { messages, serviceName } = frame;
  const { landing } = messages.front;
  const lead = landing.lead(serviceName);
  return (
    <Layout frame={frame} title={landing.title} kind="area" section="front" description={lead} extraStyle="posts.css">
      <div class="hero">
        <div>
          <h1>{landing.title}</h1>
          <p class="lead">{lead}</p>
          <p class="actions">
            <a class="button" href={pagePaths.register}>
              {messages.signIn.register.title}
            </a>
            <a class="button quiet-button" href={pagePaths.login}>
              {messages.layout.signIn}
            </a>
          </p>
        </div>
        <img src={frame.assets.logo} alt="" width={176} height={176} />
      </div>
      {posts.length === 0 ? null : <LatestPosts frame={frame} posts={posts} />}
      <section class="topic">
        <h2>{landing.build.title}</h2>
        <p>{landing.build.text}</p>
        <CopyableBlock frame={frame} testId="commands">
          {commands(baseUrl)}
        </CopyableBlock>
        <p>{landing.build.next}</p>
        <p class="actions">
          <a class="button quiet-button" href={pagePaths.createApplication}>
            {messages.developer.list.create}
          </a>
          <a href={pagePaths.guide('quickstart')}>{messages.guides.title}</a>
          <a href={pagePaths.reference}>{messages.layout.reference}</a>
        </p>
      </section>
      <CopyScript frame={frame} />
    </Layout>
  );
}

function LatestPosts({ frame, posts }: Pick<LandingPageProps, 'frame' | 'posts'>): VNode {
  const { landing } = frame.messages.front;
  return (
    <section class="topic" data-testid="latest">
      <h2>{landing.latest}</h2>
      <PostList posts={posts} texts={postTextsOf(frame.messages)} />
      {frame.hasClient && (
        <p>
          <a href={`${pagePaths.client}/explore`}>{landing.more}</a>
        </p>
      )}
    </section>
  );
}

/** They work as they are, in every shell and without an account. */
function commands(baseUrl: string): string {
  return [
    `curl ${baseUrl}/.well-known/oauth-authorization-server`,
    `curl ${baseUrl}/api/v2.0/openapi.json`,
    `curl -i ${baseUrl}/api/v2.0/feed`,
  ].join('\n');
}
