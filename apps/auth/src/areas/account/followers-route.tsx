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

import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
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
  const answerOne = (answer: 'approved' | 'rejected'): AreaForm => ({
    stepUp: 'none',
    act: async (visit, form) => {
      const follower = form.text('follower');
      const followerId = /^[1-9]\d{0,14}$/.test(follower) ? Number(follower) : 0;
      const decide = answer === 'approved' ? approveRequest : rejectRequest;
      const count = await decide(db, followerId, visit.session.accountId);
      if (count === undefined) await show(db, visit, { status: 422, isGone: true });
      else redirectTo(visit.ctx, pagePaths.followers, answer);
    },
  });

  const setProtected = (isProtected: boolean) => async (accountId: number) =>
    await changeProfile(accounts, db, { accountId, isProtected });

  return {
    path: pagePaths.followers,
    show: async (visit) => await show(db, visit),
    forms: {
      [followerActions.protect]: changeAll('protected', setProtected(true)),
      [followerActions.open]: changeAll('opened', setProtected(false)),
      [followerActions.approve]: answerOne('approved'),
      [followerActions.reject]: answerOne('rejected'),
      [followerActions.approveAll]: changeAll(
        'all-approved',
        async (accountId) => await db.transaction(async (tx) => await acceptAllRequests(tx, accountId)),
      ),
      [followerActions.rejectAll]: changeAll(
        'all-rejected',
        async (accountId) => await rejectAllRequests(db, accountId),
      ),
    },
  };
}

function changeAll(done: Done, change: (accountId: number) => Promise<unknown>): AreaForm {
  return {
    stepUp: 'none',
    act: async ({ ctx, session }) => {
      await change(session.accountId);
      redirectTo(ctx, pagePaths.followers, done);
    },
  };
}

async function show(
  db: Db,
  { ctx, frame, session }: Visit,
  { status = 200, isGone = false }: { readonly status?: number; readonly isGone?: boolean } = {},
): Promise<void> {
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

function addressOf(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : `${pagePaths.followers}?${new URLSearchParams({ cursor }).toString()}`;
}
