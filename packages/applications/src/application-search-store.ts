/** Finding applications, for operators. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import type { ApplicationType } from './application-type.ts';

export interface FoundApplication {
  readonly clientId: string;
  readonly name: string;
  readonly type: ApplicationType;
  /** Username; null if it registered itself. */
  readonly owner: string | null;
  readonly createdAt: Date;
  readonly isSuspended: boolean;
  readonly isPaused: boolean;
  readonly isVerified: boolean;
}

export interface ApplicationSearch {
  /** The start of a client id or of its owner's username, or a part of the name, whatever the case. Empty: every application. */
  readonly text: string;
  /** A client id: only applications that were registered earlier. */
  readonly before: string | undefined;
  readonly limit: number;
}

const searchStatement = statement<readonly [text: string, before: string | null, limit: number], FoundApplication>(
  'application_search',
  `SELECT p.client_id AS "clientId", p.name, p.type, o.username AS owner, p.created_at AS "createdAt",
          p.suspended_at IS NOT NULL AS "isSuspended", p.paused_at IS NOT NULL AS "isPaused",
          p.verified_at IS NOT NULL AS "isVerified"
     FROM application p LEFT JOIN account o ON o.id = p.owner_id
    WHERE ($2::text IS NULL OR (p.created_at, p.client_id) <
            (SELECT b.created_at, b.client_id FROM application b WHERE b.client_id = $2))
      AND ($1 = '' OR starts_with(lower(p.client_id), $1) OR starts_with(o.username_ci, $1)
           OR position($1 IN lower(p.name)) > 0)
    ORDER BY p.created_at DESC, p.client_id DESC LIMIT $3`,
);

/** Newest first. */
export async function searchApplications(
  db: Queryable,
  { text, before, limit }: ApplicationSearch,
): Promise<readonly FoundApplication[]> {
  return await db.query(searchStatement, [text.trim().toLowerCase(), before ?? null, limit]);
}
