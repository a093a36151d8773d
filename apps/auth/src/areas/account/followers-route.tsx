import type { Accounts } from '@linnet/accounts/accounts';
import { pagingParameters } from '@linnet/contract/paging';
import type { Db } from '@linnet/db/database';
import { changeProfile } from '@linnet/social/profile/profile-change';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import {
  acceptAllRequests,
  approveRequest,
  rejectAllRequests,
  rejectRequest,
} from '@linnet/social/follow/follow-request-store';
import { findProtection } from '@linnet/social/follow/protection-store';
import { toPage } from '@linnet/social/list/page';

import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { FollowersPage, followerActions, followersDone } from './followers-page.tsx';
import { photoOf } from './profile-route.tsx';

interface FollowersRouteOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'updateProfile'>;
}

type Done = (typeof followersDone)[number];

const requestsOfPage = 20;

/** `/account/followers`: whether the account is protected, and its follow requests. */
export function followersRoute({ db, accounts }: FollowersRouteOptions): AreaPage {
  async function show({ ctx, frame, session }: Visit, status = 200, isGone = false): Promise<void> {
    const { accountId } = session;
    const cursor = pagingParameters.cursor.safeParse(ctx.query['cursor']).data;
    const page = toPage({ count: requestsOfPage, page: 1, cursor });
    const protection = await findProtection(db, accountId);
    const requests = await findFollows(db, { list: 'requests', accountId }, page);
    if (protection === undefined || requests === undefined) return;
    const listed = requests.items.map((one) => ({ ...one, photo: photoOf(one).src }));
    const around = { newer: addressOf(requests.prev), older: addressOf(requests.next) };
    const done = findDone(ctx, followersDone);
    const props = { ...protection, ...around, listed, done, isGone };
    renderPage(ctx, <FollowersPage frame={frame} {...props} />, { status });
  }

  async function answerOne(visit: Visit, answer: 'approved' | 'rejected', follower: string): Promise<void> {
    const followerId = /^[1-9]\d{0,14}$/.test(follower) ? Number(follower) : 0;
    const decide = answer === 'approved' ? approveRequest : rejectRequest;
    const count = await decide(db, followerId, visit.session.accountId);
    if (count === undefined) await show(visit, 422, true);
    else redirectTo(visit.ctx, pagePaths.followers, answer);
  }

  /** Returns undefined for an unknown action. */
  async function changeAll(action: string, accountId: number): Promise<Done | undefined> {
    if (action === followerActions.protect || action === followerActions.open) {
      const isProtected = action === followerActions.protect;
      await changeProfile(accounts, db, { accountId, isProtected });
      return isProtected ? 'protected' : 'opened';
    }
    if (action === followerActions.approveAll) {
      await db.transaction(async (tx) => await acceptAllRequests(tx, accountId));
      return 'all-approved';
    }
    if (action !== followerActions.rejectAll) return undefined;
    await rejectAllRequests(db, accountId);
    return 'all-rejected';
  }

  async function act(visit: Visit, form: Form): Promise<void> {
    const action = form.text('action');
    const follower = form.text('follower');
    if (action === followerActions.approve) return await answerOne(visit, 'approved', follower);
    if (action === followerActions.reject) return await answerOne(visit, 'rejected', follower);
    const done = await changeAll(action, visit.session.accountId);
    return done === undefined ? await show(visit, 422) : redirectTo(visit.ctx, pagePaths.followers, done);
  }

  return {
    path: pagePaths.followers,
    show: async (visit) => await show(visit),
    sensitive: false,
    act: async (visit) => await act(visit, await visit.readForm()),
  };
}

function addressOf(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : `${pagePaths.followers}?${new URLSearchParams({ cursor }).toString()}`;
}
