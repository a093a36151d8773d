/** Grants of one account to one application; those of others are absent (decisions D19). */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { findPage, listStatements } from '@linnet/social/list/page-store';
import type { Slice } from '@linnet/social/list/page-store';
import { toPaged } from '@linnet/social/list/page';
import type { Page, Paged } from '@linnet/social/list/page';
import type { GrantRow } from './grant-view.ts';

/** Whose grants, to which application, and the one by which it asks. */
export interface GrantHolder {
  readonly accountId: number;
  readonly clientId: string;
  readonly grantId: string | undefined;
}

const isLiving = 'g.revoked_at IS NULL AND (g.ends_at IS NULL OR g.ends_at > now())';

/** An application that acts as its owner may do whatever it registered. */
const columns = `g.number AS "grantNumber", g.kind::text AS kind, g.client_id AS "clientId",
  COALESCE(CASE g.kind WHEN 'consent' THEN g.scopes ELSE a.scopes END, '{}') AS scopes,
  g.created_at AS "createdAt", g.ends_at AS "endsAt"`;

const source = ({ where }: Pick<Slice, 'where'>) =>
  `SELECT i.id, i."grantNumber", i.kind, i."clientId", i.scopes, i."createdAt", i."endsAt", i.gid
     FROM (SELECT g.number AS id, g.id AS gid, ${columns} FROM "grant" g JOIN application a ON a.client_id = g.client_id
            WHERE g.account_id = $4 AND g.client_id = $5 AND ${isLiving}) i
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

/** A page of them, the newest first; one statement. */
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
  return found === undefined ? { total: 0, items: [] } : toPaged(found, page, (row) => row.grantNumber);
}

type Own = readonly [grantNumber: number, accountId: number, clientId: string];

const own = `SELECT g.id AS gid, ${columns} FROM "grant" g JOIN application a ON a.client_id = g.client_id
              WHERE g.number = $1 AND g.account_id = $2 AND g.client_id = $3 AND ${isLiving} FOR UPDATE OF g`;

const narrowStatement = statement<
  readonly [...Own, kept: readonly string[], grantId: string],
  GrantRow & { readonly isNarrower: boolean }
>(
  'grant_narrow',
  // Its tokens end with their epoch, those that are being issued included.
  `WITH own AS (${own}), judged AS (
     SELECT *, kind = 'consent' AND $4::text[] <@ scopes AS "isNarrower",
            ARRAY(SELECT w.word FROM unnest(scopes) WITH ORDINALITY AS w (word, place)
                   WHERE w.word = ANY ($4::text[]) ORDER BY w.place) AS kept
       FROM own
   ), narrowed AS (
     UPDATE "grant" g SET scopes = judged.kept, epoch = g.epoch + 1 FROM judged
      WHERE g.id = judged.gid AND judged."isNarrower" AND NOT judged.scopes <@ $4::text[]
   )
   SELECT "grantNumber", kind, "clientId", kept AS scopes, "createdAt", "endsAt", gid = $5 AS "isCurrent", "isNarrower"
     FROM judged`,
);

/** The grant with the scopes it keeps; `undefined`: there is none; `wider`: it has not all that it was to keep. */
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
    WHERE g.number = $1 AND g.account_id = $2 AND g.client_id = $3 AND ${isLiving}
   RETURNING 1 AS revoked`,
);

/** Ends a grant and with it all its tokens; false when there is none. */
export async function revokeGrant(db: Queryable, { accountId, clientId }: GrantHolder, id: number): Promise<boolean> {
  return (await db.query(revokeStatement, [id, accountId, clientId])).length > 0;
}
