import { languages, negotiateLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type { Account } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';
import { nameRoute } from '@linnet/service/http/request-log';
import type { SiteLinks } from '@linnet/service/http/site-links';
import { loadAssets } from '@linnet/ui/assets';
import { printableText } from '@linnet/ui/inert-text';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context, Middleware } from 'koa';
import type { VNode } from 'preact';

import { toAuthor } from '@linnet/social/account/account-row';
import { toAccount } from '@linnet/social/account/account-view';
import { findHashtagPage } from '@linnet/social/pages/public-lists-store';
import { toShownComment, toShownPost, withParts } from '@linnet/social/pages/page-view';
import { findPostPage } from '@linnet/social/pages/post-page-store';
import type { FoundPost } from '@linnet/social/pages/post-page-store';
import { findCurrentUsername, findProfile } from '@linnet/social/pages/profile-page-store';
import type { Profile } from '@linnet/social/pages/profile-page-store';
import { hashtagPath } from '@linnet/social/post/linked-text';
import { toHashtagKey } from '@linnet/social/post/post-text';
import { maxEdits, findPostHistory, toPostVersion } from '@linnet/social/post/post-edit-store';
import { toPage } from '@linnet/social/list/page';
import { toPost, toPostsOfAuthor } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { requireReadMethod } from './serve-media.ts';
import { HashtagPage } from './hashtag-page.tsx';
import {
  HistoryPage,
  NotFoundPage,
  assetsPath,
  pageStyles,
  createPageSender,
  sendRevalidated,
} from './public-page.tsx';
import type { PageFrame } from './page-layout.tsx';
import type { SendPage } from './public-page.tsx';
import { pageTexts } from './page-texts.ts';
import { PostPage } from './post-page.tsx';
import { oEmbedPath, toEmbed } from './structured-data.ts';
import { ProfilePage } from './profile-page.tsx';
import { sendFeed, splitFeedSuffix } from './feeds.tsx';
import type { FeedSuffix } from './feeds.tsx';

interface PageDependencies {
  readonly db: Queryable;
  readonly context: ViewContext;
  /** Origins of images besides our own. */
  readonly imageSources: readonly string[];
  readonly siteLinks: SiteLinks;
}

/**
 * Serves the public pages `/@username`, `/p/{id}`, `/p/{id}/history` and `/tags/{hashtag}`, their feeds (`.atom`, `.rss`) and `/p/oembed`, which show only what everybody may see. Browsers
 * revalidate them on every visit, because their content may become hidden at any moment.
 */
export function servePublicPages({ db, context, imageSources, siteLinks }: PageDependencies): Middleware {
  const assets = loadAssets({ path: assetsPath, styles: pageStyles });
  const [serviceName, sendPage] = [formatServiceName(context.serviceName), createPageSender(imageSources)];

  async function respond(ctx: Context): Promise<void> {
    requireReadMethod(ctx);
    ctx.vary('Accept-Language');
    const frame = createFrame(ctx, { assets: assets.addresses, serviceName, siteLinks });
    const other = findOther(ctx.path);
    if (other !== undefined) {
      nameRoute(ctx, other.route);
      await other.show({ db, context, sendPage }, ctx, frame);
      return;
    }
    const [path, suffix] = splitFeedSuffix(ctx.path);
    const username = /^\/@([A-Za-z0-9_]{5,32})$/.exec(path)?.[1];
    nameRoute(ctx, username === undefined ? '/p/:id' : `/@:username${suffix ?? ''}`);
    if (username === undefined) await showPost({ db, context, sendPage }, ctx, frame);
    else await showProfile(ctx, frame, { username, suffix });
  }

  async function showProfile(ctx: Context, frame: PageFrame, { username, suffix }: ProfileAddress): Promise<void> {
    const before = toId(ctx.query['before']);
    const profile = await findProfile(db, { username, viewer: null, before });
    const account = profile && toAccount(toAuthor(profile.account), context);
    if (profile === undefined || account?.username !== username) {
      const present = account?.username ?? (await findCurrentUsername(db, username));
      // It is temporary: another account may take the old name later.
      if (present === undefined) sendPage(ctx, <NotFoundPage frame={frame} />, 404);
      else redirect(ctx, `${context.baseUrl}/@${present}${suffix ?? ''}`);
    } else if (suffix === undefined) {
      sendPage(ctx, drawProfile({ frame, context, before }, profile, account));
    } else {
      const posts = toPostsOfAuthor(profile.posts, context);
      const title = `${printableText(account.displayName)} (@${username}) · ${serviceName}`;
      const { description, link, avatar: icon } = account;
      // Unlike the address of the page, it stays when the account is renamed.
      const id = `${context.baseUrl}/api/v2.0/users/show?id=${String(account.id)}`;
      const { olderThan } = profile;
      sendFeed(ctx, suffix, { id, title, description, link, icon, author: account, posts, before, olderThan });
    }
  }

  return async (ctx, next) => {
    if (ctx.path.startsWith(`${assetsPath}/`)) await assets.serve(ctx, () => respond(ctx));
    else if (/^\/(?:@|p\/|tags\/)/.test(ctx.path)) await respond(ctx);
    else await next();
  };
}

interface ProfileAddress {
  readonly username: string;
  readonly suffix: FeedSuffix | undefined;
}

/** What is neither a profile nor a post. */
function findOther(path: string) {
  if (path.startsWith(tagsPath)) return { route: '/tags/:hashtag', show: showHashtag };
  if (historyPath.test(path)) return { route: '/p/:id/history', show: showHistory };
  return path === oEmbedPath ? { route: oEmbedPath, show: sendEmbed } : undefined;
}

type PageTools = Pick<PageDependencies, 'db' | 'context'> & { readonly sendPage: SendPage };

async function showPost({ db, context, sendPage }: PageTools, ctx: Context, frame: PageFrame): Promise<void> {
  const id = toId(/^\/p\/(\d+)$/.exec(ctx.path)?.[1]);
  const after = toId(ctx.query['after']);
  const found = id === undefined ? undefined : await findPostPage(db, { id, viewer: null, after });
  if (found === undefined) sendPage(ctx, <NotFoundPage frame={frame} />, 404);
  else sendPage(ctx, drawPost({ frame, context, after }, found));
}

const historyPath = /^\/p\/(\d+)\/history$/;

/** All texts of a post that everybody may see. */
async function showHistory({ db, context, sendPage }: PageTools, ctx: Context, frame: PageFrame): Promise<void> {
  const id = toId(historyPath.exec(ctx.path)?.[1]);
  const found = id === undefined ? undefined : await findPostPage(db, { id, viewer: null, after: undefined });
  const page = toPage({ count: maxEdits + 1, page: 1 });
  const history = found && (await findPostHistory(db, { postId: found.post.id, viewer: null }, page));
  if (found === undefined || history === undefined) {
    sendPage(ctx, <NotFoundPage frame={frame} />, 404);
    return;
  }
  const versions = history.items.map((row) => withParts(toPostVersion(row, context)));
  sendPage(ctx, <HistoryPage frame={frame} post={toPost(found.post, context)} versions={versions} />);
}

const tagsPath = '/tags/';

/** Each hashtag has one page: other spellings lead there. */
async function showHashtag({ db, context, sendPage }: PageTools, ctx: Context, frame: PageFrame): Promise<void> {
  const [path, suffix] = splitFeedSuffix(ctx.path);
  const name = decodeSegment(path.slice(tagsPath.length));
  const hashtag = name === undefined ? undefined : toHashtagKey(name);
  if (hashtag === undefined) {
    sendPage(ctx, <NotFoundPage frame={frame} />, 404);
    return;
  }
  const link = context.baseUrl + hashtagPath(hashtag);
  if (hashtag !== name) {
    redirect(ctx, link + (suffix ?? ''));
    return;
  }
  const before = toId(ctx.query['before']);
  const { posts, olderThan } = await findHashtagPage(db, { hashtag, before });
  if (suffix !== undefined) {
    const title = frame.texts.postsWith(`#${hashtag}`, frame.serviceName);
    const shownPosts = posts.map((post) => toPost(post, context));
    sendFeed(ctx, suffix, { id: link, title, description: '', link, posts: shownPosts, before, olderThan });
    return;
  }
  const olderHref = olderThan === undefined ? undefined : `${link}?before=${String(olderThan)}`;
  const shown = posts.map((post) => toShownPost(post, context));
  const own = { frame, hashtag: `#${hashtag}`, link, olderHref, isFirst: before === undefined };
  sendPage(ctx, <HashtagPage {...own} posts={shown} />);
}

function redirect(ctx: Context, address: string): void {
  ctx.set('Cache-Control', 'no-cache');
  ctx.redirect(address + ctx.search);
}

/** `undefined` if the percent-encoding is invalid. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

interface DrawnPage {
  readonly frame: PageFrame;
  readonly context: ViewContext;
}

function drawPost(
  { frame, context, after }: DrawnPage & { readonly after: number | undefined },
  { post: row, comments: rows, newerThan }: FoundPost,
): VNode {
  const post = toPost(row, context);
  const comments = rows.map((comment) => toShownComment(comment, context));
  const nextHref = newerThan === undefined ? undefined : `${post.link}?after=${String(newerThan)}#comments`;
  return <PostPage {...{ frame, post, comments, nextHref }} isFirst={after === undefined} />;
}

function drawProfile(
  { frame, context, before }: DrawnPage & { readonly before: number | undefined },
  profile: Profile,
  account: Account,
): VNode {
  const { isProtected, olderThan } = profile;
  const posts = toPostsOfAuthor(profile.posts, context);
  const olderHref = olderThan === undefined ? undefined : `${account.link}?before=${String(olderThan)}`;
  return <ProfilePage {...{ frame, account, isProtected, posts, olderHref }} isFirst={before === undefined} />;
}

/** The post at `url`, if everybody may see it. Other sites ask, so any may read it. */
async function sendEmbed({ db, context }: PageTools, ctx: Context, { serviceName }: PageFrame): Promise<void> {
  const { url, format = 'json', maxwidth } = ctx.query;
  const isOurs = typeof url === 'string' && url.startsWith(`${context.baseUrl}/p/`);
  const id = isOurs ? toId(/^\d+/.exec(url.slice(context.baseUrl.length + '/p/'.length))?.[0]) : undefined;
  const found = id === undefined ? undefined : await findPostPage(db, { id, viewer: null, after: undefined });
  ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' });
  ctx.body = {};
  ctx.status = format === 'json' ? 404 : 501;
  if (found === undefined || format !== 'json') return;
  const embed = toEmbed(toPost(found.post, context), {
    serviceName,
    baseUrl: context.baseUrl,
    maxWidth: toId(maxwidth),
  });
  sendRevalidated(ctx, 'json', JSON.stringify(embed));
}

/** `undefined` unless the text is an id in decimal digits without leading zeros. */
function toId(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

function createFrame(ctx: Context, shared: Pick<PageFrame, 'assets' | 'serviceName' | 'siteLinks'>): PageFrame {
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
