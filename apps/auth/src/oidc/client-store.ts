import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import type { ApplicationType } from '../applications/application-type.ts';
import type { StoredSecret } from '../applications/client-secret.ts';

export type ClientDatabase = Pick<Db, 'query'>;

/** All that token requests need to know of an application. */
export interface Registration {
  readonly clientId: string;
  readonly type: ApplicationType;
  readonly name: string;
  /** Username. */
  readonly owner: string;
  /** Whether `response_type=token` is allowed. */
  readonly implicit: boolean;
  /** In the order they were registered. */
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly secrets: readonly StoredSecret[];
  /** The grant by which its client credentials act as an account. */
  readonly actingGrant: ActingGrant | null;
}

interface ActingGrant {
  readonly id: string;
  readonly accountId: number;
}

interface Row {
  readonly client_id: string;
  readonly type: ApplicationType;
  readonly name: string;
  readonly owner: string;
  readonly implicit: boolean;
  readonly scopes: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly secrets: readonly StoredSecret[];
  readonly grant_id: string | null;
  readonly account_id: number | null;
}

const registrationByClientId = statement<readonly [clientId: string], Row>(
  'auth_registration',
  `SELECT a.client_id, a.type::text AS type, a.name, o.username AS owner, a.implicit, COALESCE(a.scopes, '{}') AS scopes,
          ARRAY(SELECT r.uri::text FROM redirect_uri r WHERE r.client_id = a.client_id ORDER BY r.position) AS redirect_uris,
          (SELECT COALESCE(json_agg(json_build_object(
                    'sha256', encode(s.sha256, 'hex'),
                    'expiresAt', floor(EXTRACT(EPOCH FROM s.expires_at) * 1000))), '[]')
             FROM application_secret s WHERE s.client_id = a.client_id) AS secrets,
          g.id AS grant_id, g.account_id
     FROM application a JOIN account o ON o.id = a.owner_id
     LEFT JOIN "grant" g ON g.client_id = a.client_id AND g.kind = 'act_as_owner' AND g.revoked_at IS NULL
    WHERE a.client_id = $1 AND o.deleted_at IS NULL`,
);

/** The application with its secrets, return addresses and acting grant; one statement. Not one whose owner is deleted. */
export async function findRegistration(db: ClientDatabase, clientId: string): Promise<Registration | undefined> {
  const [row] = await db.query(registrationByClientId, [clientId]);
  if (row === undefined) return undefined;
  const { grant_id: id, account_id: accountId } = row;
  return {
    clientId: row.client_id,
    type: row.type,
    name: row.name,
    owner: row.owner,
    implicit: row.implicit,
    scopes: row.scopes,
    redirectUris: row.redirect_uris,
    secrets: row.secrets,
    actingGrant: id === null || accountId === null ? null : { id, accountId },
  };
}
