import type { Db } from '@linnet/db/database';
import { toAuthor } from '@linnet/social/account/account-row';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { addFollow, deleteFollow } from '@linnet/social/follow/follow-store';
import { toShownPost } from '@linnet/social/pages/page-view';
import { findCurrentUsername, findProfile } from '@linnet/social/pages/profile-page-store';
import type { Profile } from '@linnet/social/pages/profile-page-store';
import type { ViewContext } from '@linnet/social/view-context';
import type { Context } from 'koa';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Throttle } from '../../../pages/throttle/throttle.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { followActions } from './follow-choice.tsx';
import { FollowPage, followDone } from './follow-page.tsx';
import type { FollowPageProps } from './follow-page.tsx';
import type { PostListProps } from './posts.tsx';

export interface PeopleRouteOptions {
  readonly db: Db;
  readonly viewContext: ViewContext;
  readonly throttle: Throttle;
  /** Origins of images besides our own, as CSP sources. */
  readonly imageSources: readonly string[];
}

const namePattern = /^[A-Za-z0-9_]{5,32}$/;

/** `/follow/{username}`: follows an account. The public profile leads here. */
export function followRoute(options: PeopleRouteOptions): AreaPage {
  const { db, throttle } = options;

  /** The account; the page of the person's own posts, or of the present username, instead of it. */
  async function findOther({ ctx, param, session, viewer }: Visit): Promise<Profile | undefined> {
    const username = param('username');
    if (!namePattern.test(username)) return undefined;
    if (username.toLowerCase() === viewer.username.toLowerCase()) {
      redirectTo(ctx, pagePaths.posts);
      return undefined;
    }
    const profile = await findProfile(db, { username, viewer: session.accountId, before: readBefore(ctx) });
    if (profile !== undefined) return profile;
    const present = await findCurrentUsername(db, username);
    if (present !== undefined) redirectTo(ctx, pagePaths.follow(present));
    return undefined;
  }

  const change = (
    run: (visit: Visit, accountId: number) => Promise<(typeof followDone)[number] | undefined>,
  ): AreaForm => ({
    stepUp: 'none',
    act: async (visit) => {
      const profile = await findOther(visit);
      if (profile === undefined) return;
      const wait = await throttle.countSocialAct(visit.session.accountId);
      if (wait !== undefined) {
        visit.ctx.set('Retry-After', String(wait));
        show(options, visit, { profile, isThrottled: true, status: 429 });
        return;
      }
      const done = await run(visit, profile.account['author.id']);
      // Without a change: the account is gone, or there is a block since, which the page says.
      redirectTo(visit.ctx, pagePaths.follow(profile.account['author.username']), done);
    },
  });

  return {
    path: '/follow/:username',
    show: async (visit) => {
      const profile = await findOther(visit);
      if (profile !== undefined) show(options, visit, { profile, done: findDone(visit.ctx, followDone) });
    },
    forms: {
      [followActions.follow]: change(async ({ session }, id) => {
        const added = await addFollow(db, session.accountId, id);
        return added && (added.requested ? 'requested' : 'followed');
      }),
      [followActions.unfollow]: change(async ({ session }, id) => {
        const left = await deleteFollow(db, session.accountId, id);
        return left === undefined ? undefined : 'unfollowed';
      }),
    },
  };
}

interface ShownState extends Pick<FollowPageProps, 'done' | 'isThrottled'> {
  readonly profile: Profile;
  readonly status?: number;
}

function show(
  { viewContext, imageSources }: PeopleRouteOptions,
  { ctx, frame }: Visit,
  { profile, status = 200, ...state }: ShownState,
): void {
  const { isProtected, isVisible, marks } = profile;
  const account = toMarkedAccount({ ...toAuthor(profile.account), marks }, viewContext);
  const list = isProtected && isVisible ? toList(profile, { ctx, viewContext }) : undefined;
  const page = <FollowPage {...{ frame, account, isProtected, list }} {...state} />;
  renderPage(ctx, page, { status, images: imageSources });
}

/** The posts of a profile, with the addresses of the pages around them. */
export function toList(
  { posts, olderThan }: Profile,
  { ctx, viewContext }: Pick<Visit, 'ctx'> & Pick<PeopleRouteOptions, 'viewContext'>,
): PostListProps {
  return {
    posts: posts.map((post) => toShownPost(post, viewContext)),
    olderHref: olderThan === undefined ? undefined : `${ctx.path}?before=${String(olderThan)}`,
    newestHref: readBefore(ctx) === undefined ? undefined : ctx.path,
  };
}

/** Reads `?before=`, the id below which a page of a list starts. Malformed ones count as absent. */
export function readBefore(ctx: Pick<Context, 'query'>): number | undefined {
  return parsePostId(ctx.query['before']);
}

/** Undefined if the value is no id. */
export function parsePostId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
