/** What sign-out needs to know about an application. */
import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

export interface LogoutClient {
  readonly clientId: string;
  readonly type: ApplicationType;
  readonly name: string;
  readonly postLogoutRedirectUris: readonly string[];
}

const findStatement = statement<readonly [clientId: string], LogoutClient>(
  'logout_client',
  `SELECT a.client_id AS "clientId", a.type::text AS type, a.name,
          a.post_logout_redirect_uris AS "postLogoutRedirectUris"
     FROM application a LEFT JOIN account o ON o.id = a.owner_id
    WHERE a.client_id = $1 AND a.suspended_at IS NULL AND a.paused_at IS NULL
      AND o.suspended_at IS NULL AND o.deleted_at IS NULL`,
);

/** Undefined if it does not exist, is suspended or paused, or its owner is suspended or deleted. */
export async function findLogoutClient(db: Queryable, clientId: string): Promise<LogoutClient | undefined> {
  const [found] = await db.query(findStatement, [clientId]);
  return found;
}
