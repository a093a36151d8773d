import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import {
  checkUsername,
  deleteAccount,
  listGrants,
  narrowGrant as narrowGrantRoute,
  revokeGrant as revokeGrantRoute,
  updateAccount,
  updateUsername,
} from '@linnet/contract/routes/account';
import type { Transactional } from '@linnet/db/statement/transaction';
import { findShownAccount, toShownAccount } from '@linnet/social/account/shown-account-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { ProfileNotChanged, changeProfile } from '@linnet/social/profile/profile-change';
import type { ViewContext } from '@linnet/social/view-context';

import { findGrants, narrowGrant, revokeGrant, toGrant } from '../grants/grant-store.ts';
import { ApiError, accountGone, invalidParameters, nameNotAllowed, notFound } from '../http/api-error.ts';
import { endpoint, slowEndpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /account/check_username: 1 taken, 0 free. */
export function createCheckUsername(accounts: Accounts): Endpoint {
  return endpoint(checkUsername, async ({ username }) => ({
    response: { status: (await accounts.isUsernameTaken(username)) ? 1 : 0 },
  }));
}

interface Limiting {
  /** False: wrong passwords are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

/** POST /account/delete. The account disappears at once; a job updates the counters of others. */
export function createDeleteAccount(accounts: Accounts, { isLimited }: Limiting): Endpoint {
  return slowEndpoint(deleteAccount, async ({ password }, caller) => {
    const { accountId } = caller;
    const check = await accounts.checkDeletion({ accountId, password, isLimited });
    if (check.outcome === 'not-found') throw accountGone();
    if (check.outcome === 'wrong-password') throw wrongPassword();
    if (check.outcome === 'too-many-attempts') {
      throw new ApiError('rate-limited', {
        detail: 'Too many wrong passwords. Wait as many seconds as `Retry-After` says, then retry.',
        headers: { 'Retry-After': String(check.retryAfterSeconds) },
      });
    }
    return async (db) => {
      // The password may have changed since it was checked.
      if (!(await accounts.delete({ accountId, epoch: check.epoch }, db))) throw wrongPassword();
      return { status: 'succeeded', message: 'The account was deleted. An operator can restore it for 14 days.' };
    };
  });
}

function wrongPassword(): ApiError {
  return new ApiError('wrong-password', {
    errors: [{ parameter: 'password', code: 'invalid', detail: 'must be the current password of the account' }],
  });
}

/** GET /account/grants */
export function createListGrants(): Endpoint {
  return endpoint(listGrants, async (paging, caller, db) => {
    return toListResponse(await findGrants(db, caller, toPage(paging)), toGrant);
  });
}

/** POST /account/grants/narrow */
export function createNarrowGrant(): Endpoint {
  return endpoint(narrowGrantRoute, async ({ id, scope: kept }, caller, db) => {
    const narrowed = await narrowGrant(db, caller, { id, kept });
    if (narrowed === undefined) throw notFound('grant');
    if (narrowed !== 'wider') return toGrant(narrowed);
    // An application that acts as its owner has the scopes that the developer area registers for it.
    const detail = 'must contain only scopes of the grant, and the grant must be of kind `consent`';
    throw invalidParameters([{ parameter: 'scope', code: 'invalid', detail }]);
  });
}

/** POST /account/grants/revoke */
export function createRevokeGrant(): Endpoint {
  return endpoint(revokeGrantRoute, async ({ id }, caller, db) => {
    if (!(await revokeGrant(db, caller, id))) throw notFound('grant');
    return { status: 'succeeded', message: 'The grant was revoked.' };
  });
}

async function change(
  accounts: Accounts,
  db: Transactional,
  profile: Parameters<typeof changeProfile>[2],
): Promise<void> {
  try {
    await changeProfile(accounts, db, profile);
  } catch (error) {
    if (error instanceof NameRefused) throw nameNotAllowed(error, ['displayName']);
    if (!(error instanceof ProfileNotChanged)) throw error;
    // Unknown media and media of other accounts get the same response (decisions, D52).
    throw profile.avatarMediaId === undefined ? accountGone() : new ApiError('media-not-usable');
  }
}

/** POST /account/update. Absent parameters stay unchanged; the response is that of GET /users/show. */
export function createUpdateAccount(accounts: Accounts, context: ViewContext): Endpoint {
  return endpoint(updateAccount, async ({ protected: isProtected, avatar, ...profile }, caller, db) => {
    const { accountId, scopes } = caller;
    await change(accounts, db, { accountId, isProtected, avatarMediaId: avatar, ...profile });
    const row = await findShownAccount(db, { id: accountId, username: undefined, viewer: accountId });
    if (row === undefined) throw accountGone();
    return toShownAccount(row, { isOwn: true, maySeeEmail: scopes.has('email') }, context);
  });
}

/** POST /account/update_username. A taken username is a result, not an error (decisions D41). */
export function createUpdateUsername(accounts: Accounts): Endpoint {
  return endpoint(updateUsername, async ({ username }, caller, db) => {
    const outcome = await accounts.rename({ accountId: caller.accountId, username }, db).catch((error: unknown) => {
      throw error instanceof NameRefused ? nameNotAllowed(error, ['username']) : error;
    });
    if (outcome === undefined) throw accountGone();
    if (outcome.retryAfterSeconds !== null) {
      throw new ApiError('rate-limited', {
        detail:
          'The account has reserved the maximum number of old usernames. Retry when one becomes free (`Retry-After`).',
        headers: { 'Retry-After': String(outcome.retryAfterSeconds) },
      });
    }
    const result = { status: outcome.isTaken ? 1 : 0, username: outcome.username } as const;
    return { response: result, ...result };
  });
}
