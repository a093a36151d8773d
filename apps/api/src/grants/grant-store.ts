/** The grants of one account to one application. Other grants do not exist for the caller (decisions D19). */

import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import type { Slice } from '@linnet/social/list/page-sql';
import { findPage, listStatements } from '@linnet/social/list/page-store';
import { toPaged } from '@linnet/social/list/page';
import type { Page, Paged } from '@linnet/social/list/page';
import { toCreated } from '@linnet/social/view-context';

/** The account, the application, and the grant of its access token. */
interface GrantHolder {
  readonly accountId: number;
  readonly clientId: string;
  readonly grantId: string | undefined;
}

const isActive = 'g.revoked_at IS NULL AND (g.ends_at IS NULL OR g.ends_at > now())';

/** An application that acts as its owner has all scopes that it registered. */
const columns = `g.number AS "grantNumber", g.kind::text AS kind, g.client_id AS "clientId",
  COALESCE(CASE g.kind WHEN 'consent' THEN g.scopes ELSE a.scopes END, '{}') AS scopes,
  g.created_at AS "createdAt", g.ends_at AS "endsAt"`;

const source = ({ where }: Pick<Slice, 'where'>) =>
  `SELECT i.id, i."grantNumber", i.kind, i."clientId", i.scopes, i."createdAt", i."endsAt", i.gid
     FROM (SELECT g.number AS id, g.id AS gid, ${columns} FROM "grant" g JOIN application a ON a.client_id = g.client_id
            WHERE g.account_id = $4 AND g.client_id = $5 AND ${isActive}) i
    WHERE ${where}`;

type ListRow = GrantRow | { readonly [Key in keyof GrantRow]: null };

const list = listStatements<readonly [accountId: number, clientId: string, grantId: string], ListRow>({
  name: 'grants_list',
  source,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) t) AS total, ${hasPreceding} AS "hasPreceding",
           i."grantNumber", i.kind, i."clientId", i.scopes, i."createdAt", i."endsAt", i.gid = $6 AS "isCurrent"
      FROM (VALUES (1)) one LEFT JOIN LATERAL (${page}) i ON true
     ORDER BY i.id ${order}`,
});

/** One page of the grants, newest first, in one statement. */
export async function findGrants(
  db: Queryable,
  { accountId, clientId, grantId = '' }: GrantHolder,
  page: Page,
): Promise<Paged<GrantRow>> {
  const found = await findPage(db, list, {
    page,
    params: [accountId, clientId, grantId],
    idColumn: 'grantNumber',
  });
  return found === undefined
    ? { total: 0, items: [], hasNewer: false }
    : toPaged(found, page, (row) => row.grantNumber);
}

type Own = readonly [grantNumber: number, accountId: number, clientId: string];

const own = `SELECT g.id AS gid, ${columns} FROM "grant" g JOIN application a ON a.client_id = g.client_id
              WHERE g.number = $1 AND g.account_id = $2 AND g.client_id = $3 AND ${isActive} FOR UPDATE OF g`;

const narrowStatement = statement<
  readonly [...Own, kept: readonly string[], grantId: string],
  GrantRow & { readonly isNarrower: boolean }
>(
  'grant_narrow',
  // Raising the epoch revokes its tokens, including those that are being issued.
  `WITH own AS (${own}), candidate AS (
     SELECT *, kind = 'consent' AND $4::text[] <@ scopes AS "isNarrower",
            ARRAY(SELECT s.scope FROM unnest(scopes) WITH ORDINALITY AS s (scope, position)
                   WHERE s.scope = ANY ($4::text[]) ORDER BY s.position) AS kept
       FROM own
   ), narrowed AS (
     UPDATE "grant" g SET scopes = candidate.kept, epoch = g.epoch + 1 FROM candidate
      WHERE g.id = candidate.gid AND candidate."isNarrower" AND NOT candidate.scopes <@ $4::text[]
   )
   SELECT "grantNumber", kind, "clientId", kept AS scopes, "createdAt", "endsAt", gid = $5 AS "isCurrent", "isNarrower"
     FROM candidate`,
);

/** The narrowed grant; `undefined` when it does not exist, `wider` when it lacks a scope that it should keep. */
export async function narrowGrant(
  db: Queryable,
  { accountId, clientId, grantId = '' }: GrantHolder,
  { id, kept }: { readonly id: number; readonly kept: readonly string[] },
): Promise<GrantRow | 'wider' | undefined> {
  const [row] = await db.query(narrowStatement, [id, accountId, clientId, kept, grantId]);
  if (row === undefined) return undefined;
  return row.isNarrower ? row : 'wider';
}

const revokeStatement = statement<Own, { readonly revoked: number }>(
  'grant_revoke_own',
  `UPDATE "grant" g SET revoked_at = now()
    WHERE g.number = $1 AND g.account_id = $2 AND g.client_id = $3 AND ${isActive}
   RETURNING 1 AS revoked`,
);

/** Revokes a grant and all its tokens; false when it does not exist. */
export async function revokeGrant(db: Queryable, { accountId, clientId }: GrantHolder, id: number): Promise<boolean> {
  return (await db.query(revokeStatement, [id, accountId, clientId])).length > 0;
}

interface GrantRow {
  readonly grantNumber: number;
  readonly kind: 'consent' | 'act_as_owner';
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly isCurrent: boolean;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
}

/** The JSON form of a grant. */
export function toGrant({ grantNumber, kind, clientId, scopes, isCurrent, createdAt, endsAt }: GrantRow) {
  return {
    id: grantNumber,
    kind,
    client_id: clientId,
    scope: scopes.join(' '),
    current: isCurrent,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    ...(endsAt === null ? {} : { ends: toCreated(endsAt), ends_at: endsAt.toISOString() }),
  };
}
