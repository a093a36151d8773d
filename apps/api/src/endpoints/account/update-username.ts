import type { Accounts } from '@linnet/accounts/accounts';
import { updateUsername } from '@linnet/contract/routes/account';

import { ApiError, accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/update_username. A taken username is a result, not an error (decisions D41). */
export function createUpdateUsername(accounts: Accounts): Endpoint {
  return endpoint(updateUsername, async ({ username }, caller, db) => {
    const outcome = await accounts.rename({ accountId: caller.accountId, username }, db);
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
