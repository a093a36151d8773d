import { createHash } from 'node:crypto';

import type { Account, Post } from '@linnet/contract/objects';
import type { Db } from '@linnet/db/database';
import type { Cards } from '@linnet/media/card/cards';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import { parseMediaPath } from '@linnet/media/media-address';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import { clientAddress, networkOf } from '@linnet/service/http/address';
import { nameRoute } from '@linnet/service/http/request-log';
import { createBucket, isExceeded } from '@linnet/service/limits/rate-limit';
import type { SharedCounts } from '@linnet/service/limits/rate-limit';
import { toAuthor } from '@linnet/social/account/account-row';
import { drawDefaultAvatar, toAccount } from '@linnet/social/account/account-view';
import { toTextParts } from '@linnet/social/post/linked-text';
import { findPostPage } from '@linnet/social/pages/post-page-store';
import { findProfile } from '@linnet/social/pages/profile-page-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { printableLines, printableText } from '@linnet/ui/inert-text';
import { readLogo } from '@linnet/ui/assets';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context, Middleware } from 'koa';

import { ApiError, notFound } from '../http/api-error.ts';

/** The card of a page without one of its own, and of protected accounts. */
export const generalCardPath = '/p/card.png';

/** Code points. What is longer does not fit on a card. */
const [maxName, maxText] = [60, 240];

/** What a card shows of a person or of their post; see `CardContent`. */
interface PersonCard {
  readonly person: {
    readonly name: string;
    readonly username: string;
    readonly text: string;
    readonly isPost: boolean;
    readonly avatarSvg?: string | undefined;
  };
  /** Name of the media whose thumbnail is the picture. */
  readonly media?: string | undefined;
}

/** The card of a profile. */
export function toProfileCard(account: Account): PersonCard {
  return toCard(account, { text: account.description, isPost: false });
}

/** The card of a post. */
export function toPostCard({ user, text }: Pick<Post, 'user' | 'text'>): PersonCard {
  return toCard(user, { text, isPost: true });
}

function toCard(account: Account, { text, isPost }: { readonly text: string; readonly isPost: boolean }): PersonCard {
  const pathname = account.avatar.replace(/^https?:\/\/[^/]+/, '');
  const name = cut(printableText(account.displayName.replaceAll(/\s+/g, ' ').trim()), maxName);
  const shown = isolateEntities(cut(printableLines(text.trim()), maxText));
  const avatarSvg = drawDefaultAvatar(pathname.replace(/png$/, 'svg'))?.body.toString();
  const person = { name, username: account.username, text: shown, isPost, avatarSvg };
  return { person, media: parseMediaPath(pathname)?.name };
}

/** A link, mention or hashtag does not reorder the text around it, as on pages. */
function isolateEntities(text: string): string {
  return toTextParts(text)
    .map((part) => (part.kind === 'plain' ? part.text : `\u2068${part.text}\u2069`))
    .join('');
}

function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
}

/** Stands for everything that the card shows, so that sites that have an old card ask for the new one. */
function cardVersion(card: PersonCard): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 16);
}

/** The address of the card of the page at `link`. */
export function cardAddress(link: string, card: PersonCard): string {
  return `${link}.png?v=${cardVersion(card)}`;
}

interface CardDependencies {
  readonly db: Pick<Db, 'query'>;
  readonly context: ViewContext;
  readonly cards: Cards;
  /** False: RATE_LIMITS=off. */
  readonly isLimited: boolean;
  /** Number of processes that share the limit. */
  readonly workers: number;
  readonly shared: SharedCounts | undefined;
  readonly trustProxy: number;
}

/** As for media: the account may become protected or deleted. */
const cacheControl = 'public, max-age=300, must-revalidate';

/** Cards that are drawn for one network; those that are remembered do not count. */
const drawLimit = { name: 'card-draws', quota: 120, windowSeconds: 60 } as const;

const pattern = /^\/(?:p\/(?:card|([1-9]\d{0,15}))|@([A-Za-z0-9_]{5,32}))\.png$/;

/** Serves the pictures of pages, `/@username.png`, `/p/{id}.png` and the general one, which other sites show beside links. */
export function serveCards(dependencies: CardDependencies): Middleware {
  const { db, context, cards } = dependencies;
  const [logo, serviceName] = [readLogo(), formatServiceName(context.serviceName)];
  const countDraw = createDrawCounter(dependencies);

  async function findCard(
    id: string | undefined,
    username: string | undefined,
  ): Promise<PersonCard | undefined | 'general'> {
    if (id !== undefined) {
      const found = await findPostPage(db, { id: Number(id), viewer: null, after: undefined });
      return found && toPostCard(toPost(found.post, context));
    }
    if (username === undefined) return 'general';
    const profile = await findProfile(db, { username, viewer: null, before: undefined });
    if (profile?.isProtected === true) return 'general';
    return profile && toProfileCard(toAccount(toAuthor(profile.account), context));
  }

  async function send(ctx: Context, card: PersonCard | 'general'): Promise<void> {
    const key = card === 'general' ? 'general' : cardVersion(card);
    ctx.status = 200;
    ctx.set({ 'Cache-Control': cacheControl, 'Content-Security-Policy': "default-src 'none'; sandbox" });
    ctx.type = 'png';
    ctx.etag = key;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const remembered = cards.find(key);
    if (remembered === undefined) countDraw(ctx);
    const { person, media } = card === 'general' ? {} : card;
    const content = { serviceName, logo, ...(person === undefined ? {} : { person }) };
    ctx.body = remembered ?? (await cards.draw(key, { content, media }).catch(toApiError));
  }

  return async (ctx, next) => {
    const [path, id, username] = pattern.exec(ctx.path) ?? [];
    if (path === undefined || (id !== undefined && !Number.isSafeInteger(Number(id)))) {
      await next();
      return;
    }
    const named = id === undefined ? '/@:username.png' : '/p/:id.png';
    nameRoute(ctx, path === generalCardPath ? path : named);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new ApiError('method-not-allowed', { detail: 'Use GET or HEAD.', headers: { Allow: 'GET, HEAD' } });
    }
    const card = await findCard(id, username);
    if (card === undefined) throw notFound('card');
    await send(ctx, card);
  };
}

/** @throws ApiError `rate-limited` */
function createDrawCounter({ isLimited, trustProxy, ...sharing }: CardDependencies): (ctx: Context) => void {
  const bucket = createBucket(drawLimit, sharing);
  return (ctx) => {
    if (!isLimited) return;
    const usage = bucket.count(networkOf(clientAddress(ctx.req, trustProxy)));
    if (!isExceeded(usage)) return;
    throw new ApiError('rate-limited', {
      detail: `The rate limit ${usage.name} allows ${String(usage.quota)} cards in ${String(usage.windowSeconds)} seconds.`,
      headers: { 'Retry-After': String(usage.count.seconds) },
      limit: usage.name,
    });
  };
}

function toApiError(error: unknown): never {
  if (error instanceof DecoderBusy) throw new ApiError('overloaded', { headers: { 'Retry-After': '5' }, cause: error });
  if (error instanceof ImageRefused || error instanceof StorageFailed) {
    throw new ApiError('unavailable', { headers: { 'Retry-After': '60' }, cause: error });
  }
  throw error;
}

/** Serves generated avatars for accounts without a photo. */
export function serveDefaultAvatar(): Middleware {
  return async (ctx, next) => {
    const avatar = ctx.method === 'GET' || ctx.method === 'HEAD' ? drawDefaultAvatar(ctx.path) : undefined;
    if (avatar === undefined) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.type = avatar.type;
    ctx.body = avatar.body;
  };
}
