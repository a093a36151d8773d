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
  removeFollower,
} from '@linnet/social/follow/follow-request-store';
import { findProtection } from '@linnet/social/follow/follow-store';
import { toPage } from '@linnet/social/list/page';

import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { FollowersPage, followerActions, followersDone } from './followers-page.tsx';
import { photoOf } from './profile.tsx';

interface FollowersRouteOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'updateProfile'>;
}

type Done = (typeof followersDone)[number];

/** Of each list; both are on one page. */
const rowsOfPage = 15;

/** `/account/followers`: whether the account is protected, its follow requests, and its followers. */
export function followersRoute({ db, accounts }: FollowersRouteOptions): AreaPage {
  const answerOne = (answer: 'approved' | 'rejected'): AreaForm => ({
    stepUp: 'none',
    act: async (visit, form) => {
      const followerId = readFollower(form);
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
      [followerActions.remove]: {
        stepUp: 'none',
        // An account that stopped following, or was deleted, needs no other notice.
        act: async ({ ctx, session }, form) => {
          await removeFollower(db, readFollower(form), session.accountId);
          const { followers } = ctx.query;
          const cursor = typeof followers === 'string' ? followers : undefined;
          redirectTo(ctx, addressOf('followers', cursor), 'removed');
        },
      },
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

/** 0, which no account has, if the field is malformed. */
function readFollower(form: Form): number {
  const follower = form.text('follower');
  return /^[1-9]\d{0,14}$/.test(follower) ? Number(follower) : 0;
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
  const [protection, requests, followers] = await Promise.all([
    findProtection(db, accountId),
    findRows(db, { list: 'requests', accountId, parameter: 'cursor' }, ctx),
    findRows(db, { list: 'followers', accountId, parameter: 'followers' }, ctx),
  ]);
  if (protection === undefined || requests === undefined || followers === undefined) return;
  const { items: listed, ...around } = requests;
  const done = findDone(ctx, followersDone);
  const props = { ...protection, ...around, listed, list: followers, done, isGone };
  renderPage(ctx, <FollowersPage frame={frame} {...props} />, { status });
}

interface RowsOptions {
  readonly list: 'requests' | 'followers';
  readonly accountId: number;
  /** Query parameter: the cursor of this list. */
  readonly parameter: 'cursor' | 'followers';
}

/** A page of one of the lists, with the addresses of its neighbors; undefined if the account was deleted. */
async function findRows(db: Db, { list, accountId, parameter }: RowsOptions, ctx: Visit['ctx']) {
  const cursor = pagingParameters.cursor.safeParse(ctx.query[parameter]).data;
  const found = await findFollows(
    db,
    { list, accountId, viewer: null },
    toPage({ count: rowsOfPage, page: 1, cursor }),
  );
  if (found === undefined) return undefined;
  return {
    items: found.items.map((one) => ({ ...one, photo: photoOf(one).src })),
    newer: found.hasNewer ? addressOf(parameter, found.prev) : undefined,
    older: found.next === undefined ? undefined : addressOf(parameter, found.next),
  };
}

/** The page at the cursor of a list. */
function addressOf(parameter: RowsOptions['parameter'], cursor: string | undefined): string {
  if (cursor === undefined) return pagePaths.followers;
  return `${pagePaths.followers}?${new URLSearchParams({ [parameter]: cursor }).toString()}`;
}
